package command

import (
	"errors"
	"slices"

	"the-loop/internal/config"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// watched holds the scopes of the configuration, each with the kinds of items that
// its sources ask for. It is nil without a readable configuration.
type watched map[string][]ref.Kind

// watched reads the scopes of the configuration. If it cannot be read, no session is
// marked as orphaned: people still want to see the sessions.
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
				w[repo.Scope()] = append(w[repo.Scope()], ref.Issue)
			}
			if source.PullRequests {
				w[repo.Scope()] = append(w[repo.Scope()], ref.PullRequest)
			}
		}
	}
	return w
}

// orphaned reports whether a live session is stuck because no source asks for its
// repository, or its kind of item, any more.
func (w watched) orphaned(r session.Record) bool {
	item, err := ref.Parse(r.Ref)
	if w == nil || err != nil || !live(r) {
		return false
	}
	kinds := w[item.Scope()]
	if r.Kind == "" { // unknown in a recovered record
		return len(kinds) == 0
	}
	return !slices.Contains(kinds, r.Kind)
}

// live reports whether the daemon may still do something for the item.
func live(r session.Record) bool {
	return r.State == session.StateActive || r.State == session.StatePaused || r.State == session.StateClosing ||
		r.State == session.StateGaveUp || len(r.Pending) > 0
}
