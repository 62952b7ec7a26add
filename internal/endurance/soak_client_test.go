//go:build unix

package endurance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"the-loop/gh"
	"the-loop/internal/endurance"
	"the-loop/internal/ref"
)

// client is a gh that answers at once from the town. The town must not change during a
// cycle.
type client struct {
	town           *town
	calls, surveys atomic.Uint64
}

func failed(code int, stderr string) error {
	return gh.ExitError([]string{"issue", "list", "--repo"}, code, stderr)
}

// trouble returns the error for a call about a repository, or nil.
func (c *client) trouble(ctx context.Context, r ref.Repo) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(c.town.world.Seed, c.calls.Add(1)))
	switch n := rng.IntN(2000); {
	case c.town.conditions[r.Scope()] == down, n < 20:
		return failed(1, "HTTP 502: Bad Gateway (https://api.github.com/graphql)")
	case n < 21:
		return failed(1, "GraphQL: API rate limit exceeded for user ID 1.")
	case n < 22:
		return failed(4, "To get started with GitHub CLI, please run:  gh auth login")
	case c.town.conditions[r.Scope()] == missing:
		return failed(1, "GraphQL: Could not resolve to a Repository with the name '"+r.String()+"'. (repository)")
	}
	return nil
}

func (c *client) Resolve() error {
	if c.calls.Add(1)%997 == 0 {
		return errors.New("could not run gh: gh was not found on PATH")
	}
	return nil
}

// listed returns the items that the search index shows.
func (c *client) listed(r ref.Repo, kind endurance.Kind, f gh.Filter) []*endurance.Item {
	var list []*endurance.Item
	if c.town.conditions[r.Scope()] == renamed {
		return nil // as the search index does
	}
	for _, i := range c.town.world.Items {
		shown := i.Shown()
		if i.Repo == r.Scope() && i.Kind == kind && shown.Open && (shown.Labelled || len(f.Labels) == 0) {
			list = append(list, i)
		}
	}
	return list
}

func (c *client) Issues(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error) {
	if err := c.trouble(ctx, r); err != nil {
		return nil, 0, err
	}
	if c.town.conditions[r.Scope()] == issuesOff {
		return nil, 0, failed(1, "the '"+r.String()+"' repository has disabled issues")
	}
	var issues []gh.Issue
	for _, i := range c.listed(r, endurance.Issue, f) {
		issues = append(issues, gh.Issue{
			Number: i.Number, Title: fmt.Sprint("Item ", i.Number), URL: i.URL(), Author: i.Author,
			Labels: []string{"the-loop"}, UpdatedAt: second(i.Shown().UpdatedAt),
		})
	}
	return issues, len(issues), nil
}

func (c *client) PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error) {
	if err := c.trouble(ctx, r); err != nil {
		return nil, 0, err
	}
	var pulls []gh.PullRequest
	for _, i := range c.listed(r, endurance.Pull, f) {
		pr := gh.PullRequest{
			Number: i.Number, Title: fmt.Sprint("Item ", i.Number), URL: i.URL(), Author: i.Author,
			Labels: labels(i.Shown().Labelled), UpdatedAt: second(i.Shown().UpdatedAt), HeadRefName: "work",
		}
		if i.Closes != 0 {
			pr.Closing = []ref.Item{r.Item(i.Closes)}
		}
		pulls = append(pulls, pr)
	}
	return pulls, len(pulls), nil
}

func labels(labelled bool) []string {
	if labelled {
		return []string{"the-loop"}
	}
	return []string{}
}

func second(n int64) time.Time { return time.Unix(1_750_000_000+n, 0).UTC() }

func (c *client) Repository(ctx context.Context, r ref.Repo) (gh.Repository, error) {
	if err := c.trouble(ctx, r); err != nil {
		return gh.Repository{}, err
	}
	name, enabled := r.String(), c.town.conditions[r.Scope()] != issuesOff
	if c.town.conditions[r.Scope()] == renamed {
		name = "octo/elsewhere"
	}
	return gh.Repository{NameWithOwner: name, HasIssuesEnabled: &enabled}, nil
}

// RateLimit reports a limit that ends very soon, so that the run goes on.
func (c *client) RateLimit(context.Context, string) (gh.RateLimits, error) {
	over := gh.Quota{Limit: 5000, Reset: time.Now().Add(5 * time.Millisecond)}
	return gh.RateLimits{"graphql": over, "core": over}, nil
}

func (c *client) item(ctx context.Context, r ref.Repo, n int) (*endurance.Item, error) {
	if err := c.trouble(ctx, r); err != nil {
		return nil, err
	}
	if i := c.town.world.Item(fmt.Sprintf("github:%s#%d", r.Scope(), n)); i != nil {
		return i, nil
	}
	return nil, failed(1, "gh: Not Found (HTTP 404)")
}

func (c *client) IssueComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return surface(ctx, c, r, n, endurance.Conversation, func(s endurance.Comment) gh.Comment {
		return gh.Comment{ID: s.ID, Author: s.Author, Body: s.Body, CreatedAt: second(s.CreatedAt)}
	})
}

func (c *client) PullRequestComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return c.IssueComments(ctx, r, n)
}

func (c *client) Reviews(ctx context.Context, r ref.Repo, n int) ([]gh.Review, error) {
	return surface(ctx, c, r, n, endurance.Review, func(s endurance.Comment) gh.Review {
		return gh.Review{NodeID: s.ID, Author: s.Author, Body: s.Body, State: "COMMENTED", SubmittedAt: second(s.CreatedAt)}
	})
}

func (c *client) ReviewComments(ctx context.Context, r ref.Repo, n int) ([]gh.ReviewComment, error) {
	return surface(ctx, c, r, n, endurance.Inline, func(s endurance.Comment) gh.ReviewComment {
		return gh.ReviewComment{NodeID: s.ID, Author: s.Author, Body: s.Body, Path: "main.go", Line: 1, CreatedAt: second(s.CreatedAt)}
	})
}

// surface converts the comments on one surface of an item.
func surface[C any](ctx context.Context, c *client, r ref.Repo, n int, where string, convert func(endurance.Comment) C) ([]C, error) {
	i, err := c.item(ctx, r, n)
	if err != nil {
		return nil, err
	}
	var list []C
	for _, s := range i.Comments {
		if s.Surface == where {
			list = append(list, convert(s))
		}
	}
	return list, nil
}

func (c *client) PullRequestPoints() int { return 1 }

func (c *client) PullRequest(context.Context, ref.Repo, int) (gh.PullRequestState, error) {
	return gh.PullRequestState{}, nil // without an update handler the poller never asks
}

func (c *client) IssueState(ctx context.Context, r ref.Repo, n int) (gh.IssueState, error) {
	i, err := c.item(ctx, r, n)
	if err != nil {
		return gh.IssueState{}, err
	}
	state := map[bool]string{true: "open", false: "closed"}[i.Open]
	return gh.IssueState{
		Item: r.Item(i.Number), State: state, Merged: i.Merged, URL: i.URL(),
		PullRequest: i.Kind == endurance.Pull,
	}, nil
}

func (c *client) Login(ctx context.Context, host string) (string, error) {
	if err := c.trouble(ctx, ref.Repo{Host: host}); err != nil {
		return "", err
	}
	return operator, nil
}
