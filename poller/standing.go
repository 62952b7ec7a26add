package poller

import (
	"time"

	"the-loop/internal/session"
)

// Standing is what waits at one moment for a handler, for a slot or for a person.
type Standing struct {
	session.Workload

	// Held counts the deliveries that were put off without an attempt being
	// spent: their handler exited 75, or could not be started. HeldRef is the
	// item of the one that was put off first, at HeldSince.
	Held      int
	HeldRef   string
	HeldSince time.Time

	// GaveUp counts the deliveries that were given up and not armed again.
	// GaveUpRef is the item of the first of them, given up at GaveUpAt.
	GaveUp    int
	GaveUpRef string
	GaveUpAt  time.Time
}

// Standing looks through the records. It may be called beside a cycle and after
// the last one, when handlers have ended that the last cycle started.
func (p *Poller) Standing() Standing {
	s := Standing{Workload: p.dispatch.Workload()}
	for rec := range p.store.All() {
		for _, pending := range rec.Pending {
			s.held(rec.Ref, pending.HeldSince)
		}
		for _, g := range rec.GaveUp {
			s.gaveUp(rec.Ref, g.At)
		}
	}
	return s
}

func (s *Standing) held(ref string, since time.Time) {
	if since.IsZero() {
		return
	}
	s.Held++
	if s.Held == 1 || since.Before(s.HeldSince) {
		s.HeldRef, s.HeldSince = ref, since
	}
}

func (s *Standing) gaveUp(ref string, at time.Time) {
	s.GaveUp++
	if s.GaveUp == 1 || at.Before(s.GaveUpAt) {
		s.GaveUpRef, s.GaveUpAt = ref, at
	}
}
