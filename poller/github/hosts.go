package github

import (
	"context"
	"maps"
	"sync"
	"time"

	"the-loop/gh"
	"the-loop/poller"
)

// The parts of a login's quota that gh's list and view commands draw on, and
// that gh api does.
const (
	graphQL = "graphql"
	rest    = "core"
)

// GitHub asks a client that met a secondary limit to wait a minute, and
// longer each time it meets it again.
const (
	firstBackOff = time.Minute
	maxBackOff   = 15 * time.Minute
	// maxWait bounds what a wrong clock on either side can make of a reset
	// time: GitHub's windows last an hour.
	maxWait = time.Hour + 5*time.Minute
)

// Hosts remembers which hosts must not be asked for a while, and what a cycle
// costs each of them. It is shared by all sources, since the quota belongs to
// the login and not to a source, and outlives a reload of the configuration.
type Hosts struct {
	mu    sync.Mutex
	hosts map[string]*hostLimit
	meter meter
	// surveys is how the surveys of each host fare.
	surveys  surveys
	surveyor *Surveyor // of the configuration in force, nil for none
	// noLogin holds the hosts that want a login, with who found out. The next
	// cycle asks them again.
	noLogin map[account]*gate
}

// account is the login that one gh has on one host.
type account struct{ gh, host string }

type hostLimit struct {
	until   time.Time
	backOff time.Duration // the last wait that had no reset time to go by
	doubted time.Time     // when a refusal was last taken for an old answer
}

// NewHosts returns a Hosts that knows of no limit.
func NewHosts() *Hosts {
	return &Hosts{hosts: map[string]*hostLimit{}, noLogin: map[account]*gate{}}
}

// CycleDone is called after each cycle that was not interrupted: what a cycle
// costs is measured over whole ones, and a host that wanted a login is asked
// again in the next one.
func (h *Hosts) CycleDone() {
	h.reopen(nil)
	first := h.surveys.cycleDone()
	h.meter.cycleDone(func(host string) bool {
		if _, limited := h.limited(host); limited {
			return true
		}
		// The first cycle of a configuration lists everything, and no later one does.
		return first(host) && h.surveyor.wants(host)
	})
}

// wantsLogin notes that a host refused a call for want of a login; by is the gate
// that met it.
func (h *Hosts) wantsLogin(a account, by *gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noLogin[a] = by
}

// loggedOut reports whether a host wanted a login in this cycle.
func (h *Hosts) loggedOut(a account) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.noLogin[a] != nil
}

// reopen lets the hosts be asked again that wanted a login: those that one gate
// found, or all of them.
func (h *Hosts) reopen(by *gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.noLogin, func(_ account, who *gate) bool { return by == nil || who == by })
}

// limited returns the time until which the host is to be left alone, and
// whether that time is still to come.
func (h *Hosts) limited(host string) (time.Time, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.hosts[host]
	if l == nil {
		return time.Time{}, false
	}
	return l.until, time.Now().Before(l.until)
}

// answered notes that the host served a call: the next secondary limit starts
// with the shortest wait again.
func (h *Hosts) answered(host string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.hosts[host]; l != nil && !time.Now().Before(l.until) {
		delete(h.hosts, host)
	}
}

// rateLimiter is the call that tells when a limit comes back.
type rateLimiter interface {
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
}

// meet notes that the host refused a call for its rate limit and finds out
// until when. The second result is false when there is no limit or it was known
// already. The lock is not held while gh runs.
//
// A quota that is said to be used up, of which the host has points left, is an
// old answer that gh has kept. The next call then shows whether it was: one that
// is refused within a minute is believed.
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
	// Adding to now keeps the monotonic clock in the sum, so that a wall
	// clock that jumps later neither shortens nor prolongs the wait.
	if wait := reset.Sub(now); wait > 0 {
		l.until = now.Add(min(wait, maxWait))
	} else {
		l.backOff = min(max(firstBackOff, 2*l.backOff), maxBackOff)
		l.until = now.Add(l.backOff)
	}
	return poller.HostLimit{Host: host, Until: l.until}, true
}
