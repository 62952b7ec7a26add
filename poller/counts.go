package poller

import (
	"maps"
	"sync"

	"the-loop/internal/session"
)

// Counts are figures for a monitoring system. No decision depends on them.
type Counts struct {
	// Deliveries counts handler runs since the start by outcome, and, as "gave-up",
	// deliveries that were given up.
	Deliveries map[string]int
	// Sessions counts sessions by state at the end of the last cycle, without ended
	// ones.
	Sessions map[string]int
}

// gaveUpCount is the key for deliveries that were given up.
const gaveUpCount = "gave-up"

// tally holds the counts. Handlers end concurrently with cycles.
type tally struct {
	mu         sync.Mutex
	deliveries map[string]int
	sessions   map[string]int
	givenUp    string // ref of the last delivery that was given up
}

// giveUp counts a delivery that was given up for the item.
func (t *tally) giveUp(ref string) {
	t.delivery(gaveUpCount)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.givenUp = ref
}

// GivenUp returns the number of deliveries given up since the start and the ref of the
// last.
func (p *Poller) GivenUp() (count int, last string) {
	p.tally.mu.Lock()
	defer p.tally.mu.Unlock()
	return p.tally.deliveries[gaveUpCount], p.tally.givenUp
}

func (t *tally) delivery(outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deliveries == nil {
		t.deliveries = map[string]int{}
	}
	t.deliveries[outcome]++
}

func (t *tally) states(counted map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sessions = counted
}

func (t *tally) counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Counts{Deliveries: maps.Clone(t.deliveries), Sessions: maps.Clone(t.sessions)}
}

// countSessions counts the sessions that have not ended.
func (c *cycle) countSessions() {
	counted := map[string]int{}
	for rec := range c.store.All() {
		if rec.State != session.StateClosed {
			counted[string(rec.State)]++
		}
	}
	c.tally.states(counted)
}
