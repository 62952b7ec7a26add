package poller

import (
	"context"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// This file ends sessions before their items end, where the configuration says so.

// expire ends sessions that have reached the maximum age.
func (c *cycle) expire() {
	limit := c.routing.Load().MaxSession
	if limit <= 0 {
		return
	}
	for rec := range c.store.Live() {
		if c.now().Sub(startOf(rec)) < limit || rec.State == session.StateNone {
			continue // a pending start is no session yet
		}
		if err := c.endEarly(rec, session.ClosureExpired, session.ByAge); err != nil {
			c.itemError(rec.Ref, err)
		}
	}
}

// startOf returns the start of a session. A record of an older version holds only the
// time of its last change of state.
func startOf(rec session.Record) time.Time {
	if rec.StartedAt.IsZero() {
		return rec.SinceAt
	}
	return rec.StartedAt
}

// endUnlabelled ends the session of an item that lacks the label of the first source
// that watches it. Another source prevents that if it keeps such sessions or finds
// its own label on the item.
func (c *cycle) endUnlabelled(ctx context.Context, rec session.Record) (ended bool, err error) {
	first := true
	for _, src := range c.sources {
		_, watched := src.Provider.Watches(rec.Ref, rec.Kind)
		switch {
		case !watched:
			continue
		case !src.CloseUnlabelled:
			return false, nil
		case !first:
			answer, err := src.Provider.Ended(ctx, rec.Ref)
			if err != nil || answer.Ending != StillOpen || !answer.Unlabelled {
				return false, err
			}
		}
		first = false
	}
	c.questions.forget(rec.Ref)
	return true, c.endEarly(rec, session.ClosureUnlabelled, "")
}

func (c *cycle) endEarly(rec session.Record, closure, by string) error {
	err := c.store.Update(rec.Ref, func(r *session.Record) error {
		c.end(r, closure, request{by: by})
		return nil
	})
	if err != nil {
		return err
	}
	c.sum.Closures++
	c.log.Info("session ends before its item", "ref", rec.Ref, "session", rec.Session, "reason", closure)
	c.events.Write(eventlog.ClosureDetected(rec.Ref, rec.Session, closure))
	return c.submitClose(rec.Ref)
}
