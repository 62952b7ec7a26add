package poller

import (
	"context"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// Sessions that end before their items do, as the configuration wants it.

// expire ends the sessions that have reached their greatest age.
func (c *cycle) expire() {
	limit := c.routing.Load().MaxSession
	if limit <= 0 {
		return
	}
	for rec := range c.store.Live() {
		if c.now().Sub(startOf(rec)) < limit || rec.State == session.StateNone {
			continue // a start under way is no session yet
		}
		if err := c.endEarly(rec, session.ClosureExpired, session.ByAge); err != nil {
			c.itemError(rec.Ref, err)
		}
	}
}

// startOf is when the session began. A record of an older version says only since
// when it has been in its state.
func startOf(rec session.Record) time.Time {
	if rec.StartedAt.IsZero() {
		return rec.SinceAt
	}
	return rec.StartedAt
}

// endUnlabelled ends the session of an item that said that it lacks the label of
// the first source that watches it, unless another one keeps such sessions or
// the item has its label.
func (c *cycle) endUnlabelled(ctx context.Context, rec session.Record) (ended bool, err error) {
	first := true
	for _, src := range c.sources {
		switch {
		case !watches(src.Provider, rec):
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
