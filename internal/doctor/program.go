package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"the-loop/gh"
	"the-loop/internal/counted"
)

const (
	getGH = "install a newer one from https://cli.github.com, or set ghBinary to another"

	// oldest is the first major version of gh that supports every call of the daemon.
	oldest = 2
)

// program checks one gh, then its hosts and their repositories.
func (e *examination) program(ctx context.Context, p *program) {
	if !e.runs(ctx, p) {
		e.leaveOut("gh", p.repos(), "fix that, then run doctor again")
		for _, h := range p.hosts {
			e.asked += len(h.sample)
		}
		return
	}
	loggedIn := false
	for _, h := range p.hosts {
		e.host(ctx, p, h)
		loggedIn = loggedIn || h.missed == ""
	}
	if loggedIn && p.watchesPulls() { // gh answers nothing without a login
		e.closingReferences(ctx, p)
	}
	for _, h := range p.hosts {
		e.repositories(ctx, p, h)
	}
}

// runs reports whether the gh can be run and is new enough.
func (e *examination) runs(ctx context.Context, p *program) bool {
	const check, subject = "gh", "gh"
	path, err := p.client.Path()
	if err != nil {
		e.fail(check, subject, strings.TrimPrefix(err.Error(), "could not run gh: "),
			"install it from https://cli.github.com, or set ghBinary to its path")
		return false
	}
	version, err := p.client.Version(ctx)
	if err != nil {
		e.fail(check, subject, said(err), remedy(err, getGH))
		return false
	}
	if tooOld(version) {
		e.fail(check, subject, fmt.Sprintf("%s is version %s, which is too old", path, version), getGH)
		return false
	}
	p.path = path
	e.ok(check, subject, fmt.Sprintf("%s, version %s", path, version))
	return true
}

// tooOld takes a version that it cannot parse for a new one.
func tooOld(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n < oldest
}

func (e *examination) closingReferences(ctx context.Context, p *program) {
	const check, subject = "closing-references", "gh"
	knows, err := p.client.KnowsClosingReferences(ctx)
	p.references = knows && err == nil
	switch {
	case gh.ClassOf(err) == gh.Unauthenticated:
		// Some versions want a login on every host. The daemon logs what such a gh
		// knows.
	case err != nil:
		e.warn(check, subject, "it does not list its fields: "+said(err), getGH)
	case !knows:
		e.warn(check, subject, "it does not report which issue a pull request closes",
			`name branches issue-N or write "Fixes #N"; a newer gh reports the rest`)
	default:
		e.ok(check, subject, "it reports which issue a pull request closes")
	}
}

// leaveOut reports that none of the n repositories of a subject was checked.
func (e *examination) leaveOut(subject string, n int, fix string) {
	if n == 0 {
		return
	}
	e.warn("left-out", subject, unchecked(n, n), fix)
}

func unchecked(n, all int) string {
	text := counted.Of(n, "repository", "repositories")
	if n < all {
		text = fmt.Sprintf("%d of %d repositories", n, all)
	}
	if n == 1 {
		return text + " was not checked"
	}
	return text + " were not checked"
}
