package poller

import (
	"context"
	"slices"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// This file reads the comments of a known item that has no live session. They can
// start one.

// readWithoutSession makes all comments the baseline, except those whose deliveries
// are in flight. One of them may adopt the item, or arm a start.
func (v *visit) readWithoutSession(ctx context.Context, comments []Comment, inFlight map[string]bool, requests []request) error {
	fresh := v.fresh(comments, inFlight)
	adopted, err := v.adoptedBy(ctx, fresh)
	if err != nil {
		return err
	}
	rearmed, err := v.rearmedBy(ctx, fresh)
	if err != nil {
		return err
	}
	baseline := v.baseline(comments, inFlight)
	decision := whetherToStart(requests)
	switch {
	case decision != nil && decision.command == cmdStop:
		err := v.carryOut(v.item.Ref, *decision, func(r *session.Record) { v.describe(r); baseline(r) })
		v.tellCommands(v.item.Ref, requests)
		return err
	case v.rec.State == session.StateStopped && (decision != nil || v.rec.Restart):
		return v.restart(ctx, decision, requests, baseline)
	case v.rec.State == session.StateNone && adopted != nil:
		return v.startAdopted(ctx, adopted, requests, baseline)
	case rearmed != nil:
		return v.startRearmed(ctx, rearmed, requests, baseline)
	}
	err = v.store.Update(v.item.Ref, func(r *session.Record) error {
		v.describe(r)
		baseline(r)
		return nil
	})
	if err != nil {
		return err
	}
	v.tellCommands(v.item.Ref, requests)
	if v.rec, v.known, err = v.store.Get(v.item.Ref); err != nil {
		return err
	}
	return v.startIfAuthorized(ctx)
}

// baseline returns the change that makes all comments known, except those whose
// deliveries are in flight.
func (v *visit) baseline(comments []Comment, inFlight map[string]bool) func(*session.Record) {
	return func(r *session.Record) {
		for _, comment := range comments {
			if !inFlight[comment.ID] {
				r.MarkSeen(comment.ID)
			}
		}
		r.Pending = slices.DeleteFunc(r.Pending, func(p session.Pending) bool { return !inFlight[p.CommentID] })
		v.readToTheEnd(r)
	}
}

// startAdopted starts a stranger's item that an authorized user has adopted.
func (v *visit) startAdopted(ctx context.Context, adopted *Comment, requests []request, baseline func(*session.Record)) error {
	if may, err := v.mayStart(ctx); !may {
		return err
	}
	err := v.start(ctx, func(r *session.Record) { baseline(r); r.AdoptedBy = adopted.Author })
	v.tellCommands(v.item.Ref, requests)
	v.tellAdoption(adopted)
	return err
}

// startRearmed tries a start once more because of an authorized user's comment.
func (v *visit) startRearmed(ctx context.Context, by *Comment, requests []request, baseline func(*session.Record)) error {
	v.open = v.open || v.rec.State == session.StateGaveUp // asked before its first spawn
	if may, err := v.mayStart(ctx); !may {
		return err
	}
	v.tellCommands(v.item.Ref, requests)
	v.tellRearmed(&v.rec, session.EventSpawn, "a comment by "+by.Author)
	return v.start(ctx, func(r *session.Record) { baseline(r); dropGaveUp(r, session.EventSpawn, "") })
}

// restart starts a stopped item. The request came in a comment or, with a nil
// decision, from the command line.
func (v *visit) restart(ctx context.Context, decision *request, requests []request, baseline func(*session.Record)) error {
	if may, err := v.mayStart(ctx); !may {
		return err
	}
	by := ""
	if decision != nil {
		by = decision.by
	}
	v.tellCommands(v.item.Ref, requests)
	change := func(r *session.Record) { baseline(r); startAgain(r, by) }
	if by != "" || v.rec.AdoptedBy != "" {
		return v.start(ctx, change)
	}
	allowed, err := v.auth.allowsByNow(ctx, v.src, v.item.Host, v.item.Author)
	switch {
	case err != nil:
		return err
	case allowed:
		return v.start(ctx, change)
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error { // it waits to be adopted
		change(r)
		v.describe(r)
		r.SetState(session.StateNone, v.now())
		return nil
	})
}

// rearmedBy finds the new comment of an authorized user that arms a start: a given-up
// one, or the first one of a pull request whose issue's session has ended. Otherwise
// no session would hear that comment.
func (v *visit) rearmedBy(ctx context.Context, fresh []Comment) (*Comment, error) {
	if v.rec.State != session.StateGaveUp && !(v.rec.State == session.StateNone && v.rec.Fed) {
		return nil, nil
	}
	return v.firstAllowed(ctx, fresh, func(c Comment) bool {
		cmd := commandOf(c)
		return cmd == "" || cmd == cmdStart || cmd == cmdRestart
	})
}

// tellRearmed reports that a given-up delivery is tried again.
func (p *Poller) tellRearmed(r *session.Record, event session.Event, reason string) {
	p.log.Info("given-up delivery is tried again", "ref", r.Ref, "event", string(event), "reason", reason)
	p.events.Write(eventlog.Rearmed(r.Ref, r.Session, string(event), reason))
}
