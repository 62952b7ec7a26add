package github

import (
	"context"
	"time"

	"the-loop/gh"
)

const (
	// askQuotaEvery is the time between two questions for a host's remaining quota. They
	// cost no points.
	askQuotaEvery = 5 * time.Minute
	// maxPace is the longest wait between two cycles that a quota can cause.
	maxPace = 15 * time.Minute
	// reserve leaves one point in so many of the remaining quota to other users of the
	// login.
	reserve = 10
)

// Pace is a wait between cycles that is longer than configured, so that a host's quota
// lasts until it is renewed.
type Pace struct {
	Host      string
	Interval  time.Duration // from one cycle's end to the next one's start
	Remaining int           // points left when the host was asked
	ResetAt   time.Time
	Calls     int // calls that a cycle makes to the host

	// renewed is ResetAt on the monotonic clock, so that a jump of the wall clock changes
	// nothing.
	renewed time.Time
}

// Wait returns the wait after a cycle that ended at the given time: the interval, but
// not beyond the renewal of the quota.
func (p *Pace) Wait(ended time.Time) time.Duration {
	return max(0, min(p.Interval, p.renewed.Sub(ended)))
}

// Pacer works out how fast cycles may follow each other. GitHub gives a login some
// 5,000 points an hour, and each listing or reading costs at least one. Use a Pacer
// only from the goroutine that runs the cycles.
type Pacer struct {
	hosts   *Hosts
	order   []string
	clients map[string]rateLimiter
	asked   time.Time
	pace    *Pace
	quotas  map[string]gh.Quota
	// expected is the assumed cost of a cycle for each surveyed host.
	expected map[string]cost
}

// Quotas returns the last known quota for listings by host. A host that did not answer
// is absent.
func (p *Pacer) Quotas() map[string]gh.Quota { return p.quotas }

// NewPacer returns a pacer for the hosts of the sources, which share h. It uses the
// costs that h has measured before.
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

// Next returns the present pace, nil for the configured interval. It asks the hosts
// when they are due; a host that does not answer is not paced. took is the duration of
// the last cycle, 0 before the first.
func (p *Pacer) Next(ctx context.Context, interval, took time.Duration) *Pace {
	if !p.due() {
		return p.pace
	}
	p.asked, p.pace, p.quotas = time.Now(), nil, map[string]gh.Quota{}
	for _, host := range p.order {
		if _, limited := p.hosts.limited(host); limited {
			continue // left alone anyway; the other hosts need not wait for it
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

// perCycle returns the cost of a cycle for a host, by resource of its quota. For a
// surveyed host it assumes a quiet cycle until one has been measured, and the last
// cycle's cost if that was a surprise.
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

// surprised reports whether the last cycle cost a surveyed host twice as much as
// expected, which a failing survey causes.
func (p *Pacer) surprised(host string) (last cost, dear bool) {
	expected, ok := p.expected[host]
	last, _ = p.hosts.meter.lastCycle(host)
	return last, ok && last.points > 0 && last.points >= 2*expected.points
}

// relieved reports whether the last cycle cost the surveyed host behind the pace only
// half as much as expected: the cause of the expensive cycle is over.
func (p *Pacer) relieved() bool {
	if p.pace == nil {
		return false
	}
	expected, ok := p.expected[p.pace.Host]
	last, _ := p.hosts.meter.lastCycle(p.pace.Host)
	return ok && last.points > 0 && 2*last.points <= expected.points
}

// due reports whether to ask the hosts: every five minutes, when the quota behind the
// pace is renewed, and after a cycle that cost far more or far less than expected.
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

// paceFor returns the wait with which cycles of that cost leave the reserve until the
// quota is renewed, but never longer than until then. It returns none for a quota
// that is unknown or whose window is over, and none for a used-up one: after a refused
// call the host is left alone until the renewal anyway.
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
