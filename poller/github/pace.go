package github

import (
	"context"
	"time"

	"the-loop/gh"
)

const (
	// askQuotaEvery is how often a host is asked what is left of its quota,
	// which costs nothing of it.
	askQuotaEvery = 5 * time.Minute
	// maxPace is the longest wait between two cycles that a quota can make.
	maxPace = 15 * time.Minute
	// reserve is the part of what remains, one in so many, that is left to
	// whatever else uses the login.
	reserve = 10
)

// Pace is a wait between cycles that is longer than the configured one, so
// that a host's quota lasts until it is renewed.
type Pace struct {
	Host      string
	Interval  time.Duration // from one cycle's end to the next one's start
	Remaining int           // of the quota when the host was asked
	ResetAt   time.Time
	Calls     int // that a cycle makes of the host
}

// Pacer works out how fast the cycles of all sources may follow each other.
// GitHub gives a login some 5,000 points an hour, and each call that lists or
// reads costs at least one. It belongs to the goroutine that runs the cycles.
type Pacer struct {
	hosts    *Hosts
	order    []string
	clients  map[string]rateLimiter
	expected map[string]int // listing calls of a cycle, by host
	asked    time.Time
	cycles   int // since then
	pace     *Pace
}

// NewPacer returns a pacer for the hosts of the sources, which share h.
func NewPacer(h *Hosts, sources []*Provider) *Pacer {
	p := &Pacer{hosts: h, clients: map[string]rateLimiter{}, expected: map[string]int{}}
	for _, s := range sources {
		for _, r := range s.repos {
			if p.clients[r.Host] == nil {
				p.clients[r.Host] = s.Client
				p.order = append(p.order, r.Host)
			}
			for _, asks := range []bool{s.Issues, s.PullRequests} {
				if asks {
					p.expected[r.Host]++
				}
			}
		}
	}
	return p
}

// Next is the pace that holds now, nil for the configured interval. It asks
// the hosts when it is time to; a host that does not answer is not paced.
// took is how long the last cycle lasted, 0 before the first one.
func (p *Pacer) Next(ctx context.Context, interval, took time.Duration) *Pace {
	now := time.Now()
	if !p.asked.IsZero() {
		p.cycles++
		if now.Sub(p.asked) < askQuotaEvery {
			return p.pace
		}
	}
	p.pace = nil
	made := p.hosts.takeCalls()
	for _, host := range p.order {
		if _, limited := p.hosts.limited(host); limited {
			continue // it is left alone anyway, and the others need not wait for it
		}
		limits, err := p.clients[host].RateLimit(ctx, host)
		if err != nil {
			continue
		}
		calls := perCycle(made[host], p.cycles)
		calls[graphQL] = max(calls[graphQL], p.expected[host])
		for _, resource := range []string{graphQL, rest} {
			pace := paceFor(limits[resource], calls[resource], now, took)
			if pace.Interval > interval && (p.pace == nil || pace.Interval > p.pace.Interval) {
				pace.Host = host
				p.pace = &pace
			}
		}
	}
	p.asked, p.cycles = now, 0
	return p.pace
}

// perCycle spreads calls, by resource, over the cycles that made them.
func perCycle(made map[string]int, cycles int) map[string]int {
	calls := map[string]int{}
	for resource, n := range made {
		calls[resource] = (n + max(cycles, 1) - 1) / max(cycles, 1)
	}
	return calls
}

// paceFor is the wait at which so many calls a cycle leave the reserve of what
// remains until the quota is renewed. A quota that is unknown, or whose window
// is over, asks for none; neither does one that is used up: whoever meets that
// leaves the host alone until it is renewed.
func paceFor(q gh.Quota, calls int, now time.Time, took time.Duration) Pace {
	left := min(q.Reset.Sub(now), maxWait)
	if calls == 0 || q.Remaining == 0 || left <= 0 {
		return Pace{}
	}
	pace := Pace{Remaining: q.Remaining, ResetAt: q.Reset, Calls: calls, Interval: maxPace}
	if usable := q.Remaining - q.Remaining/reserve; usable > 0 {
		period := time.Duration(float64(left) * float64(calls) / float64(usable))
		pace.Interval = min((period - took).Round(time.Second), maxPace)
	}
	return pace
}
