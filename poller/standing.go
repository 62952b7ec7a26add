package poller

import (
	"time"

	"the-loop/internal/session"
)

// Standing is what waits at one moment for a handler, for a slot or for a person.
type Standing struct {
	session.Workload
	// Held are the deliveries that were put off without an attempt being spent:
	// their handler exited 75, or could not be started.
	Held Waiting
	// GaveUp are the deliveries that were given up and not armed again.
	GaveUp Waiting
	// NoHandler are the items that would have a session but for the spawn handler.
	NoHandler Waiting
}

// Waiting counts what waits for the same thing.
type Waiting struct {
	Count int
	First string    // the ref of the item that has waited the longest, "" for none
	Since time.Time // since when that one has; zero when not known
}

// add counts one more, which has waited since then.
func (w *Waiting) add(ref string, since time.Time) {
	if w.Count == 0 || since.Before(w.Since) {
		w.First, w.Since = ref, since
	}
	w.Count++
}

// Standing looks through the records that wait for a person. It may be called
// beside a cycle and after the last one, when handlers have ended that the last
// cycle started.
func (p *Poller) Standing() Standing {
	s := Standing{Workload: p.dispatch.Workload()}
	for rec := range p.store.Standing() {
		for _, pending := range rec.Pending {
			if !pending.HeldSince.IsZero() {
				s.Held.add(rec.Ref, pending.HeldSince)
			}
		}
		for _, g := range rec.GaveUp {
			s.GaveUp.add(rec.Ref, g.At)
		}
		if rec.NoHandler {
			s.NoHandler.add(rec.Ref, rec.SinceAt)
		}
	}
	return s
}
