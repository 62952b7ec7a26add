package github

import (
	"context"

	"the-loop/gh"
	"the-loop/poller"
)

// PullRequest asks for the checks, conflicts and reviews of a pull request.
func (p *Provider) PullRequest(ctx context.Context, item poller.WorkItem) (poller.PullRequest, error) {
	var state gh.PullRequestState
	err := p.ask(ctx, item.Host, graphQL, func() (_ int, err error) {
		state, err = p.Client.PullRequest(ctx, item.Repo, item.Number)
		return pages(state.Entries), err
	})
	if err != nil {
		return poller.PullRequest{}, err
	}
	return pullRequest(state), nil
}

func pullRequest(s gh.PullRequestState) poller.PullRequest {
	pr := poller.PullRequest{
		HeadSHA: s.HeadSHA, Ending: poller.StillOpen, Conflicting: s.Mergeable == "CONFLICTING", Decision: s.ReviewDecision,
	}
	switch s.State {
	case "MERGED":
		pr.Ending = poller.EndedMerged
	case "CLOSED":
		pr.Ending = poller.EndedClosed
	}
	for _, check := range s.Checks {
		pr.Checks = append(pr.Checks, poller.Check{Name: check.Name, URL: check.URL, Result: poller.CheckResult(check.Result)})
	}
	return pr
}
