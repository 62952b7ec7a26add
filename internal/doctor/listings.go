package doctor

import (
	"context"
	"fmt"

	"the-loop/gh"
	"the-loop/internal/counted"
)

// listings makes one real listing for each source. gh can fail at it after it has
// answered all other questions, for example from its cache. Of many sources it takes a
// sample.
func (e *examination) listings(ctx context.Context) {
	sources := e.plan.sources
	if n := len(sources); !e.All && n > sampleSize {
		sources = spread(sources, sampleSize)
		e.ok("sample", "sources", fmt.Sprintf("listing one repository each of %d sources, out of %d; 'the-loop doctor --all' covers all of them", len(sources), n))
	}
	for _, s := range sources {
		if ctx.Err() != nil {
			return
		}
		if r := s.example(); r != nil {
			e.listing(ctx, s, r)
		}
	}
}

// example returns a repository of the source that gh should be able to list,
// preferably one that was found, and nil if there is none.
func (s planned) example() *repository {
	var unknown *repository
	for _, repo := range s.Repos {
		for _, h := range s.by.hosts {
			r := h.scopes[repo.Scope()]
			switch {
			case r == nil || h.missed != "" || r.state == absent || s.by.path == "":
			case r.issuesOff && !s.PullRequests:
			case r.state == present:
				return r
			case unknown == nil:
				unknown = r
			}
		}
	}
	return unknown
}

func (e *examination) listing(ctx context.Context, s planned, r *repository) {
	const check = "listing"
	filter := gh.Filter{Labels: s.Labels, Limit: s.Limit}
	kind, command, n := "issue", "gh issue list", 0
	var err error
	if s.Issues && !r.issuesOff {
		_, n, err = s.by.client.Issues(ctx, r.Repo, filter)
	} else {
		kind, command = "pull request", "gh pr list"
		_, n, err = s.by.client.PullRequests(ctx, r.Repo, filter)
	}
	switch {
	case err == nil:
		e.ok(check, s.Name, fmt.Sprintf("gh listed %s of %s", counted.Of(n, kind, kind+"s"), r))
	case gh.ClassOf(err) == gh.RateLimited:
		e.warn(check, s.Name, fmt.Sprintf("gh cannot list the %ss of %s: %s", kind, r, said(err)), "run doctor again in a while")
	default:
		e.fail(check, s.Name, fmt.Sprintf("gh cannot list the %ss of %s: %s", kind, r, said(err)),
			remedy(err, fmt.Sprintf("see what '%s --repo %s' says", command, r.Full())))
	}
}
