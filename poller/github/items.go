package github

import (
	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// listed returns the parts common to issues and pull requests.
func (r *repository) listed(n int) poller.WorkItem {
	return poller.WorkItem{Ref: r.Item(n).String(), Scope: r.scope, Item: r.Item(n)}
}

// issueItem returns the work item of a listed issue.
func issueItem(r *repository, is gh.Issue) poller.WorkItem {
	w := r.listed(is.Number)
	w.Kind = ref.Issue
	w.Title, w.URL, w.Author = is.Title, is.URL, login(is.Author)
	w.Labels, w.UpdatedAt = is.Labels, is.UpdatedAt
	return w
}

// pullRequestItem returns the work item of a listed pull request.
func pullRequestItem(r *repository, pr gh.PullRequest, links linkPatterns) poller.WorkItem {
	w := r.listed(pr.Number)
	w.Kind = ref.PullRequest
	w.Title, w.URL, w.Author = pr.Title, pr.URL, login(pr.Author)
	w.Labels, w.UpdatedAt = pr.Labels, pr.UpdatedAt
	w.HeadRef, w.Body, w.Draft = pr.HeadRefName, pr.Body, pr.IsDraft
	w.Linked = links.linked(r, pr)
	return w
}
