package github

import (
	"math"
	"sync"
)

// cost is a number of calls and their points of a quota. Some calls cost several
// points.
type cost struct{ calls, points float64 }

func (c cost) plus(o cost) cost { return cost{c.calls + o.calls, c.points + o.points} }

func (c cost) times(f float64) cost { return cost{c.calls * f, c.points * f} }

// meter measures the cost of a cycle for each host. It counts over whole cycles and
// outlives a reload. It is safe for concurrent use.
type meter struct {
	mu    sync.Mutex
	hosts map[string]*consumption
}

// consumption counts the calls to one host. Listings, which follow from the
// configuration, are counted separately.
type consumption struct {
	planned int // listing calls of a cycle according to the configuration

	// Since the last whole cycle.
	listings cost
	others   map[string]cost // by resource of the quota
	last     cost            // GraphQL cost of the last whole cycle

	// The whole cycles since cycles were last averaged.
	cycles      int
	allListings cost
	allOthers   map[string]cost

	// The average of the whole cycles before.
	known        bool
	eachListings cost
	eachOthers   map[string]cost
}

// of returns the host's consumption. The caller holds the lock.
func (m *meter) of(host string) *consumption {
	if m.hosts == nil {
		m.hosts = map[string]*consumption{}
	}
	c := m.hosts[host]
	if c == nil {
		c = &consumption{others: map[string]cost{}, allOthers: map[string]cost{}, eachOthers: map[string]cost{}}
		m.hosts[host] = c
	}
	return c
}

// listed counts calls of a walk. They all use the GraphQL quota.
func (m *meter) listed(host string, calls, points int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(host)
	c.listings = c.listings.plus(cost{float64(calls), float64(points)})
}

// talked counts calls about items and accounts.
func (m *meter) talked(host, resource string, calls, points int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(host)
	c.others[resource] = c.others[resource].plus(cost{float64(calls), float64(points)})
}

// cycleDone ends a cycle. For a host that was left alone it was not a whole cycle and
// does not count.
func (m *meter) cycleDone(leftAlone func(host string) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for host, c := range m.hosts {
		if leftAlone(host) {
			c.listings = cost{}
			clear(c.others)
			continue
		}
		c.cycles++
		c.last = c.listings.plus(c.others[graphQL])
		c.allListings = c.allListings.plus(c.listings)
		c.listings = cost{}
		for resource, spent := range c.others {
			c.allOthers[resource] = c.allOthers[resource].plus(spent)
		}
		clear(c.others)
	}
}

// lastCycle returns the GraphQL cost of the last whole cycle, and whether a cycle has
// been measured since the configuration was read.
func (m *meter) lastCycle(host string) (last cost, measured bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(host)
	return c.last, c.known || c.cycles > 0
}

// average updates the average cost with the whole cycles since the last call. Without
// any it keeps the earlier average.
func (c *consumption) average() {
	if c.cycles == 0 {
		return
	}
	each := 1 / float64(c.cycles)
	c.known, c.eachListings = true, c.allListings.times(each)
	clear(c.eachOthers)
	for resource, spent := range c.allOthers {
		c.eachOthers[resource] = spent.times(each)
	}
	c.cycles, c.allListings = 0, cost{}
	clear(c.allOthers)
}

// plan sets the number of listing calls that a cycle makes to each host from now on,
// and scales the measured cost of listings to it.
func (m *meter) plan(listings map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for host := range listings {
		m.of(host)
	}
	for host, c := range m.hosts {
		c.average()
		c.last = cost{}
		before := c.planned
		c.planned = listings[host]
		switch {
		case before > 0:
			c.eachListings = c.eachListings.times(float64(c.planned) / float64(before))
		default:
			c.known = false
		}
	}
}

// perCycle returns the cost of a cycle for the host, by resource of its quota: the
// measured cost or, before the first whole cycle, the least that the configuration
// needs.
func (m *meter) perCycle(host string) map[string]cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(host)
	c.average()
	listings := c.eachListings
	if !c.known {
		listings = cost{float64(c.planned), float64(c.planned)}
	}
	all := map[string]cost{graphQL: listings}
	for resource, spent := range c.eachOthers {
		all[resource] = all[resource].plus(spent)
	}
	for resource, spent := range all {
		// Sums of fractions can end slightly above the whole number.
		all[resource] = cost{math.Ceil(spent.calls - 1e-6), math.Ceil(spent.points - 1e-6)}
	}
	return all
}
