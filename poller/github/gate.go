package github

import (
	"context"
	"fmt"
	"sync"

	"the-loop/gh"
	"the-loop/poller"
)

const (
	textLimited = "not asked: GitHub's rate limit on %s is used up until %s"
	textNoLogin = "not asked: gh is not logged in to %s"
)

// gate holds back the calls to hosts that must not be asked now: those whose
// rate limit is used up, and, until the next listing, those that want a login.
// It may be used by several goroutines.
type gate struct {
	hosts  *Hosts
	client rateLimiter

	mu      sync.Mutex
	noLogin map[string]bool
}

func newGate(hosts *Hosts, c rateLimiter) *gate {
	return &gate{hosts: hosts, client: c, noLogin: map[string]bool{}}
}

// reopen lets the hosts be asked again that wanted a login.
func (g *gate) reopen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.noLogin)
}

// stopped reports whether the host must not be asked now, and why.
func (g *gate) stopped(host string) (string, bool) {
	if until, ok := g.hosts.limited(host); ok {
		return fmt.Sprintf(textLimited, host, utc(until)), true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.noLogin[host] {
		return fmt.Sprintf(textNoLogin, host), true
	}
	return "", false
}

// heed closes the gate when an answer is about the host and not about what was
// asked for, and notes that a host serves when there is none. It returns the
// host's limit when this answer is the first that met it.
func (g *gate) heed(ctx context.Context, host string, err error, resource string) *poller.HostLimit {
	switch {
	case err == nil:
		g.hosts.answered(host)
	case gh.ClassOf(err) == gh.RateLimited:
		if limit, first := g.hosts.meet(ctx, g.client, host, resource, gh.QuotaUsedUp(err)); first {
			return &limit
		}
	case gh.ClassOf(err) == gh.Unauthenticated:
		g.mu.Lock()
		defer g.mu.Unlock()
		g.noLogin[host] = true
	}
	return nil
}
