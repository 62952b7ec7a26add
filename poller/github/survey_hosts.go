package github

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"the-loop/gh"
	"the-loop/poller"
)

// SurveyMode selects the hosts to survey.
type SurveyMode string

// The modes, spelled as in the configuration.
const (
	SurveyAuto   SurveyMode = "auto" // hosts whose quota cannot pay for listing everything
	SurveyAlways SurveyMode = "always"
	SurveyNever  SurveyMode = "never"
)

// Surveyor decides which hosts are surveyed, for all sources of one
// configuration.
type Surveyor struct {
	hosts    *Hosts
	mode     SurveyMode
	interval time.Duration
	sources  []*Provider
	asks     bool
	asked    map[string]time.Time // when a host was last asked for its limit
}

// SurveyOptions are the settings of the configuration for surveys.
type SurveyOptions struct {
	Mode     SurveyMode
	Interval time.Duration // between cycles
	// AsksLimit is set if no [Pacer] asks the hosts for their quota.
	AsksLimit bool
}

// NewSurveyor enables surveys for the sources, which share h, and tries hosts again
// that had been left without one. Call it only between two cycles, and before
// [NewPacer].
func NewSurveyor(h *Hosts, o SurveyOptions, sources []*Provider) {
	s := &Surveyor{
		hosts: h, mode: o.Mode, interval: o.Interval, sources: sources,
		asks: o.AsksLimit, asked: map[string]time.Time{},
	}
	var hosts []string
	for _, p := range sources {
		p.surveyor = s
		for _, r := range p.repos {
			hosts = append(hosts, r.Host)
		}
	}
	h.surveyor = s
	h.surveys.reload(hosts)
}

// leastLimit is the smallest hourly quota that GitHub gives a login. If listing
// everything fits into it, the real quota does not matter.
const leastLimit = 1000

// learnLimit asks a host for its quota if the mode depends on it and nothing else asks.
func (s *Surveyor) learnLimit(ctx context.Context, host string, c rateLimiter) {
	if !s.asks || s.mode != SurveyAuto || 10*s.hourly(host) <= 9*leastLimit {
		return
	}
	if last, asked := s.asked[host]; asked && time.Since(last) < askQuotaEvery {
		return
	}
	s.asked[host] = time.Now()
	if limits, err := c.RateLimit(ctx, host); err == nil {
		s.hosts.surveys.noteLimit(host, limits)
	}
}

// expects returns the cost of a quiet cycle for a surveyed host.
func (s *Surveyor) expects(host string) (each cost, surveyed bool) {
	if !s.wants(host) {
		return cost{}, false
	}
	for _, p := range s.sources {
		repos := p.reposOn(host)
		calls, points := p.listingCost()
		turns := repos
		if len(p.Labels) <= 1 {
			batches := math.Ceil(repos * calls / mostConnections)
			each = each.plus(cost{batches, batches})
			turns = math.Ceil(repos * turnShare(s.interval))
		}
		each = each.plus(cost{turns * calls, turns * points})
	}
	return each, true
}

// wants reports whether the mode selects the host.
func (s *Surveyor) wants(host string) bool {
	switch {
	case s == nil || s.interval <= 0:
		return false
	case s.mode == SurveyAlways:
		return true
	case s.mode != SurveyAuto:
		return false
	}
	limit, told := s.hosts.surveys.limit(host)
	return told && 10*s.hourly(host) > 9*float64(limit)
}

// hourly returns the points that listing everything at the configured interval costs a
// host in an hour.
func (s *Surveyor) hourly(host string) float64 {
	var points float64
	for _, p := range s.sources {
		_, each := p.listingCost()
		points += p.reposOn(host) * each
	}
	return points * float64(time.Hour) / float64(s.interval)
}

// listingCost returns the cost of listing one repository.
func (p *Provider) listingCost() (calls, points float64) {
	if p.Issues {
		calls, points = 1, 1
	}
	if p.PullRequests {
		calls, points = calls+1, points+float64(p.Client.PullRequestPoints())
	}
	return calls, points
}

func (p *Provider) reposOn(host string) float64 {
	n := 0
	for _, r := range p.repos {
		if r.Host == host {
			n++
		}
	}
	return float64(n)
}

// The sizes of a batch in connections: two for each repository if both kinds are asked
// for.
const (
	mostConnections  = 100
	leastConnections = 10
	// goodCycles is the number of cycles without trouble after which a smaller batch is
	// doubled again.
	goodCycles = 20
)

// surveys holds the health of each host's surveys. It is safe for concurrent use.
type surveys struct {
	mu    sync.Mutex
	hosts map[string]*surveyHealth
}

type surveyHealth struct {
	limit   int // hourly quota, 0 if unknown
	until   time.Time
	backOff time.Duration
	size    int // of a batch, in connections
	good    int // cycles without trouble since the last change of size
	tooDear bool
	failing *poller.SurveyFailing

	asked, troubled bool // in this cycle
	seasoned        bool // a cycle has ended since the configuration was read
}

// of returns the host's entry. The caller holds the lock.
func (s *surveys) of(host string) *surveyHealth {
	if s.hosts == nil {
		s.hosts = map[string]*surveyHealth{}
	}
	if s.hosts[host] == nil {
		s.hosts[host] = &surveyHealth{size: mostConnections}
	}
	return s.hosts[host]
}

// reload forgets why hosts were left without a survey.
func (s *surveys) reload(hosts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, host := range hosts {
		s.of(host)
	}
	for _, h := range s.hosts {
		h.until, h.backOff, h.size, h.tooDear = time.Time{}, 0, mostConnections, false
		h.seasoned = false
	}
}

// noteLimit remembers the login's hourly quota for GraphQL.
func (s *surveys) noteLimit(host string, limits gh.RateLimits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q, ok := limits[graphQL]; ok && q.Limit > 0 {
		s.of(host).limit = q.Limit
	}
}

func (s *surveys) limit(host string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.of(host).limit
	return limit, limit > 0
}

// ready reports whether the host may be surveyed now, and with how many connections in
// a batch.
func (s *surveys) ready(host string) (connections int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of(host)
	return h.size, !h.tooDear && !time.Now().Before(h.until)
}

// answered records a usable answer to a batch. If GitHub charged more than its formula
// says, a survey saves nothing: the host is then left without one.
func (s *surveys) answered(host string, a gh.SurveyAnswer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of(host)
	h.asked = true
	if a.TooLarge {
		h.shrink()
	}
	if repos := len(a.Repos); a.Cost > 1 && 4*a.Cost > repos {
		h.tooDear = true
		return fmt.Errorf("a survey of %d repositories costs %d points; the next one is made after a reload", repos, a.Cost)
	}
	return nil
}

// failed records a batch without a usable answer. Concurrent batches that fail, too,
// count as the same failure.
func (s *surveys) failed(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of(host)
	h.asked = true
	if time.Now().Before(h.until) {
		return
	}
	h.shrink()
	h.backOff = min(max(firstBackOff, 2*h.backOff), maxBackOff)
	h.until = time.Now().Add(h.backOff)
}

func (h *surveyHealth) shrink() {
	h.good, h.troubled = 0, true
	h.size = max(h.size/2, leastConnections)
}

// end reports how a walk's surveys changed the host's state: whether they began to
// fail, and whether they recovered. err is their first trouble.
func (s *surveys) end(host string, err error) (fails, recovered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of(host)
	if err == nil {
		recovered = h.failing != nil
		h.failing, h.backOff = nil, 0
		return false, recovered
	}
	if h.failing != nil {
		h.failing.Error = err.Error()
		return false, false
	}
	h.failing = &poller.SurveyFailing{Host: host, Since: time.Now(), Error: err.Error()}
	return true, false
}

// trouble returns the host's lasting trouble, if any.
func (s *surveys) trouble(host string) (poller.SurveyFailing, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of(host)
	if h.failing == nil {
		return poller.SurveyFailing{}, false
	}
	return *h.failing, true
}

// cycleDone ends a cycle; after enough good ones, batches grow again. The returned
// function reports whether the cycle was a host's first of the configuration.
func (s *surveys) cycleDone() (first func(host string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	firsts := map[string]bool{}
	for host, h := range s.hosts {
		firsts[host], h.seasoned = !h.seasoned, true
		if h.asked && !h.troubled && h.size < mostConnections {
			if h.good++; h.good == goodCycles {
				h.size, h.good = min(2*h.size, mostConnections), 0
			}
		}
		h.asked, h.troubled = false, false
	}
	return func(host string) bool { return firsts[host] }
}
