package github

import (
	"slices"
	"strings"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// kept is a repository's last listing, if it was complete: without a failure, a cut or
// a dropped item.
type kept struct {
	issues, pulls bool // the kinds that were listed
	// allPulls is set when the pull requests without the labels were listed, too.
	allPulls bool
	// items holds everything listed. The live sessions, which change, decide which of
	// the pull requests without the labels count.
	items []poller.WorkItem
	at    time.Time
}

// most returns the larger number of items of one kind.
func (k *kept) most() int {
	issues := 0
	for _, item := range k.items {
		if item.Kind == ref.Issue {
			issues++
		}
	}
	return max(issues, len(k.items)-issues)
}

// same reports whether the answer to asked proves that the repository holds exactly
// the kept listing now. A comparison of two answers would not do: it would miss for
// ever an item that the search index did not know at the time of the listing.
func (k *kept) same(asked gh.SurveyRepo, s *gh.Surveyed) bool {
	switch {
	case s == nil || !strings.EqualFold(s.NameWithOwner, asked.Repo.NameWithOwner()):
		return false
	case asked.Issues && (s.HasIssuesEnabled == nil || !*s.HasIssuesEnabled):
		return false
	case asked.AllPullRequests && !k.holds(s.PullRequests, isPullRequest):
		return false
	case asked.FindLabel:
		return !slices.ContainsFunc(k.items, isLabelled) && lacksLabel(s.Labels, asked.Label)
	case s.Label != asked.Label:
		return false
	}
	labelled := s.PullRequests
	if asked.AllPullRequests {
		labelled = s.Labelled // a label may come or go and leave the time of the last change
	}
	return (!asked.Issues || k.holds(s.Issues, isIssue)) && (!asked.PullRequests || k.holds(labelled, isLabelledPullRequest))
}

func isIssue(item poller.WorkItem) bool       { return item.Kind == ref.Issue }
func isPullRequest(item poller.WorkItem) bool { return item.Kind == ref.PullRequest }
func isLabelled(item poller.WorkItem) bool    { return !item.Unlabelled }

func isLabelledPullRequest(item poller.WorkItem) bool { return isPullRequest(item) && isLabelled(item) }

// holds reports whether the selected items of the listing are those that GitHub has,
// by number and time of the last change.
func (k *kept) holds(now *gh.SurveyedItems, which func(poller.WorkItem) bool) bool {
	if now == nil || now.Total != len(now.Items) {
		return false
	}
	left := make(map[int]time.Time, len(now.Items))
	for _, item := range now.Items {
		left[item.Number] = item.UpdatedAt
	}
	for _, item := range k.items {
		if !which(item) {
			continue
		}
		at, ok := left[item.Number]
		if !ok || item.UpdatedAt.IsZero() || !at.Equal(item.UpdatedAt) {
			return false
		}
		delete(left, item.Number)
	}
	return len(left) == 0
}

// spelled returns the repository's spelling of the label from names, "" for none.
func spelled(names []string, label string) string {
	for _, name := range names {
		if strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(label)) {
			return name
		}
	}
	return ""
}

// lacksLabel reports whether labels holds all labels of a repository and none of them
// is the one in question, so that no item can carry it.
func lacksLabel(labels *gh.SurveyedLabels, label string) bool {
	return labels != nil && labels.Total == len(labels.Names) && spelled(labels.Names, label) == ""
}
