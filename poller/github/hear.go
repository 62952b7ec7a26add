package github

import (
	"context"
	"slices"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// An agent's pull request seldom carries the label. In a repository with a live
// session of an issue, pull requests are therefore listed without it. This file
// selects the labelled ones and those that link to a live session.

// hearLimit is the number of pull requests that such a listing asks for. If so many
// come there may be more.
const hearLimit = 301

// hearing holds the live sessions.
type hearing struct {
	live   map[string]ref.Kind // by ref
	issues map[string]bool     // scopes with a live session of an issue
}

// Hear implements [poller.Provider].
func (p *Provider) Hear(live map[string]ref.Kind) {
	p.hearing = hearing{live: live, issues: map[string]bool{}}
	for item, kind := range live {
		if kind != ref.PullRequest {
			p.issues[p.ScopeOf(item)] = true
		}
	}
}

// feeds reports whether the pull request links to a live session and has no session
// of its own.
func (h hearing) feeds(item poller.WorkItem) bool {
	if _, own := h.live[item.Ref]; own {
		return false // without its label it is no longer listed
	}
	for _, link := range item.Linked {
		if _, live := h.live[link]; live {
			return true
		}
	}
	return false
}

// hears reports whether to list the pull requests of r without the labels. It marks a
// repository that has too many as unheard.
func (w *walk) hears(r *repository, o *outcome) bool {
	o.heard = len(w.Labels) == 0
	o.unheard = !o.heard && w.issues[r.scope] && r.crowded.withheld(w.cycle, w.ReprobeCycles)
	return w.mayHear(r)
}

// mayHear reports whether r has a live session of an issue, and is not known to have
// too many pull requests.
func (p *Provider) mayHear(r *repository) bool {
	return len(p.Labels) > 0 && p.PullRequests && p.issues[r.scope] && !r.crowded.withheld(p.cycle, p.ReprobeCycles)
}

// askWithoutLabel lists the pull requests of r without the labels. It returns false if
// there are too many: only the labelled listing counts then.
func (w *walk) askWithoutLabel(ctx context.Context, r *repository, o *outcome) bool {
	pulls, listed, err := w.Client.PullRequests(ctx, r.Repo, gh.Filter{Limit: hearLimit})
	w.Hosts.meter.listed(r.Host, 1, pages(listed)*w.Client.PullRequestPoints())
	if err == nil && listed >= hearLimit {
		r.crowded, o.unheard = standing{since: w.cycle}, true
		return false
	}
	items := make([]poller.WorkItem, 0, len(pulls))
	for _, pr := range pulls {
		item := pullRequestItem(r, pr, w.links)
		item.Unlabelled = !gh.HasLabels(pr.Labels, w.Labels)
		items = append(items, item)
	}
	if o.pulls = w.took(ctx, r, o, items, listed, err); o.pulls {
		r.crowded, o.heard = standing{}, true
	}
	return true
}

// chosen selects the items that count: those with the labels, and pull requests that
// feed a live session.
func (h hearing) chosen(listed []poller.WorkItem) []poller.WorkItem {
	other := func(item poller.WorkItem) bool { return item.Unlabelled && !h.feeds(item) }
	if !slices.ContainsFunc(listed, other) {
		return listed
	}
	return slices.DeleteFunc(slices.Clone(listed), other)
}
