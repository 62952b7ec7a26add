package poller

import (
	"context"

	"the-loop/internal/session"
)

// followGivenUp handles given-up deliveries of unlisted items. Such a delivery waits
// until its item is listed again, and is forgotten when the item has ended.
func (c *cycle) followGivenUp(ctx context.Context) {
	defer c.contain("given up", func(text string) {
		c.log.Error("items could not be asked about, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	for rec := range c.store.Standing() {
		if c.sum.Interrupted || ctx.Err() != nil {
			return
		}
		if len(rec.GaveUp) == 0 || rec.Over() {
			continue
		}
		if src, absent := c.view.absent(rec, c.sources); absent && src != nil {
			if err := c.absentGivenUp(ctx, src.Provider, rec); err != nil {
				c.itemFailed(ctx, rec.Ref, err)
			}
		}
	}
}

// absentGivenUp marks the item as unlisted and asks whether it has ended. For a live
// session, [cycle.reconcile] asks that.
func (c *cycle) absentGivenUp(ctx context.Context, p Provider, rec session.Record) error {
	err := c.store.Update(rec.Ref, func(r *session.Record) error {
		r.Unlisted = true
		return nil
	})
	if err != nil || rec.Live() || !c.questions.due(rec.Ref) {
		return err
	}
	return c.closeIfEnded(ctx, p, rec.Ref, "item ended, its given-up deliveries are not retried", func(r *session.Record) {
		r.Pending = nil
		forgetGivenUp(r)
	})
}

// closeIfEnded asks whether an item without a live session has ended. If so it logs
// that and closes the record after change.
func (c *cycle) closeIfEnded(ctx context.Context, p Provider, ref, said string, change func(*session.Record)) error {
	answer, err := p.Ended(ctx, ref)
	if err != nil {
		return err
	}
	if answer.Ending == StillOpen || answer.Ending == Gone {
		c.questions.backOff(ref)
		return nil
	}
	c.questions.forget(ref)
	c.log.Info(said, "ref", ref, "item", string(answer.Ending))
	return c.store.Update(ref, func(r *session.Record) error {
		change(r)
		r.SetState(session.StateClosed, c.now())
		return nil
	})
}

// forgetGivenUp drops deliveries that cannot be retried, because the item has ended.
func forgetGivenUp(r *session.Record) {
	r.GaveUp, r.Retry, r.Unlisted = nil, false, false
}
