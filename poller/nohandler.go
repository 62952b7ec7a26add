package poller

import "the-loop/internal/session"

// canSpawn reports whether sessions can begin. Without a spawn handler items wait.
func (p *Poller) canSpawn() bool { return len(p.routing.Load().Spawn) > 0 }

// arm records that the item's session must start or, without a spawn handler, that
// the item waits for one.
func (p *Poller) arm(r *session.Record) {
	r.NoHandler = !p.canSpawn()
	if !r.NoHandler {
		addPending(r, session.EventSpawn, "", "")
	}
}

// awaitHandler records that the item waits for a spawn handler, and warns of the first
// such item.
func (v *visit) awaitHandler() error {
	if !v.noHandlerTold {
		v.noHandlerTold = true
		v.log.Warn("no session starts: routing.handlers.spawn is not set; items wait for it", "ref", v.item.Ref)
	}
	return v.markNoHandler(true)
}

// markNoHandler records whether the item waits for a spawn handler.
func (v *visit) markNoHandler(waits bool) error {
	if rec, _, err := v.store.Get(v.item.Ref); err != nil || rec.NoHandler == waits {
		return err
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.NoHandler = waits
		return nil
	})
}
