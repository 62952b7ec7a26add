package poller

import (
	"cmp"
	"context"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// This file meets items that have no session yet: new ones, and ones that are listed
// after the end of their session.

// thread is the result of reading an item's comments for the first time.
type thread struct {
	comments   []Comment
	requests   []request
	stop       *request // the last word is a stop; nil otherwise
	adopted    *Comment // the comment that adopts a stranger's item, nil for none
	authorized bool     // the item may start a session
}

// firstSight makes the present comments the baseline, because a new session reads
// the thread itself, and starts a session if an authorized user wants one.
func (v *visit) firstSight(ctx context.Context) error {
	if !v.questions.due(v.item.Ref) {
		return nil // the item answered that it is gone
	}
	t, err := v.readThread(ctx)
	if err != nil {
		return err
	}
	wanted := !v.feeds() && t.authorized && t.stop == nil
	start := wanted && !v.waitsForRoom()
	if start {
		if may, err := v.mayStart(ctx); !may {
			return err
		}
	}
	err = v.store.Update(v.item.Ref, func(r *session.Record) error {
		v.recordFirstSight(r, t)
		if start {
			v.arm(r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	v.tellFirstSight(t)
	switch {
	case start:
		return v.submitSpawn()
	case wanted:
		v.standInLine()
	}
	return nil
}

// readThread reads the comments and decides whether the item may start a session.
// An adopted item ignores the links of its unauthorized author.
func (v *visit) readThread(ctx context.Context) (t thread, err error) {
	if t.comments, err = v.src.Provider.Comments(ctx, v.item); err != nil {
		return t, err
	}
	if t.adopted, err = v.adoptedBy(ctx, t.comments); err != nil {
		return t, err
	}
	if t.requests, err = v.requests(ctx, v.fresh(t.comments, nil)); err != nil {
		return t, err
	}
	if last := whetherToStart(t.requests); last != nil && last.command == cmdStop {
		t.stop = last
	}
	allowed, err := v.auth.allows(ctx, v.src, v.item.Host, v.item.Author)
	if err != nil {
		return t, err
	}
	if t.adopted != nil && !allowed {
		v.target = nil
	}
	t.authorized = allowed || t.adopted != nil
	return t, nil
}

// recordFirstSight fills the record of a new or reopened item.
func (v *visit) recordFirstSight(r *session.Record, t thread) {
	if r.State == session.StateClosed {
		v.reopen(r)
	}
	v.describe(r)
	for _, comment := range t.comments {
		r.MarkSeen(comment.ID)
	}
	v.readToTheEnd(r)
	r.Fed = v.feeds()
	if t.adopted != nil {
		r.AdoptedBy = t.adopted.Author
	}
	r.UnauthorizedTold = v.isStrangers(t)
	if t.stop != nil && !v.feeds() {
		v.hold(r, *t.stop)
	}
}

// reopen resets the record of an item that was reopened: its next session is a new one.
func (v *visit) reopen(r *session.Record) {
	r.Generation++
	r.ForgetLosses()
	r.AdoptedBy, r.UnauthorizedTold, r.NoHandler = "", false, false
	r.Pending, r.GaveUp = nil, nil
	r.Retry, r.Unlisted = false, false
	r.StoppedBy, r.Restart, r.StartedAt = "", false, time.Time{}
	r.SetState(session.StateNone, v.now())
}

// isStrangers reports whether the item stays without a session until an authorized
// user adopts it.
func (v *visit) isStrangers(t thread) bool { return !v.feeds() && !t.authorized }

// tellFirstSight reports a first sight in the log and the event log.
func (v *visit) tellFirstSight(t thread) {
	if !v.feeds() && !v.canSpawn() {
		v.events.Write(eventlog.ItemSeen(v.item.Ref, string(v.item.Kind), v.item.Author))
	}
	v.tellCommands(v.item.Ref, t.requests)
	v.tellAdoption(t.adopted)
	if v.isStrangers(t) {
		v.log.Info("item left alone: no authorized user has asked for it", "ref", v.item.Ref, "author", v.item.Author)
		v.events.Write(eventlog.Unauthorized(v.item.Ref, v.item.Author))
	}
}

// adoptedBy finds the comment by which an authorized user adopts the item.
func (v *visit) adoptedBy(ctx context.Context, comments []Comment) (*Comment, error) {
	return v.firstAllowed(ctx, comments, func(c Comment) bool { return adopts(c) && audible(c) })
}

// firstAllowed returns the first wanted comment of an authorized user, nil for none.
func (v *visit) firstAllowed(ctx context.Context, comments []Comment, wanted func(Comment) bool) (*Comment, error) {
	for i, comment := range comments {
		if !wanted(comment) {
			continue
		}
		allowed, err := v.auth.allows(ctx, v.src, v.item.Host, comment.Author)
		if err != nil {
			return nil, err
		}
		if allowed {
			return &comments[i], nil
		}
	}
	return nil, nil
}

func (v *visit) tellAdoption(by *Comment) {
	if by != nil {
		v.log.Info("item adopted", "ref", v.item.Ref, "by", by.Author)
		v.events.Write(eventlog.Adopted(v.item.Ref, by.Author, by.ID))
	}
}

// listedAfterItsEnd handles an item that is listed although its session was closed.
// Either GitHub's index lags or the item was reopened; only the item itself knows.
func (v *visit) listedAfterItsEnd(ctx context.Context) error {
	if open, err := v.stillOpen(ctx); !open {
		return err
	}
	return v.firstSight(ctx)
}

// mayStart reports whether the item's first session may begin. GitHub's index can
// list ended items, so the item itself is asked before its first spawn.
func (v *visit) mayStart(ctx context.Context) (bool, error) {
	if !v.canSpawn() {
		return true, nil // ask once there is a handler
	}
	return v.stillOpen(ctx)
}

// stillOpen asks the item itself, at most once a visit. It records the end of an item
// that has ended; a later reopening is first sight.
func (v *visit) stillOpen(ctx context.Context) (bool, error) {
	switch {
	case v.open:
		return true, nil
	case !v.questions.due(v.item.Ref):
		return false, nil
	}
	answer, err := v.src.Provider.Ended(ctx, v.item.Ref)
	switch {
	case err != nil:
		return false, err
	case answer.Ending == StillOpen && answer.Unlabelled && v.src.CloseUnlabelled:
		v.questions.backOff(v.item.Ref) // the listing lags: a session would only be closed again
		return false, nil
	case answer.Ending == StillOpen:
		v.open = true
		v.questions.forget(v.item.Ref)
		return true, nil
	}
	v.questions.backOff(v.item.Ref)
	v.log.Info("item is listed but no longer open, nothing is started",
		"ref", v.item.Ref, "item", cmp.Or(answer.note(), string(answer.Ending)))
	if answer.Ending == Gone {
		return false, nil
	}
	return false, v.store.Update(v.item.Ref, func(r *session.Record) error {
		v.describe(r)
		r.Pending, r.NoHandler = nil, false
		r.SetState(session.StateClosed, v.now())
		return nil
	})
}
