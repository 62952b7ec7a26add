package github

import (
	"context"
	"fmt"

	"the-loop/gh"
	"the-loop/internal/timetext"
	"the-loop/poller"
)

const (
	textLimited = "not asked: GitHub's rate limit on %s is used up until %s"
	textNoLogin = "not asked: gh is not logged in to %s"
)

// gate holds back a source's calls to hosts that must not be asked now: those whose
// rate limit is used up and, for the rest of the cycle, those on which its gh has no
// login. It is safe for concurrent use.
type gate struct {
	hosts  *Hosts
	client rateLimiter
	gh     string // name or path of gh
}

// reopen allows calls again to the hosts that refused this gate for want of a login.
func (g *gate) reopen() { g.hosts.reopen(g) }

// stopped reports whether, and why, the host must not be asked now.
func (g *gate) stopped(host string) (why problem, stopped bool) {
	if until, ok := g.hosts.limited(host); ok {
		return problem{fmt.Sprintf(textLimited, host, timetext.UTC(until)), poller.CauseRateLimit}, true
	}
	if g.hosts.loggedOut(account{g.gh, host}) {
		return problem{fmt.Sprintf(textNoLogin, host), poller.CauseNoLogin}, true
	}
	return problem{}, false
}

// heed closes the gate after an error that concerns the whole host. Without an error
// it records that the host serves calls. It returns the host's limit if this call was
// the first to meet it.
func (g *gate) heed(ctx context.Context, host string, err error, resource string) *poller.HostLimit {
	switch {
	case err == nil:
		g.hosts.answered(host)
	case gh.ClassOf(err) == gh.RateLimited:
		if limit, first := g.hosts.meet(ctx, g.client, host, resource, gh.QuotaUsedUp(err)); first {
			return &limit
		}
	case gh.ClassOf(err) == gh.Unauthenticated:
		g.hosts.wantsLogin(account{g.gh, host}, g)
	}
	return nil
}
