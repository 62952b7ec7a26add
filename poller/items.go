package poller

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// item processes one listed item. Whatever goes wrong in it, a panic too, is
// that item's error.
func (c *cycle) item(ctx context.Context, src Source, item WorkItem) {
	defer c.contain(item.Ref, func(text string) { c.itemError(item.Ref, errors.New(text)) })
	v := &visit{cycle: c, src: src, item: item}
	if err := v.process(ctx); err != nil {
		c.itemFailed(ctx, item.Ref, err)
		return
	}
	c.visits.done[item.Ref] = true
	v.toFollow()
}

// itemFailed tells an error apart from what was only put off.
func (c *cycle) itemFailed(ctx context.Context, ref string, err error) {
	var putOff *PutOffError
	switch {
	case ctx.Err() != nil:
		c.sum.Interrupted = true
	case errors.As(err, &putOff):
		c.visits.putOff[ref] = true
		c.log.Debug("item put off", "ref", ref, "reason", putOff.Reason)
		if putOff.Limit != nil {
			c.limited(*putOff.Limit)
		}
	default:
		c.itemError(ref, err)
	}
}

func (c *cycle) itemError(ref string, err error) {
	if c.toldBefore(ref, err) {
		c.log.Debug("item could still not be processed", "ref", ref, "error", err)
	} else {
		c.log.Error("item could not be processed, retried next cycle", "ref", ref, "error", err)
		c.events.Write(eventlog.ItemError(ref, err.Error()))
	}
	c.sum.Errors++
	c.visits.failed[ref] = err.Error()
}

// visit is the processing of one listed item in one cycle.
type visit struct {
	*cycle
	src   Source
	item  WorkItem
	rec   session.Record // as it was when the visit began
	known bool
	// target is the session that the item's comments go to: its own or that
	// of an issue that the pull request works on. Nil when none is live.
	target *session.Record
	open   bool // the item itself said so in this visit
}

func (v *visit) process(ctx context.Context) error {
	if err := v.load(ctx); err != nil {
		return err
	}
	switch {
	case v.item.Unlabelled && !v.feeds():
		return nil // the session that it linked to has just ended
	case !v.known:
		return v.firstSight(ctx)
	case v.rec.State == session.StateClosing:
		return nil // its close is being delivered; it is first sight after that
	case v.rec.State == session.StateClosed:
		return v.listedAfterItsEnd(ctx)
	}
	if err := v.rearm(ctx); err != nil {
		return err
	}
	if v.rec.State == session.StateNone && v.rec.HasPending(session.EventSpawn) && !v.canSpawn() {
		return v.awaitHandler() // its comments must not overtake it
	}
	if v.lastAttemptRuns() {
		return nil // what is said meanwhile is new afterwards, and arms a start that failed
	}
	if v.rec.Recovered || v.toRestart() || v.unread() {
		return v.read(ctx)
	}
	if v.rec.State == session.StateNone && v.rec.HasPending(session.EventSpawn) {
		return v.submitSpawn() // it may have to be tried again
	}
	return v.startIfAuthorized(ctx)
}

// load reads the record and finds the session that is concerned.
func (v *visit) load(ctx context.Context) error {
	var err error
	if v.rec, v.known, err = v.store.Get(v.item.Ref); err != nil {
		return err
	}
	if v.known && v.rec.Live() {
		v.target = &v.rec
		return nil
	}
	v.target, err = v.linkedSession(ctx)
	return err
}

// feeds reports whether the item's comments go to another item's session.
func (v *visit) feeds() bool { return v.target != nil && v.target.Ref != v.item.Ref }

// unread reports whether there may be comments that were not read: the item
// changed, or it did so in the cycle before or just now, or something has to be
// delivered that the dispatcher does not have.
func (v *visit) unread() bool {
	owes := func(p session.Pending) bool { return p.Event != session.EventUpdate && !v.onItsWay(p.ID) }
	return v.item.UpdatedAt.IsZero() || !v.item.UpdatedAt.Equal(v.rec.ReadTo) || v.rec.Settle || v.changedJustNow() ||
		!keepsComments(v.target) && slices.ContainsFunc(v.rec.Pending, owes)
}

// toRestart reports whether another session is to follow the one that was stopped.
func (v *visit) toRestart() bool {
	return v.target == nil && v.rec.State == session.StateStopped && v.rec.Restart && v.questions.due(v.rec.Ref)
}

// changedJustNow reports whether the second in which the item changed may still
// go on: two comments can share it, and several cycles too. The clocks of this
// machine and of GitHub may differ.
func (v *visit) changedJustNow() bool {
	const settled, ahead = 3 * time.Second, time.Minute
	age := time.Since(v.item.UpdatedAt)
	return -ahead < age && age < settled
}

// firstSight makes all present comments the baseline, since a new session
// reads the thread itself, and starts one when somebody trusted wants it.
func (v *visit) firstSight(ctx context.Context) error {
	if !v.questions.due(v.item.Ref) {
		return nil // the item said that it is gone
	}
	comments, err := v.src.Provider.Comments(ctx, v.item)
	if err != nil {
		return err
	}
	adopted, err := v.adoptedBy(ctx, comments)
	if err != nil {
		return err
	}
	requests, err := v.requests(ctx, v.fresh(comments, nil))
	if err != nil {
		return err
	}
	decision := whetherToStart(requests)
	stopped := decision != nil && decision.command == cmdStop
	allowed, err := v.auth.allows(ctx, v.src, v.item.Host, v.item.Author)
	if err != nil {
		return err
	}
	if adopted != nil && !allowed {
		v.target = nil // adoption beats a stranger's links
	}
	authorized := allowed || adopted != nil
	tell := !v.feeds() && !authorized
	wanted := !v.feeds() && authorized && !stopped
	start := wanted && !v.waitsForRoom()
	if start {
		if may, err := v.mayStart(ctx); !may {
			return err
		}
	}
	err = v.store.Update(v.item.Ref, func(r *session.Record) error {
		if r.State == session.StateClosed { // reopened
			r.Generation++
			r.ForgetLosses()
			r.AdoptedBy, r.UnauthorizedTold, r.NoHandler = "", false, false
			r.Pending, r.GaveUp = nil, nil
			r.Retry, r.Unlisted = false, false
			r.StoppedBy, r.Restart, r.StartedAt = "", false, time.Time{}
			r.SetState(session.StateNone, v.now())
		}
		v.describe(r)
		for _, comment := range comments {
			r.MarkSeen(comment.ID)
		}
		v.readToTheEnd(r)
		r.Fed = v.feeds()
		if adopted != nil {
			r.AdoptedBy = adopted.Author
		}
		r.UnauthorizedTold = tell
		if stopped && !v.feeds() {
			v.hold(r, *decision)
		}
		if start {
			v.arm(r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !v.feeds() && !v.canSpawn() {
		v.events.Write(eventlog.ItemSeen(v.item.Ref, string(v.item.Kind), v.item.Author))
	}
	v.tellCommands(v.item.Ref, requests)
	v.tellAdoption(adopted)
	if tell {
		v.tellUnauthorized()
	}
	switch {
	case start:
		return v.submitSpawn()
	case wanted:
		v.standInLine()
	}
	return nil
}

// listedAfterItsEnd is an item that is listed although its session was closed.
// Either GitHub's index lags, or it was reopened: only the item itself knows.
func (v *visit) listedAfterItsEnd(ctx context.Context) error {
	if open, err := v.stillOpen(ctx); !open {
		return err
	}
	return v.firstSight(ctx)
}

// mayStart reports whether the item's first session may begin, or would but for
// the spawn handler. GitHub's index can list what has ended, so the item itself
// is asked before its first spawn.
func (v *visit) mayStart(ctx context.Context) (bool, error) {
	if !v.canSpawn() {
		return true, nil // asked when there is something to start
	}
	return v.stillOpen(ctx)
}

// stillOpen asks the item itself, once a visit. Of an item that has ended it
// notes that, and a reopening is first sight.
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
		v.questions.backOff(v.item.Ref) // the listing lags: starting it would be for its close alone
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

// startIfAuthorized starts a session for a known item that has been without
// one: its author has become an authorized user, with the configuration or with
// the answer who "@me" is, or the spawn handler was missing so far.
func (v *visit) startIfAuthorized(ctx context.Context) error {
	if v.target != nil || v.rec.Fed || v.rec.State != session.StateNone && v.rec.State != session.StateQueued {
		return v.leaveLine()
	}
	if v.rec.State == session.StateQueued && v.waitsForRoom() {
		v.standInLine() // asked again when there is room: waiting costs no call
		return nil
	}
	return v.startIfAllowed(ctx, v.start)
}

// startIfAllowed starts the item if its author is authorized or it was adopted.
func (v *visit) startIfAllowed(ctx context.Context, start func(context.Context, func(*session.Record)) error) error {
	allowed, err := v.auth.allowsByNow(ctx, v.src, v.item.Host, v.item.Author)
	switch {
	case err != nil:
		return err
	case !allowed && v.rec.AdoptedBy == "":
		if err := v.leaveLine(); err != nil {
			return err
		}
		return v.markNoHandler(false)
	case !v.canSpawn():
		return v.awaitHandler()
	}
	return start(ctx, func(*session.Record) {})
}

// start starts the item's session or, where sessions are limited, has the item
// stand in line; change is what else its record gets.
func (v *visit) start(ctx context.Context, change func(*session.Record)) error {
	if !v.waitsForRoom() {
		return v.startNow(ctx, change)
	}
	err := v.store.Update(v.item.Ref, func(r *session.Record) error {
		change(r)
		v.describe(r)
		r.Fed, r.NoHandler = false, false
		if r.State != session.StateQueued {
			r.SetState(session.StateNone, v.now())
		}
		return nil
	})
	if err == nil {
		v.standInLine()
	}
	return err
}

// startNow arms and submits the item's spawn, unless the item has ended.
func (v *visit) startNow(ctx context.Context, change func(*session.Record)) error {
	if may, err := v.mayStart(ctx); !may {
		return err
	}
	err := v.store.Update(v.item.Ref, func(r *session.Record) error {
		change(r)
		v.describe(r)
		r.SetState(session.StateNone, v.now())
		r.Fed = false
		v.arm(r)
		return nil
	})
	if err != nil {
		return err
	}
	return v.submitSpawn()
}

// adoptedBy finds the comment with which an authorized user asks for the item.
func (v *visit) adoptedBy(ctx context.Context, comments []Comment) (*Comment, error) {
	for i, comment := range comments {
		if !adopts(comment) || !audible(comment) {
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

// describe copies into the record what its readers want to know of the item.
func (v *visit) describe(r *session.Record) {
	r.Kind, r.Owner, r.Repo = string(v.item.Kind), v.item.Owner, v.item.Repo
	r.Title, r.URL, r.Author = clip(v.item.Title, maxTitle), v.item.URL, v.item.Author
}

// maxTitle is how much of a title a record keeps, in bytes: it is written each
// time that the item changes, and only people read it there.
const maxTitle = 1000

// clip cuts text to that many bytes, between two characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const more = "…"
	cut := limit - len(more)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + more
}

// readToTheEnd notes that the comments were read, and that they are to be read
// once more when the item had changed.
func (v *visit) readToTheEnd(r *session.Record) {
	r.Settle = !v.item.UpdatedAt.Equal(r.ReadTo)
	r.ReadTo = v.item.UpdatedAt
	r.Recovered = false
}

func (v *visit) tellUnauthorized() {
	v.log.Info("item left alone: no authorized user has asked for it", "ref", v.item.Ref, "author", v.item.Author)
	v.events.Write(eventlog.Unauthorized(v.item.Ref, v.item.Author))
}

func (v *visit) tellAdoption(by *Comment) {
	if by != nil {
		v.log.Info("item adopted", "ref", v.item.Ref, "by", by.Author)
		v.events.Write(eventlog.Adopted(v.item.Ref, by.Author, by.ID))
	}
}
