package poller

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// alive remembers when each session was last asked whether it lives. It is kept in
// memory: a new process asks all of them in its first cycle, so the daemon notices a
// reboot early.
type alive struct {
	mu     sync.Mutex
	asked  map[string]time.Time // time of the last question to each live session, by ref
	silent bool                 // the log has reported a handler without an answer
	lost   int                  // sessions lost since this process started
	last   string               // ref of the last one
}

// askAlive asks every live session that is due.
func (c *cycle) askAlive() {
	r := c.routing.Load()
	if len(r.Alive) == 0 || len(r.Spawn) == 0 {
		c.alive.keep(nil)
		return
	}
	live := map[string]bool{}
	for rec := range c.store.Live() {
		if rec.State != session.StateActive || rec.Gone != "" || rec.Recovered {
			continue
		}
		live[rec.Ref] = true
		if c.alive.due(rec.Ref, r.AliveEvery) {
			ref := rec.Ref
			c.dispatch.Ask(rec.Target(), r.Alive, func(a dispatch.Answer, reason string) { c.Poller.answered(ref, a, reason) })
		}
	}
	c.alive.keep(live)
}

// due reports whether to ask the session now, and notes the time if so.
func (s *alive) due(ref string, every time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, known := s.asked[ref]; known && time.Since(at) < every {
		return false
	}
	if s.asked == nil {
		s.asked = map[string]time.Time{}
	}
	s.asked[ref] = time.Now()
	return true
}

// again makes the session due in the next cycle.
func (s *alive) again(ref string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, ref)
}

// keep forgets every session that is not in live.
func (s *alive) keep(live map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.asked, func(ref string, _ time.Time) bool { return !live[ref] })
}

// answered handles the answer for a session. It may run concurrently with a cycle.
func (p *Poller) answered(ref string, a dispatch.Answer, reason string) {
	if a == dispatch.Busy {
		p.alive.again(ref)
		return
	}
	if p.alive.newlySilent(a) {
		p.log.Warn("alive handler does not say whether the session lives", "ref", ref, "error", reason)
	}
	rec, _, err := p.store.Get(ref)
	if err != nil || a == dispatch.Unknown || a == dispatch.Lives && !rec.GoneOnce {
		return
	}
	lost := false
	err = p.store.Update(ref, func(r *session.Record) error {
		lost = false
		switch {
		case r.State != session.StateActive:
		case a == dispatch.Lives:
			r.GoneOnce = false
		case !r.GoneOnce:
			r.GoneOnce = true
		default:
			lost = true
			p.lose(r)
		}
		rec = *r
		return nil
	})
	if err != nil {
		p.log.Error("answer of the alive handler could not be written, tried again next cycle", "ref", ref, "error", err)
		p.unwritten.Add(1)
		p.noteUnwritten(err)
		p.alive.again(ref)
	}
	if lost {
		p.tellLost(&rec)
	}
}

// newlySilent reports whether this is the first missing answer after a usable one.
func (s *alive) newlySilent(a dispatch.Answer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.silent
	s.silent = a == dispatch.Unknown
	return s.silent && !before
}

// lose arms the spawn that replaces a lost session, or gives up after the third loss.
func (p *Poller) lose(r *session.Record) {
	if r.Lose(p.now()) {
		r.SetState(session.StateNone, p.now())
		addPending(r, session.EventSpawn, "", "")
		return
	}
	r.SetState(session.StateGaveUp, p.now())
	r.GaveUp = append(r.GaveUp, session.GaveUp{
		DeliveryID: r.DeliveryID(session.EventSpawn, ""), Event: session.EventSpawn, Program: p.program, At: p.now(), Error: lossText,
	})
}

const lossText = "the session was lost 3 times within 24 hours"

func (p *Poller) tellLost(rec *session.Record) {
	p.alive.mu.Lock()
	p.alive.lost++
	p.alive.last = rec.Ref
	p.alive.mu.Unlock()
	gaveUp := rec.State == session.StateGaveUp
	p.log.Warn("session lost", "ref", rec.Ref, "session", rec.Session, "losses", len(rec.Losses), "starts_again", !gaveUp)
	p.events.Write(eventlog.SessionLost(rec.Ref, rec.Session, len(rec.Losses), !gaveUp))
	if !gaveUp {
		return
	}
	reason := fmt.Sprintf("given up: %s; 'the-loop sessions show %s' has its log, 'the-loop sessions retry %s' tries it again",
		lossText, rec.Ref, rec.Ref)
	p.tellGaveUp(rec.Ref, dispatch.Delivery{
		ID: rec.DeliveryID(session.EventSpawn, ""), Event: session.EventSpawn, Target: rec.Target(), Attempt: 1,
	}, reason)
}

// Lost returns the number of sessions lost since the start and the ref of the last.
func (p *Poller) Lost() (count int, last string) {
	p.alive.mu.Lock()
	defer p.alive.mu.Unlock()
	return p.alive.lost, p.alive.last
}
