package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"the-loop/gh"
)

// host looks at the login on a host and at its limits. Unless h.missed says
// otherwise afterwards, its repositories can be asked for.
func (e *examination) host(ctx context.Context, p *program, h *host) {
	e.login(ctx, p, h)
	if h.missed == "" {
		e.limits(ctx, p, h)
	}
}

func (e *examination) login(ctx context.Context, p *program, h *host) {
	const check = "login"
	login, err := p.client.Login(ctx, h.name)
	switch {
	case err == nil:
		h.login, h.loggedIn = login, true
		e.ok(check, h.name, "logged in as "+login+e.meanwhile())
	case gh.ClassOf(err) == gh.RateLimited:
		// The limits, which can be asked for all the same, tell when it ends.
		e.warn(check, h.name, "a rate limit hides the login", "run doctor again in a while")
	case gh.StatusOf(err) == gh.StatusForbidden:
		h.loggedIn = true
		e.nobody(h, err)
	case gh.ClassOf(err) == gh.Unauthenticated:
		h.missed, h.loggedOut = "log in, then run doctor again", true
		e.fail(check, h.name, e.refusal(err), e.loginFix(h.name))
	default:
		h.missed = "fix that, then run doctor again"
		e.fail(check, h.name, "it did not answer: "+said(err),
			"look at the network of this machine and at https://githubstatus.com")
	}
}

// meanwhile says what a login is good for besides asking.
func (e *examination) meanwhile() string {
	if e.plan.asksMe {
		return " (@me)"
	}
	return ""
}

// nobody is a token that works and belongs to no person: a GitHub App's, or the
// one that Actions gives a job.
func (e *examination) nobody(h *host, err error) {
	if !e.plan.asksMe {
		e.ok("login", h.name, "logged in with the token of an app")
		return
	}
	e.fail("login", h.name, "this token belongs to no user, which @me needs: "+said(err),
		"list logins in routing.authorizedUsers instead of @me, or use a user's token")
}

// notLoggedIn is gh's own exit status for that.
const notLoggedIn = 4

func (e *examination) refusal(err error) string {
	if failure, ok := errors.AsType[*gh.Error](err); ok && failure.ExitCode == notLoggedIn {
		return "gh is not logged in"
	}
	return "the login is refused: " + said(err)
}

func (e *examination) loginFix(host string) string {
	variable := e.tokenVariable(host)
	if variable != "" {
		return fmt.Sprintf("renew the token in %s, or unset it to use gh's own login", variable)
	}
	command := "gh auth login"
	if host != gh.GitHubHost {
		command += " --hostname " + host
	}
	if e.service() {
		return fmt.Sprintf("set %s in its environment, or as this user: %s", tokenVariables(host)[0], command)
	}
	return fmt.Sprintf("%s; in a service: %s", command, tokenVariables(host)[0])
}

// limits looks at what is left of the login's rate limits, and at the clock,
// with which the limits' ends are compared.
func (e *examination) limits(ctx context.Context, p *program, h *host) {
	const check = "rate-limit"
	limits, err := p.client.RateLimit(ctx, h.name)
	switch {
	case gh.StatusOf(err) == gh.StatusNotFound:
		e.ok(check, h.name, "it has no rate limit")
		return
	case err != nil:
		e.warn(check, h.name, "it does not report its rate limit: "+said(err), "run doctor again in a while")
		return
	}
	h.points = limits["graphql"].Limit
	e.clock(h, limits)
	if until, ok := usedUp(limits); ok {
		h.missed = "run doctor again after that; a longer intervalSeconds uses less"
		e.warn(check, h.name, "the rate limit is used up until "+utc(until), "wait; the daemon does, too")
		return
	}
	if graphQL, ok := limits["graphql"]; ok {
		e.ok(check, h.name, fmt.Sprintf("%d of %d points are left this hour", graphQL.Remaining, graphQL.Limit))
	}
}

// usedUp is the end of the limit that stops the asking: that of GraphQL, which
// listings use, or of REST.
func usedUp(limits gh.RateLimits) (until time.Time, ok bool) {
	for _, name := range []string{"core", "graphql"} {
		if q, there := limits[name]; there && q.Remaining <= 0 && q.Reset.After(until) {
			until, ok = q.Reset, true
		}
	}
	return until, ok
}

// A window of a rate limit lasts an hour, so its end is at most that far off. A
// minute is allowed for the way and for clocks that differ a little.
const (
	window    = time.Hour
	tolerance = time.Minute
)

// clock compares this machine's with the host's. gh shows no Date header with
// an answer, but where a window ends tells enough.
func (e *examination) clock(h *host, limits gh.RateLimits) {
	const fix = "set it, for example with 'timedatectl set-ntp true': waiting for rate limits depends on it"
	q, ok := limits["graphql"]
	if !ok {
		q = limits["core"]
	}
	ahead := time.Until(q.Reset)
	switch {
	case ahead > window+tolerance:
		e.warn("clock", h.name, "this machine's clock is behind by "+short(ahead-window)+" or more", fix)
	case ahead < -tolerance:
		e.warn("clock", h.name, "this machine's clock is ahead by "+short(-ahead)+" or more", fix)
	default:
		e.ok("clock", h.name, "this machine's clock agrees with it")
	}
}
