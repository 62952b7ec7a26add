package github

import (
	"slices"
	"strings"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// kept is a repository's last listing, kept because it was complete: nothing of
// it failed, was cut off or was dropped.
type kept struct {
	issues, pulls bool // the kinds that were listed
	// allPulls is set when the pull requests without the labels were listed, too.
	allPulls bool
	// items are all that was listed: which pull requests without the labels count
	// depends on the live sessions, and these change.
	items []poller.WorkItem
	at    time.Time
}

// most is how many items of one kind the listing holds.
func (k *kept) most() int {
	issues := 0
	for _, item := range k.items {
		if item.Kind == ref.Issue {
			issues++
		}
	}
	return max(issues, len(k.items)-issues)
}

// same reports whether the answer to asked proves that the repository holds
// exactly the kept listing now. Comparing two answers would not do: an item that
// the search index did not know when the repository was listed would be missed
// for good.
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

// holds reports whether those items of the listing are the ones that GitHub has,
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

// spelled is the label among names as the repository spells it, "" for none.
func spelled(names []string, label string) string {
	for _, name := range names {
		if strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(label)) {
			return name
		}
	}
	return ""
}

// lacksLabel reports whether these are all labels of a repository and none of
// them is the one asked about, so that nothing can carry it.
func lacksLabel(labels *gh.SurveyedLabels, label string) bool {
	return labels != nil && labels.Total == len(labels.Names) && spelled(labels.Names, label) == ""
}
