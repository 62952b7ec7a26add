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
	answer, err := p.Ended(ctx, rec.Ref)
	if err != nil {
		return err
	}
	if answer.Ending == StillOpen || answer.Ending == Gone {
		c.questions.backOff(rec.Ref)
		return nil
	}
	c.questions.forget(rec.Ref)
	c.log.Info("item ended, what was given up for it is not tried again", "ref", rec.Ref, "item", string(answer.Ending))
	return c.store.Update(rec.Ref, func(r *session.Record) error {
		r.SetState(session.StateClosed, c.now())
		r.Pending = nil
		forgetGivenUp(r)
		return nil
	})
}

// forgetGivenUp drops deliveries that cannot be retried, because the item has ended.
func forgetGivenUp(r *session.Record) {
	r.GaveUp, r.Retry, r.Unlisted = nil, false, false
}
