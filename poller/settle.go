package poller

import (
	"fmt"
	"time"

	"the-loop/internal/counted"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// Settle records the result of a delivery and reports whether to retry it. The
// dispatcher calls it on its own goroutines; it is safe for use concurrent with a
// cycle, since it changes records only under their lock.
func (p *Poller) Settle(r dispatch.Result) (again bool) {
	ref := aboutRef(r.Delivery)
	d := described(r.Delivery, r.Delivery.Target.Ref)
	p.tally.delivery(string(r.Outcome))
	var err error
	switch r.Outcome {
	case dispatch.Delivered:
		p.events.Write(eventlog.DispatchSucceeded(d, r.Duration))
		err = p.delivered(ref, r)
	case dispatch.Deferred:
		p.tellDeferred(r, ref, d.Handler)
		p.events.Write(eventlog.DispatchDeferred(d, r.Duration))
		err = p.tried(ref, r, 0)
	case dispatch.Failed:
		p.log.Warn("handler failed", "ref", ref, "event", d.Handler, "attempt", d.Attempt, "error", r.Reason)
		p.events.Write(eventlog.DispatchFailed(d, r.Duration, r.Reason))
		err = p.failed(ref, r)
	case dispatch.Unwanted:
		p.log.Info("delivery dropped", "ref", ref, "event", d.Handler, "reason", r.Reason)
		p.events.Write(eventlog.DispatchAbandoned(d, r.Reason))
	default:
		p.log.Info("delivery put back", "ref", ref, "event", d.Handler, "reason", r.Reason)
		p.events.Write(eventlog.DispatchAbandoned(d, r.Reason))
	}
	if err != nil {
		// The record in memory is right and will be written when that is possible.
		// A restart before that would deliver once more.
		p.log.Error("outcome of a delivery could not be written, tried again next cycle", "ref", ref, "error", err)
		p.events.Write(eventlog.ItemError(ref, err.Error()))
		p.unwritten.Add(1)
		p.noteUnwritten(err)
	}
	if r.Outcome != dispatch.Failed && r.Outcome != dispatch.Deferred {
		return false
	}
	rec, _, err := p.store.Get(ref)
	return err == nil && rec.PendingByID(r.Delivery.ID) != nil
}

// tellDeferred logs why a delivery is retried without spending an attempt.
func (p *Poller) tellDeferred(r dispatch.Result, ref, event string) {
	if r.StartedAt.IsZero() {
		p.log.Warn("handler cannot be started now, tried again next cycle", "ref", ref, "event", event, "error", r.Reason)
		return
	}
	p.log.Info("handler asked to be run again next cycle", "ref", ref, "event", event)
}

// aboutRef is the item whose record holds the delivery.
func aboutRef(d dispatch.Delivery) string {
	if d.Item.Number == 0 {
		return d.Target.Ref
	}
	return d.Item.Item.String()
}

// delivered records that the handler exited 0, or that none is configured.
func (p *Poller) delivered(ref string, r dispatch.Result) error {
	d := r.Delivery
	err := p.store.Update(ref, func(rec *session.Record) error {
		var commentID string
		if pending := rec.PendingByID(d.ID); pending != nil {
			commentID = pending.CommentID
		}
		rec.RemovePending(d.ID)
		rec.LastDeliveryAt = p.now()
		switch d.Event {
		case session.EventSpawn:
			begun(rec, p.now())
		case session.EventComment:
			if commentID == "" && d.Comment != nil {
				commentID = d.Comment.ID
			}
			rec.MarkSeen(commentID)
		case session.EventClose:
			rec.SetState(session.StateAfter(d.Closure.State), p.now())
		}
		return nil
	})
	p.tellDelivered(ref, d)
	if err == nil && ref != d.Target.Ref {
		err = p.store.Update(d.Target.Ref, func(rec *session.Record) error {
			rec.LastDeliveryAt = p.now()
			return nil
		})
	}
	return err
}

// begun records that the spawn was delivered. A session that was paused meanwhile
// stays paused; one that was stopped still gets its close.
func begun(rec *session.Record, now time.Time) {
	switch rec.State {
	case session.StateNone:
		rec.SetState(session.StateActive, now)
	case session.StatePaused:
	default:
		return
	}
	rec.StartedAt = now
}

func (p *Poller) tellDelivered(ref string, d dispatch.Delivery) {
	switch d.Event {
	case session.EventSpawn:
		p.log.Info("session started", "ref", ref, "session", d.Target.Session)
		p.events.Write(eventlog.SessionSpawned(ref, d.Target.Session, d.ID))
	case session.EventComment:
		p.log.Info("comment delivered", "ref", ref, "session", d.Target.Session, "comment", d.Comment.ID)
	case session.EventUpdate:
		p.log.Info("update delivered", "ref", ref, "session", d.Target.Session, "kind", string(d.Update.Kind))
	case session.EventClose:
		p.log.Info("session closed", "ref", ref, "session", d.Target.Session, "item", d.Closure.State)
		p.events.Write(eventlog.SessionClosed(ref, d.Target.Session, d.Closure.State))
	}
}

// tried records a run that must be repeated, and the attempts it cost.
func (p *Poller) tried(ref string, r dispatch.Result, attempts int) error {
	return p.store.Update(ref, func(rec *session.Record) error {
		if pending := rec.PendingByID(r.Delivery.ID); pending != nil {
			pending.Attempts += attempts
			pending.LastError = r.Reason
			pending.LastAttemptAt = r.StartedAt
			switch {
			case r.Outcome != dispatch.Deferred:
				pending.HeldSince = time.Time{}
			case pending.HeldSince.IsZero():
				pending.HeldSince = p.now()
			}
		}
		return nil
	})
}

// failed spends an attempt, and gives up after the last.
func (p *Poller) failed(ref string, r dispatch.Result) error {
	if r.Delivery.Attempt < p.maxRetries() {
		return p.tried(ref, r, 1)
	}
	d := r.Delivery
	reason := fmt.Sprintf("given up after %s: %s; 'the-loop sessions retry %s' tries it again",
		counted.Of(d.Attempt, "attempt", "attempts"), r.Reason, ref)
	over := false
	err := p.store.Update(ref, func(rec *session.Record) error {
		if over = rec.Over() && d.Event != session.EventClose; over {
			return nil // the session ended while its handler ran
		}
		g := session.GaveUp{
			DeliveryID: d.ID, Event: d.Event, Program: p.program, At: p.now(), Error: r.Reason,
		}
		if pending := rec.PendingByID(d.ID); pending != nil {
			g.CommentID, g.SessionRef, g.Closure = pending.CommentID, pending.SessionRef, pending.Closure
			g.Update = pending.Update
		}
		rec.RemovePending(d.ID)
		rec.GaveUp = append(rec.GaveUp, g)
		switch d.Event {
		case session.EventSpawn:
			rec.SetState(session.StateGaveUp, p.now())
		case session.EventClose:
			rec.SetState(session.StateAfter(d.Closure.State), p.now())
		}
		return nil
	})
	if over {
		return err
	}
	p.tellGaveUp(ref, d, reason)
	return err
}

func (p *Poller) tellGaveUp(ref string, d dispatch.Delivery, reason string) {
	p.gaveUp.Add(1)
	p.tally.giveUp(ref)
	p.log.Error("delivery given up", "ref", ref, "event", string(d.Event), "error", reason)
	about := described(d, ref)
	switch d.Event {
	case session.EventSpawn:
		p.events.Write(eventlog.SpawnFailed(about, reason))
	case session.EventComment:
		p.events.Write(eventlog.CommentFailed(about, d.Comment.ID, reason))
	case session.EventUpdate:
		p.events.Write(eventlog.UpdateFailed(about, string(d.Update.Kind), reason))
	case session.EventClose:
		p.events.Write(eventlog.CloseFailed(about, reason))
		p.log.Info("session closed", "ref", ref, "session", d.Target.Session, "item", d.Closure.State)
		p.events.Write(eventlog.SessionClosed(ref, d.Target.Session, d.Closure.State))
	}
}
