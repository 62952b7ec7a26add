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

// gate holds back the calls of a source to hosts that must not be asked now:
// those whose rate limit is used up, and, for the rest of the cycle, those that
// want a login of its gh. It may be used by several goroutines.
type gate struct {
	hosts  *Hosts
	client rateLimiter
	gh     string // its name or path
}

// reopen lets the hosts be asked again of which this gate found that they want a
// login.
func (g *gate) reopen() { g.hosts.reopen(g) }

// stopped reports whether the host must not be asked now, and why.
func (g *gate) stopped(host string) (why problem, stopped bool) {
	if until, ok := g.hosts.limited(host); ok {
		return problem{fmt.Sprintf(textLimited, host, timetext.UTC(until)), poller.CauseRateLimit}, true
	}
	if g.hosts.loggedOut(account{g.gh, host}) {
		return problem{fmt.Sprintf(textNoLogin, host), poller.CauseNoLogin}, true
	}
	return problem{}, false
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
		g.hosts.wantsLogin(account{g.gh, host}, g)
	}
	return nil
}
