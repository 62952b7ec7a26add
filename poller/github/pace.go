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

	// renewed is ResetAt on the monotonic clock, so that a wall clock that jumps
	// neither shortens nor prolongs the wait.
	renewed time.Time
}

// Wait is how long to wait after a cycle that ended then: the interval, but not
// beyond the time at which the quota is renewed.
func (p *Pace) Wait(ended time.Time) time.Duration {
	return max(0, min(p.Interval, p.renewed.Sub(ended)))
}

// Pacer works out how fast the cycles of all sources may follow each other.
// GitHub gives a login some 5,000 points an hour, and each call that lists or
// reads costs at least one. It belongs to the goroutine that runs the cycles.
type Pacer struct {
	hosts   *Hosts
	order   []string
	clients map[string]rateLimiter
	asked   time.Time
	pace    *Pace
	quotas  map[string]gh.Quota
	// expected is what a cycle was taken to cost each host that is surveyed.
	expected map[string]cost
}

// Quotas returns what was left of each host's quota for listings when it was last
// asked, by host. A host that did not answer is absent.
func (p *Pacer) Quotas() map[string]gh.Quota { return p.quotas }

// NewPacer returns a pacer for the hosts of the sources, which share h. What h
// has measured until now holds for them, too.
func NewPacer(h *Hosts, sources []*Provider) *Pacer {
	p := &Pacer{hosts: h, clients: map[string]rateLimiter{}, expected: map[string]cost{}}
	listings := map[string]int{}
	for _, s := range sources {
		for _, r := range s.repos {
			if p.clients[r.Host] == nil {
				p.clients[r.Host] = s.Client
				p.order = append(p.order, r.Host)
			}
			for _, asks := range []bool{s.Issues, s.PullRequests} {
				if asks {
					listings[r.Host]++
				}
			}
		}
	}
	h.meter.plan(listings)
	return p
}

// Next is the pace that holds now, nil for the configured interval. It asks
// the hosts when it is time to; a host that does not answer is not paced.
// took is how long the last cycle lasted, 0 before the first one.
func (p *Pacer) Next(ctx context.Context, interval, took time.Duration) *Pace {
	if !p.due() {
		return p.pace
	}
	p.asked, p.pace, p.quotas = time.Now(), nil, map[string]gh.Quota{}
	for _, host := range p.order {
		if _, limited := p.hosts.limited(host); limited {
			continue // it is left alone anyway, and the others need not wait for it
		}
		limits, err := p.clients[host].RateLimit(ctx, host)
		if err != nil {
			continue
		}
		p.hosts.surveys.noteLimit(host, limits)
		if quota, known := limits[graphQL]; known {
			p.quotas[host] = quota
		}
		spent := p.perCycle(host)
		for _, resource := range []string{graphQL, rest} {
			pace := paceFor(limits[resource], spent[resource], time.Now(), took)
			if pace.Interval > interval && (p.pace == nil || pace.Interval > p.pace.Interval) {
				pace.Host = host
				p.pace = &pace
			}
		}
	}
	return p.pace
}

// perCycle is what a cycle costs a host, by the part of its quota. A host that is
// surveyed is taken to cost what a quiet cycle does until one has been measured,
// and as much as the last cycle did when that was a surprise.
func (p *Pacer) perCycle(host string) map[string]cost {
	spent := p.hosts.meter.perCycle(host)
	quiet, surveyed := p.hosts.surveyor.expects(host)
	if !surveyed {
		delete(p.expected, host)
		return spent
	}
	if last, dear := p.surprised(host); dear {
		spent[graphQL] = last
	} else if _, measured := p.hosts.meter.lastCycle(host); !measured {
		spent = map[string]cost{graphQL: quiet}
	}
	p.expected[host] = spent[graphQL]
	return spent
}

// surprised reports whether the last cycle cost a host that is surveyed twice
// what it was expected to, as a survey that fails makes it.
func (p *Pacer) surprised(host string) (last cost, dear bool) {
	expected, ok := p.expected[host]
	last, _ = p.hosts.meter.lastCycle(host)
	return last, ok && last.points > 0 && last.points >= 2*expected.points
}

// relieved reports whether the last cycle cost the surveyed host that asked for the
// pace half of what it was expected to: what made a cycle dear is over.
func (p *Pacer) relieved() bool {
	if p.pace == nil {
		return false
	}
	expected, ok := p.expected[p.pace.Host]
	last, _ := p.hosts.meter.lastCycle(p.pace.Host)
	return ok && last.points > 0 && 2*last.points <= expected.points
}

// due reports whether the hosts are to be asked: every five minutes, when the
// quota that asked for the pace is renewed, and when a cycle took far more, or far
// less, than was expected.
func (p *Pacer) due() bool {
	for host := range p.expected {
		if _, dear := p.surprised(host); dear {
			return true
		}
	}
	if p.relieved() {
		return true
	}
	return p.asked.IsZero() || time.Since(p.asked) >= askQuotaEvery || p.pace != nil && !time.Now().Before(p.pace.renewed)
}

// paceFor is the wait at which cycles of that cost leave the reserve of what
// remains until the quota is renewed; it is never longer than until then. A
// quota that is unknown, or whose window is over, asks for none; neither does
// one that is used up: a call that meets it has the host left alone until it is
// renewed.
func paceFor(q gh.Quota, spent cost, now time.Time, took time.Duration) Pace {
	left := min(q.Reset.Sub(now), maxWait)
	if spent.points == 0 || q.Remaining == 0 || left <= 0 {
		return Pace{}
	}
	pace := Pace{Remaining: q.Remaining, ResetAt: q.Reset, Calls: int(spent.calls), renewed: now.Add(left)}
	most := min(maxPace, (left + time.Second - 1).Truncate(time.Second))
	pace.Interval = most
	if usable := q.Remaining - q.Remaining/reserve; usable > 0 {
		period := time.Duration(float64(left) * spent.points / float64(usable))
		pace.Interval = min((period - took).Round(time.Second), most)
	}
	return pace
}
