package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
)

// repositories checks each repository of the sample until the host stops answering.
func (e *examination) repositories(ctx context.Context, p *program, h *host) {
	if h.missed != "" {
		e.leaveOut(h.name, len(h.repos), h.missed)
		e.asked += len(h.sample)
		return
	}
	e.sampled(h)
	for i, r := range h.sample {
		if ctx.Err() != nil {
			return
		}
		e.Asking(r.String(), e.asked+1, e.plan.asked)
		if err := e.repository(ctx, p, r); stops(err) {
			left := len(h.sample) - i
			e.asked += left
			e.warn("left-out", h.name, unchecked(left, len(h.sample))+": "+said(err), "run doctor again in a while")
			return
		}
		e.asked++
	}
}

// stops reports whether a failure concerns the whole host.
func stops(err error) bool {
	class := gh.ClassOf(err)
	return class == gh.RateLimited || class == gh.Unauthenticated
}

// repository checks one repository. It returns the error of an unanswered question,
// which it has reported unless that stops the whole host.
func (e *examination) repository(ctx context.Context, p *program, r *repository) error {
	begin := time.Now()
	found, err := p.client.Inspect(ctx, r.Repo)
	if err != nil {
		r.state = absent
		if !stops(err) {
			message, fix := unreachable(r, err)
			e.fail("repository", r.String(), message, fix)
		}
		return err
	}
	r.state = present
	e.spent += time.Since(begin)
	e.answers++
	if !strings.EqualFold(found.NameWithOwner, r.NameWithOwner()) {
		r.state = absent
		e.fail("repository", r.String(), "it is now called "+found.NameWithOwner+" and cannot be found under this name",
			"write "+presentName(r, found.NameWithOwner)+" instead")
		return nil
	}
	e.condition(r, found)
	return e.labels(ctx, p, r)
}

// presentName returns the new name in the form of the configuration.
func presentName(r *repository, nameWithOwner string) string {
	if now, err := ref.ParseRepo(nameWithOwner, r.Host); err == nil {
		return now.String()
	}
	return nameWithOwner
}

func unreachable(r *repository, err error) (message, fix string) {
	switch {
	case gh.NotResolvable(err):
		return "there is no such repository, or this login cannot see it", "correct the name, or give the login access"
	case gh.StatusOf(err) == gh.StatusForbidden:
		return "it may not be read: " + said(err), "authorize the token for " + r.Owner + " (single sign-on, allowed addresses), for example with gh auth refresh"
	}
	return "it did not answer: " + said(err), remedy(err, "run doctor again; check https://githubstatus.com")
}

// condition reports what keeps an existing repository from being polled whole.
func (e *examination) condition(r *repository, found gh.Repository) {
	well := true
	if found.IsArchived != nil && *found.IsArchived {
		well = false
		e.warn("archived", r.String(), "it is archived; nothing in it changes any more",
			"remove it, or type gh repo unarchive "+r.Full())
	}
	off := found.HasIssuesEnabled != nil && !*found.HasIssuesEnabled
	r.issuesOff = off
	switch {
	case off && r.issues && r.pulls:
		well = false
		e.warn("issues", r.String(), "Issues are off; only its pull requests are polled",
			"gh repo edit "+r.Full()+" --enable-issues, or a source with monitor.issues: false")
	case off && r.issues:
		well = false
		e.warn("issues", r.String(), "Issues are off; there is nothing to poll",
			"remove it, or type gh repo edit "+r.Full()+" --enable-issues")
	}
	if !well {
		return
	}
	message := "reachable"
	if off {
		message += ", only its pull requests are polled"
	}
	e.ok("repository", r.String(), message)
}

func (e *examination) labels(ctx context.Context, p *program, r *repository) error {
	const check = "label"
	for _, label := range r.labels {
		has, err := p.client.HasLabel(ctx, r.Repo, label)
		switch {
		case stops(err):
			return err
		case err != nil:
			e.warn(check, r.String(), fmt.Sprintf("cannot tell whether it has the label %s: %s", quoted(label), said(err)),
				"run doctor again; check https://githubstatus.com")
		case !has:
			e.warn(check, r.String(), fmt.Sprintf("it has no label %s, so nothing is found", quoted(label)),
				fmt.Sprintf("gh label create %s --repo %s", ShellWord(label), r.Full()))
		default:
			e.ok(check, r.String(), "it has the label "+quoted(label))
		}
	}
	return nil
}
