package poller

import (
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// Standing is what waits at one moment for a handler, for a slot or for a person.
type Standing struct {
	dispatch.Workload
	// Held are the deliveries that were put off without an attempt being spent:
	// their handler exited 75, or could not be started.
	Held Waiting
	// GaveUp are the deliveries that were given up and not armed again.
	GaveUp Waiting
	// NoHandler are the items that would have a session but for the spawn handler.
	NoHandler Waiting
	// Paused are the sessions that keep their comments, Stopped the listed items
	// that start nothing until a person asks for it.
	Paused, Stopped Waiting
	// Lost are the sessions that are gone and start again.
	Lost Waiting
	// Queue are the items that wait for room.
	Queue Queue
	// Gone are the live sessions whose items are neither open nor closed.
	Gone []GoneItem
	// Failing are the items that could not be processed when they were last
	// tried, the longest failing first.
	Failing []ItemError
	// Unwritten counts the records whose present state is in memory only, and
	// UnwrittenError says why, "" when that is not known.
	Unwritten      int
	UnwrittenError string
	Counts
}

// GoneItem is the item of a live session that was deleted or moved away.
type GoneItem struct {
	Ref  string
	Note string // "deleted" or "moved to OWNER/REPO#N"
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

// stands reports whether a person can still do something about what was given
// up. What the close handler was to end may run on, so that is always so of a
// close; a start or a comment is over with its session, or with its item.
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

// noteUnwritten keeps why records could not be written; nil is that they were.
func (p *Poller) noteUnwritten(err error) {
	if err == nil {
		p.unwrittenText.Store(nil)
		return
	}
	text := err.Error()
	p.unwrittenText.Store(&text)
}
