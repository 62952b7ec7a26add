package github

import (
	"math"
	"sync"
)

// cost is what calls took: their number, and the points of a quota. Some calls
// cost several points.
type cost struct{ calls, points float64 }

func (c cost) plus(o cost) cost { return cost{c.calls + o.calls, c.points + o.points} }

func (c cost) times(f float64) cost { return cost{c.calls * f, c.points * f} }

// meter measures what a cycle costs each host. It counts over whole cycles and
// outlives a reload. It may be used by several goroutines.
type meter struct {
	mu    sync.Mutex
	hosts map[string]*consumption
}

// consumption is what one host was asked. The listings are counted apart: they
// follow from the configuration, and what else was asked does not.
type consumption struct {
	planned int // listing calls of a cycle, by the configuration in force

	// Since the last whole cycle.
	listings cost
	others   map[string]cost // by the part of the quota
	last     cost            // what the last whole cycle took of GraphQL's quota

	// The whole cycles since cycles were last averaged.
	cycles      int
	allListings cost
	allOthers   map[string]cost

	// The average of the whole cycles before.
	known        bool
	eachListings cost
	eachOthers   map[string]cost
}

// of returns the host's consumption. The meter is locked.
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

// listed counts calls of a walk, which all draw on the GraphQL quota.
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

// cycleDone ends a cycle. It was no whole one for a host that was left alone,
// so that cycle is not counted there.
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

// lastCycle is what the last whole cycle took of GraphQL's quota, and whether a
// cycle has been measured since the configuration was read.
func (m *meter) lastCycle(host string) (last cost, measured bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(host)
	return c.last, c.known || c.cycles > 0
}

// average folds the whole cycles since the last call into what one costs. It
// keeps the earlier average when there was none.
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

// plan takes over how many listing calls a cycle makes of each host from now
// on. What the listings cost until now is scaled to that.
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

// perCycle is what a cycle costs the host, by the part of its quota: as
// measured, and before the first whole cycle what the configuration asks for
// at the least.
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
		// Sums of fractions may come out a little above the whole number.
		all[resource] = cost{math.Ceil(spent.calls - 1e-6), math.Ceil(spent.points - 1e-6)}
	}
	return all
}
