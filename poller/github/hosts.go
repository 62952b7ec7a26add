package github

import (
	"context"
	"maps"
	"sync"
	"time"

	"the-loop/gh"
	"the-loop/poller"
)

// The resources of a login's quota: the first for gh's list and view commands, the
// second for gh api.
const (
	graphQL = "graphql"
	rest    = "core"
)

// GitHub asks a client that met a secondary limit to wait for a minute, and longer
// each further time.
const (
	firstBackOff = time.Minute
	maxBackOff   = 15 * time.Minute
	// maxWait limits the effect of a wrong clock on either side: GitHub's windows last an
	// hour.
	maxWait = time.Hour + 5*time.Minute
)

// Hosts remembers which hosts must not be asked for a while, and the cost of a cycle
// for each host. All sources share it, because a quota belongs to a login, not to a
// source. It outlives a reload of the configuration.
type Hosts struct {
	mu    sync.Mutex
	hosts map[string]*hostLimit
	meter meter
	// surveys holds the health of each host's surveys.
	surveys  surveys
	surveyor *Surveyor // of the configuration in force, nil for none
	// noLogin holds the hosts without a login, each with the gate that found out. The
	// next cycle asks them again.
	noLogin map[account]*gate
}

// account is the login of one gh on one host.
type account struct{ gh, host string }

type hostLimit struct {
	until   time.Time
	backOff time.Duration // the last wait without a known reset time
	doubted time.Time     // when a refusal was last taken for an old answer
}

// NewHosts returns a Hosts without any limit.
func NewHosts() *Hosts {
	return &Hosts{hosts: map[string]*hostLimit{}, noLogin: map[account]*gate{}}
}

// CycleDone ends a cycle. Call it after each cycle that was not interrupted: costs are
// measured over whole cycles. Hosts without a login are asked again in the next one.
func (h *Hosts) CycleDone() {
	h.reopen(nil)
	first := h.surveys.cycleDone()
	h.meter.cycleDone(func(host string) bool {
		if _, limited := h.limited(host); limited {
			return true
		}
		// Only the first cycle of a configuration lists everything.
		return first(host) && h.surveyor.wants(host)
	})
}

// wantsLogin records that a host refused a call of the gate by for want of a login.
func (h *Hosts) wantsLogin(a account, by *gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noLogin[a] = by
}

// loggedOut reports whether a host refused a call for want of a login in this cycle.
func (h *Hosts) loggedOut(a account) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.noLogin[a] != nil
}

// reopen allows calls again to hosts without a login: those that one gate found, or
// with nil all of them.
func (h *Hosts) reopen(by *gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.noLogin, func(_ account, who *gate) bool { return by == nil || who == by })
}

// limited returns the time until which the host must be left alone, and whether it is
// still to come.
func (h *Hosts) limited(host string) (time.Time, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.hosts[host]
	if l == nil {
		return time.Time{}, false
	}
	return l.until, time.Now().Before(l.until)
}

// answered records that the host served a call. The next secondary limit then starts
// with the shortest wait again.
func (h *Hosts) answered(host string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.hosts[host]; l != nil && !time.Now().Before(l.until) {
		delete(h.hosts, host)
	}
}

// rateLimiter asks for the rate limits of a host.
type rateLimiter interface {
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
}

// meet records that the host refused a call for its rate limit, and finds out until
// when. The second result is false if there is no limit or it was known already. meet
// does not hold the lock while gh runs.
//
// If the host has points left of a quota that gh calls used up, gh has repeated an old
// answer from its cache. meet ignores such a refusal once; a second one within a
// minute counts.
func (h *Hosts) meet(ctx context.Context, c rateLimiter, host string, resource string, usedUp bool) (poller.HostLimit, bool) {
	if until, ok := h.limited(host); ok {
		return poller.HostLimit{Host: host, Until: until}, false
	}
	var reset time.Time
	old := false
	if limits, err := c.RateLimit(ctx, host); err == nil {
		q, ok := limits[resource]
		if ok && q.Remaining == 0 {
			reset = q.Reset
		}
		old = ok && q.Remaining > 0 && usedUp
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.hosts[host]
	if l == nil {
		l = &hostLimit{}
		h.hosts[host] = l
	}
	now := time.Now()
	if now.Before(l.until) {
		return poller.HostLimit{Host: host, Until: l.until}, false
	}
	if old && (l.doubted.IsZero() || now.Sub(l.doubted) >= firstBackOff) {
		l.doubted = now
		return poller.HostLimit{}, false
	}
	// Adding to now keeps the monotonic clock in the sum, so that a later jump of the
	// wall clock changes nothing.
	if wait := reset.Sub(now); wait > 0 {
		l.until = now.Add(min(wait, maxWait))
	} else {
		l.backOff = min(max(firstBackOff, 2*l.backOff), maxBackOff)
		l.until = now.Add(l.backOff)
	}
	return poller.HostLimit{Host: host, Until: l.until}, true
}
