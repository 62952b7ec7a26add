//go:build unix

package endurance_test

import (
	"fmt"
	"strconv"

	"the-loop/internal/endurance"
	"the-loop/internal/session"
)

// ledger checks the handlers' journal against the promises, entry by entry.
type ledger struct {
	people   *people
	journal  *endurance.Journal
	sessions map[string]*live
	known    map[string]*delivery
	clean    map[string]bool // rounds that ended with a stop, without a kill
	faults   []string

	newest           int // the latest life of the daemon that has started a handler
	entries, repeats int
	// unstarted counts closes of sessions without a successful start in the journal.
	unstarted int
}

// live is a session as its handlers see it.
type live struct {
	on         bool // spawned and not closed
	generation int  // of the last successful spawn or close, -1 before
	// last is the latest successful delivery for each item; position is the place of
	// the last comment in the thread of each item.
	last     map[string]string
	position map[string]int
	// running is the delivery whose handler runs, round the life of its daemon.
	running, round string
}

// delivery holds all runs for one delivery id.
type delivery struct {
	generation int
	comment    string
	runs       int
	failed     int
	// delivered lists the rounds in which a handler exited with 0.
	delivered []string
}

func newLedger(p *people) *ledger {
	return &ledger{
		people: p, journal: endurance.NewJournal(p.stage.world),
		sessions: map[string]*live{}, known: map[string]*delivery{}, clean: map[string]bool{},
	}
}

func (l *ledger) fault(e endurance.Entry, format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf("%s\n\t%+v", fmt.Sprintf(format, args...), e))
}

// read processes new entries and returns how many runs have begun and ended.
func (l *ledger) read() (begun, ended int) {
	entries, err := l.journal.Read()
	l.people.stage.check(err)
	for _, e := range entries {
		l.entries++
		s := l.sessions[e.Session]
		if s == nil {
			s = &live{generation: -1, last: map[string]string{}, position: map[string]int{}}
			l.sessions[e.Session] = s
		}
		d := l.delivery(e)
		switch {
		case d == nil:
			l.fault(e, "a delivery of nothing that there was")
		case e.Ended:
			ended++
			l.end(s, d, e)
		default:
			begun++
			l.begin(s, d, e)
		}
	}
	return begun, ended
}

// delivery returns the delivery behind an id. The ids are computed, so each belongs to
// one session of an item: the first, the second, ….
func (l *ledger) delivery(e endurance.Entry) *delivery {
	if d := l.known[e.Delivery]; d != nil {
		return d
	}
	for generation := range l.people.reopened[e.Session] + 1 {
		rec := session.Record{Ref: e.Session, Generation: generation}
		if rec.DeliveryID(session.Event(e.Event), e.Comment) == e.Delivery {
			d := &delivery{generation: generation, comment: e.Comment}
			l.known[e.Delivery] = d
			return d
		}
	}
	return nil
}

// begin checks the start of a handler.
func (l *ledger) begin(s *live, d *delivery, e endurance.Entry) {
	d.runs++
	life, err := strconv.Atoi(e.Round)
	l.people.stage.check(err)
	if life < l.newest {
		return // it outlived its daemon and began late; a later one went on without it
	}
	l.newest = life
	if s.running != "" && s.round == e.Round {
		l.fault(e, "two handlers of one session run at once, the other one for %s", s.running)
	}
	s.running, s.round = e.Delivery, e.Round
	if e.Attempt < 1 || e.Attempt > d.failed+1 {
		l.fault(e, "attempt %d, although %d have failed", e.Attempt, d.failed)
	}
	if len(d.delivered) > 0 {
		l.repeated(s, d, e)
		return
	}
	switch session.Event(e.Event) {
	case session.EventSpawn:
		if s.on || d.generation <= s.generation {
			l.fault(e, "a second session: number %d is there (live: %t), and %d is started", s.generation, s.on, d.generation)
		}
	case session.EventComment:
		if !s.on || d.generation != s.generation {
			l.fault(e, "a comment to session %d, but the last one is %d (live: %t)", d.generation, s.generation, s.on)
		}
		l.comment(d, e)
	case session.EventClose:
		if d.generation < s.generation || d.generation == s.generation && !s.on {
			l.fault(e, "a close of session %d, but the last one is %d (live: %t)", d.generation, s.generation, s.on)
		}
	}
}

// repeated checks a run after one that exited with 0. Only a kill in between can have
// kept the daemon from recording the success, and no other delivery for the item can
// have reached the session since.
func (l *ledger) repeated(s *live, d *delivery, e endurance.Entry) {
	l.repeats++
	before := d.delivered[len(d.delivered)-1]
	if before == e.Round {
		l.fault(e, "run again in the same life of the daemon")
	}
	if l.clean[before] {
		l.fault(e, "run again, although round %s ended with a clean stop", before)
	}
	if s.last[e.Item] != e.Delivery {
		l.fault(e, "run again after %s of the same session", s.last[e.Item])
	}
}

// comment checks whether the comment may reach a session at all.
func (l *ledger) comment(d *delivery, e endurance.Entry) {
	c := l.people.comments[e.Comment]
	issue := l.people.feeds[e.Item]
	switch {
	case c == nil || c.item != e.Item:
		l.fault(e, "a comment that nobody wrote there")
	case !c.trusted:
		l.fault(e, "a stranger's comment, or an agent's")
	case issue != "" && e.Session != issue, issue == "" && e.Session != e.Item:
		l.fault(e, "a comment to another item's session")
	case d.runs > 1: // already checked
	case c.position < l.sessions[e.Session].position[e.Item]:
		l.fault(e, "a comment after a later one of the same thread")
	}
}

// end checks the exit of a handler.
func (l *ledger) end(s *live, d *delivery, e endurance.Entry) {
	if s.running == e.Delivery && s.round == e.Round {
		s.running = ""
	}
	switch e.Code {
	case 0:
	case 1:
		d.failed++
		return
	default:
		return
	}
	d.delivered = append(d.delivered, e.Round)
	if len(d.delivered) > 1 {
		return
	}
	s.last[e.Item] = e.Delivery
	switch session.Event(e.Event) {
	case session.EventSpawn:
		if d.generation > s.generation { // else it outlived its daemon, and the session is over
			s.on, s.generation = true, d.generation
		}
	case session.EventComment:
		l.people.delivered[e.Comment] = true
		if c := l.people.comments[e.Comment]; c != nil {
			s.position[e.Item] = max(s.position[e.Item], c.position)
		}
	case session.EventClose:
		if d.generation > s.generation {
			l.unstarted++
		}
		s.on, s.generation = false, d.generation
	}
}
