package poller

import "the-loop/internal/session"

// canSpawn reports whether a session can begin: without a spawn handler none
// does, and what would have one waits.
func (p *Poller) canSpawn() bool { return len(p.routing.Load().Spawn) > 0 }

// arm notes in the record that the item's session is to be started or, without
// a spawn handler, that it waits for one.
func (p *Poller) arm(r *session.Record) {
	r.NoHandler = !p.canSpawn()
	if !r.NoHandler {
		addPending(r, session.EventSpawn, "", "")
	}
}

// awaitHandler notes that the item's session waits for a spawn handler, and
// warns of the first such item.
func (v *visit) awaitHandler() error {
	if !v.noHandlerTold {
		v.noHandlerTold = true
		v.log.Warn("no session starts: routing.handlers.spawn is not set; items wait for it", "ref", v.item.Ref)
	}
	return v.markNoHandler(true)
}

// markNoHandler notes whether the item waits for a spawn handler.
func (v *visit) markNoHandler(waits bool) error {
	if rec, _, err := v.store.Get(v.item.Ref); err != nil || rec.NoHandler == waits {
		return err
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.NoHandler = waits
		return nil
	})
}
