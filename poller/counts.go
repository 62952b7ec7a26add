package poller

import (
	"maps"
	"sync"

	"the-loop/internal/session"
)

// Counts are figures for a monitoring system. Nothing in the program decides by
// them.
type Counts struct {
	// Deliveries counts runs of handlers by outcome since the start, and under
	// "gave-up" the deliveries that were given up.
	Deliveries map[string]int
	// Sessions counts the sessions by state at the end of the last cycle; ended
	// ones are not counted.
	Sessions map[string]int
}

// gaveUpCount is the key of deliveries that were given up.
const gaveUpCount = "gave-up"

// tally holds the counts. Handlers end beside cycles.
type tally struct {
	mu         sync.Mutex
	deliveries map[string]int
	sessions   map[string]int
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

// countSessions takes stock of the sessions that have not ended.
func (c *cycle) countSessions() {
	counted := map[string]int{}
	for rec := range c.store.All() {
		if rec.State != session.StateClosed {
			counted[string(rec.State)]++
		}
	}
	c.tally.states(counted)
}
