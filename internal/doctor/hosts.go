package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/internal/timetext"
)

// host checks the login on a host and its limits. It sets h.missed if the repositories
// of the host cannot be checked.
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
		// The limits, which can be read nevertheless, say when it ends.
		e.warn(check, h.name, "the login cannot be checked while a rate limit is used up", "run doctor again in a while")
	case gh.StatusOf(err) == gh.StatusForbidden:
		h.loggedIn = true
		e.nobody(h, err)
	case gh.ClassOf(err) == gh.Unauthenticated:
		h.missed, h.loggedOut = "log in, then run doctor again", true
		e.fail(check, h.name, e.refusal(err), e.loginFix(h.name))
	default:
		h.missed = "fix that, then run doctor again"
		e.fail(check, h.name, "it did not answer: "+said(err),
			remedy(err, "check this machine's network and https://githubstatus.com"))
	}
}

// meanwhile marks the login that @me stands for.
func (e *examination) meanwhile() string {
	if e.plan.asksMe {
		return " (@me)"
	}
	return ""
}

// nobody handles a valid token that belongs to no user: that of a GitHub App or of an
// Actions job.
func (e *examination) nobody(h *host, err error) {
	if !e.plan.asksMe {
		e.ok("login", h.name, "logged in with the token of an app")
		return
	}
	e.fail("login", h.name, "this token belongs to no user, which @me needs: "+said(err),
		"list logins in routing.authorizedUsers instead of @me, or use a user's token")
}

// notLoggedIn is the exit status of a gh without a login.
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
	if host != ref.GitHubHost {
		command += " --hostname " + host
	}
	if e.service() {
		return fmt.Sprintf("set %s in its environment, or as this user: %s", tokenVariables(host)[0], command)
	}
	return fmt.Sprintf("%s; for a service, set %s", command, tokenVariables(host)[0])
}

// limits checks what is left of the login's rate limits, and the clock that their ends
// are compared with.
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
		e.warn(check, h.name, "the rate limit is used up until "+timetext.UTC(until), "wait; the daemon waits, too")
		return
	}
	if graphQL, ok := limits["graphql"]; ok {
		e.ok(check, h.name, fmt.Sprintf("%d of %d points are left this hour", graphQL.Remaining, graphQL.Limit))
	}
}

// usedUp returns the end of a used-up limit that stops polling: of GraphQL, which
// listings use, or of REST.
func usedUp(limits gh.RateLimits) (until time.Time, ok bool) {
	for _, name := range []string{"core", "graphql"} {
		if q, there := limits[name]; there && q.Remaining <= 0 && q.Reset.After(until) {
			until, ok = q.Reset, true
		}
	}
	return until, ok
}

// A rate limit window lasts an hour, so it ends within an hour. One minute is allowed
// for the network and for clocks that differ a little.
const (
	window    = time.Hour
	tolerance = time.Minute
)

// clock compares this machine's clock with the host's. gh does not show the Date
// header of an answer, but the end of a rate limit window serves as well.
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
