package command

import (
	"errors"
	"slices"

	"the-loop/internal/config"
	"the-loop/internal/session"
)

// watched are the scopes that the configuration has, each with the kinds of
// item that are asked for; nil when there is no configuration to tell.
type watched map[string][]string

const (
	kindIssue       = "issue"
	kindPullRequest = "pull-request"
)

// watched is what the configuration watches. One that cannot be read marks
// nothing: the sessions are worth seeing all the same.
func (a *app) watched() watched {
	cfg, err := config.Load(a.configOptions())
	if err != nil {
		if missing := (*config.MissingError)(nil); !errors.As(err, &missing) {
			a.warn("the configuration cannot be read, so orphaned sessions are not marked; see 'the-loop config validate'")
		}
		return nil
	}
	w := watched{}
	for _, source := range cfg.Polling.Sources {
		for _, repo := range source.Repos {
			if source.Issues {
				w[repo.Scope()] = append(w[repo.Scope()], kindIssue)
			}
			if source.PullRequests {
				w[repo.Scope()] = append(w[repo.Scope()], kindPullRequest)
			}
		}
	}
	return w
}

// orphaned reports whether nothing will happen to a live session because its
// repository, or its kind of item, is not asked for any more.
func (w watched) orphaned(r session.Record) bool {
	ref, err := session.ParseRef(r.Ref)
	if w == nil || err != nil || !live(r) {
		return false
	}
	kinds := w[ref.Scope()]
	if r.Kind == "" { // a recovered record does not know
		return len(kinds) == 0
	}
	return !slices.Contains(kinds, r.Kind)
}

// live reports whether something may still be done for the item.
func live(r session.Record) bool {
	return r.State == session.StateActive || r.State == session.StateClosing ||
		r.State == session.StateGaveUp || len(r.Pending) > 0
}
