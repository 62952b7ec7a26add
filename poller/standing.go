package poller

import (
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// Standing is everything that waits at one moment for a handler, a slot or a person.
type Standing struct {
	dispatch.Workload
	// Held counts deliveries put off without spending an attempt, because their handler
	// exited 75 or could not be started.
	Held Waiting
	// GaveUp counts given-up deliveries that have not been armed again.
	GaveUp Waiting
	// NoHandler counts items that would have a session if there were a spawn handler.
	NoHandler Waiting
	// Paused counts sessions that keep their comments, Stopped listed items that start
	// nothing until a person asks for it.
	Paused, Stopped Waiting
	// Lost counts lost sessions that are about to start again.
	Lost Waiting
	// Queue counts the items that wait for room.
	Queue Queue
	// Gone holds live sessions whose items are neither open nor closed.
	Gone []GoneItem
	// Failing holds items whose last processing failed, the longest failing first.
	Failing []ItemError
	// Unwritten counts records whose present state is only in memory. UnwrittenError
	// is the reason, "" if unknown.
	Unwritten      int
	UnwrittenError string
	Counts
}

// GoneItem is a deleted or moved item of a live session.
type GoneItem struct {
	Ref  string
	Note string // "deleted" or "moved to OWNER/REPO#N"
}

// Waiting counts all that waits for the same thing.
type Waiting struct {
	Count int
	First string    // ref of the item with the longest wait, "" for none
	Since time.Time // start of the longest wait; zero if unknown
}

// add counts one more, which has waited since the given time.
func (w *Waiting) add(ref string, since time.Time) {
	if w.Count == 0 || since.Before(w.Since) {
		w.First, w.Since = ref, since
	}
	w.Count++
}

// Standing goes through the records that wait for a person. It is safe for use
// concurrent with a cycle, and after the last one, when more handlers have ended.
func (p *Poller) Standing() Standing {
	s := Standing{Workload: p.dispatch.Workload(), Failing: p.failing.list(), Unwritten: p.store.Dirty(), Counts: p.tally.counts()}
	if text := p.unwrittenText.Load(); text != nil && s.Unwritten > 0 {
		s.UnwrittenError = *text
	}
	if q := p.queue.Load(); q != nil {
		s.Queue = *q
	}
	for rec := range p.store.Standing() {
		for _, pending := range rec.Pending {
			if !pending.HeldSince.IsZero() && rec.State != session.StatePaused {
				s.Held.add(rec.Ref, pending.HeldSince)
			}
		}
		for _, g := range rec.GaveUp {
			if p.stands(&rec, g) {
				s.GaveUp.add(rec.Ref, g.At)
			}
		}
		if rec.Gone != "" && rec.Live() {
			s.Gone = append(s.Gone, GoneItem{rec.Ref, rec.Gone})
		}
		switch {
		case rec.State == session.StatePaused:
			s.Paused.add(rec.Ref, rec.SinceAt)
		case rec.State == session.StateStopped && !p.notListed(rec.Ref):
			s.Stopped.add(rec.Ref, rec.SinceAt)
		}
		if rec.Lost() {
			s.Lost.add(rec.Ref, rec.SinceAt)
		}
		if rec.NoHandler {
			s.NoHandler.add(rec.Ref, rec.SinceAt)
		}
	}
	return s
}

// stands reports whether a person can still do something about a given-up delivery.
// For a close that is always so: the agent it should have ended may still run. A start
// or a comment becomes pointless with the end of its session or item.
func (p *Poller) stands(rec *session.Record, g session.GaveUp) bool {
	if g.Event == session.EventClose {
		return true
	}
	if g.SessionRef != "" {
		target, known, err := p.store.Get(g.SessionRef)
		if err == nil && known && !target.Live() {
			return false
		}
	}
	switch rec.State {
	case session.StateActive, session.StatePaused:
		return true
	case session.StateClosing, session.StateClosed, session.StateStopped:
		return false
	}
	return !p.notListed(rec.Ref)
}

// notListed reports whether the last cycle proved that no source lists the item.
func (p *Poller) notListed(ref string) bool {
	absent := p.absent.Load()
	return absent != nil && (*absent)[ref]
}

// noteUnwritten keeps the reason why records are unwritten; nil clears it.
func (p *Poller) noteUnwritten(err error) {
	if err == nil {
		p.unwrittenText.Store(nil)
		return
	}
	text := err.Error()
	p.unwrittenText.Store(&text)
}
