package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// Ended asks the item itself. GitHub follows transfers, so an answer about another
// number or repository means that the item was moved.
func (p *Provider) Ended(ctx context.Context, text string) (poller.Answer, error) {
	item, err := ref.Parse(text)
	if err != nil {
		return poller.Answer{}, fmt.Errorf("%s names no item", text)
	}
	repo := p.owned[item.Scope()]
	if repo == nil {
		return poller.Answer{}, fmt.Errorf("%s is of no repository of this source", text)
	}
	var state gh.IssueState
	err = p.ask(ctx, repo.Host, rest, func() (_ int, err error) {
		state, err = p.Client.IssueState(ctx, repo.Repo, item.Number)
		return 1, err
	})
	switch {
	case gh.NoSuchItem(err):
		return p.deleted(ctx, repo, err)
	case err != nil:
		return poller.Answer{}, err
	case !state.Is(repo.Repo, item.Number):
		return poller.Answer{Ending: poller.Gone, MovedTo: fmt.Sprintf("%s#%d", state.Item.NameWithOwner(), state.Item.Number)}, nil
	}
	a := answer(state)
	a.Unlabelled = state.Labels != nil && !gh.HasLabels(state.Labels, p.Labels)
	return a, nil
}

// answer converts the state of an item that is still in its place.
func answer(s gh.IssueState) poller.Answer {
	a := poller.Answer{
		Ending: poller.StillOpen, Kind: ref.Issue, Title: s.Title, URL: s.URL, Author: login(s.Author),
	}
	if s.PullRequest {
		a.Kind = ref.PullRequest
	}
	switch {
	case s.Closed() && s.Merged:
		a.Ending = poller.EndedMerged
	case s.Closed():
		a.Ending = poller.EndedClosed
	}
	return a
}

// deleted decides what it means that GitHub knows no such item. GitHub says the same
// of every item of a repository that is out of reach, was renamed or has its Issues
// disabled. Only a repository that answers proves that the item is gone; otherwise
// noItem remains a failure.
func (p *Provider) deleted(ctx context.Context, repo *repository, noItem error) (poller.Answer, error) {
	var r gh.Repository
	err := p.ask(ctx, repo.Host, graphQL, func() (_ int, err error) {
		r, err = p.Client.Repository(ctx, repo.Repo)
		return 1, err
	})
	switch {
	case ctx.Err() != nil, errors.Is(err, poller.ErrPutOff):
		return poller.Answer{}, err
	case err != nil, r.HasIssuesEnabled == nil || !*r.HasIssuesEnabled,
		!strings.EqualFold(r.NameWithOwner, repo.NameWithOwner()):
		return poller.Answer{}, noItem
	}
	return poller.Answer{Ending: poller.Gone}, nil
}
