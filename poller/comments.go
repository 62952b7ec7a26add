package poller

import (
	"context"
	"slices"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// read reads the comments of a known item, delivers the new ones of authorized users
// to its session and makes all others the baseline.
func (v *visit) read(ctx context.Context) error {
	comments, err := v.src.Provider.Comments(ctx, v.item)
	if err != nil {
		return err
	}
	// Ask before reading the record: it then holds every earlier result.
	inFlight := v.inFlight()
	if err := v.load(ctx); err != nil {
		return err
	}
	if v.rec.Recovered {
		return v.takeAsKnown(comments)
	}
	fresh := v.fresh(comments, inFlight)
	requests, err := v.requests(ctx, fresh)
	if err != nil {
		return err
	}
	adopted, err := v.adoptedAway(ctx, fresh)
	if err != nil {
		return err
	}
	if adopted != nil {
		v.target, inFlight = nil, nil // its own session reads all earlier comments
	}
	if v.target == nil {
		return v.readWithoutSession(ctx, comments, inFlight, requests)
	}
	if over, err := v.obey(ctx, comments, requests); err != nil || over {
		return err
	}
	return v.deliver(ctx, comments, requests)
}

// deliver submits the new comments of authorized users to the session and makes all
// others the baseline.
func (v *visit) deliver(ctx context.Context, comments []Comment, requests []request) error {
	due, err := v.dueOf(ctx, comments)
	if err != nil {
		return err
	}
	if err := v.note(comments, due); err != nil {
		return err
	}
	v.tellCommands(v.target.Ref, requests)
	if v.target.Ref == v.item.Ref && v.rec.State == session.StateNone {
		if err := v.submitSpawn(); err != nil {
			return err
		}
	}
	for _, comment := range due {
		if goOn, err := v.submitComment(comment); err != nil || !goOn {
			return err // later ones must wait for this one
		}
	}
	return nil
}

// takeAsKnown makes the present thread the baseline of an item whose record was lost,
// so that nothing is replayed.
func (v *visit) takeAsKnown(comments []Comment) error {
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		v.describe(r)
		for _, comment := range comments {
			r.MarkSeen(comment.ID)
		}
		v.readToTheEnd(r)
		return nil
	})
}

// dueOf selects the comments to deliver, in their order: new ones of authorized users
// and those whose delivery was begun and is not over.
func (v *visit) dueOf(ctx context.Context, comments []Comment) ([]Comment, error) {
	settled := v.rec.SeenSet()
	for _, g := range v.rec.GaveUp {
		settled[g.CommentID] = true
	}
	var due []Comment
	for _, comment := range comments {
		if settled[comment.ID] || !audible(comment) || commandOf(comment) != "" {
			continue
		}
		allowed, err := v.auth.allows(ctx, v.src, v.item.Host, comment.Author)
		if err != nil {
			return nil, err
		}
		if allowed {
			due = append(due, comment)
		}
	}
	return due, nil
}

// lastAttemptRuns reports whether the item's spawn is under way for the last time
// before it is given up.
func (v *visit) lastAttemptRuns() bool {
	spawn := v.rec.PendingByID(v.rec.DeliveryID(session.EventSpawn, ""))
	if spawn == nil || spawn.Attempts+1 < v.maxRetries() {
		return false
	}
	stage := v.dispatch.Stage(spawn.ID)
	return stage == dispatch.Waiting || stage == dispatch.Running
}

// note records, before anything is submitted, which comments are due and that all
// others were read.
func (v *visit) note(comments, due []Comment) error {
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		v.describe(r)
		wanted := map[string]bool{}
		for _, comment := range due {
			wanted[comment.ID] = true
		}
		for _, g := range r.GaveUp {
			wanted[g.CommentID] = true // undelivered, hence unseen
		}
		// A comment that was deleted meanwhile needs no delivery.
		r.Pending = slices.DeleteFunc(r.Pending, func(p session.Pending) bool {
			return p.Event == session.EventComment && !wanted[p.CommentID] && v.dispatch.Stage(p.ID) != dispatch.Running
		})
		for _, comment := range comments {
			if !wanted[comment.ID] {
				r.MarkSeen(comment.ID)
			}
		}
		for _, comment := range due {
			if !r.HasSeen(comment.ID) {
				p := addPending(r, session.EventComment, v.target.DeliveryID(session.EventComment, comment.ID), comment.ID)
				p.SessionRef = v.sessionRef()
			}
		}
		if v.feeds() {
			r.Fed = true
		}
		v.readToTheEnd(r)
		return nil
	})
}

// sessionRef is the ref of the session that hears the item, "" for its own.
func (v *visit) sessionRef() string {
	if v.feeds() {
		return v.target.Ref
	}
	return ""
}

// inFlight returns the ids of comments whose deliveries the dispatcher holds.
func (v *visit) inFlight() map[string]bool {
	ids := map[string]bool{}
	for _, p := range v.rec.Pending {
		if p.Event == session.EventComment && v.onItsWay(p.ID) {
			ids[p.CommentID] = true
		}
	}
	return ids
}

// fresh returns the new comments, without given-up ones. A comment recorded for
// another item's session, which never got it, is new to the item's own session.
func (v *visit) fresh(comments []Comment, inFlight map[string]bool) []Comment {
	old := v.rec.SeenSet()
	for _, g := range v.rec.GaveUp {
		old[g.CommentID] = true
	}
	for _, p := range v.rec.Pending {
		if p.SessionRef == "" {
			old[p.CommentID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(comments), func(c Comment) bool {
		return old[c.ID] || inFlight[c.ID] || !audible(c)
	})
}
