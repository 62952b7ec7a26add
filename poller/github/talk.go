package github

import (
	"context"
	"slices"
	"strings"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// ask makes one call about an item unless its host must not be asked, and heeds
// errors that concern the host.
func (p *Provider) ask(ctx context.Context, host, resource string, call func() (points int, err error)) error {
	if why, stopped := p.gate.stopped(host); stopped {
		return &poller.PutOffError{Reason: why.text}
	}
	points, err := call()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.Hosts.meter.talked(host, resource, 1, points)
	limit := p.gate.heed(ctx, host, err, resource)
	if gh.ClassOf(err) == gh.RateLimited {
		return &poller.PutOffError{Reason: err.Error(), Limit: limit}
	}
	return err
}

// Comments returns the conversation and, for a pull request, its reviews and inline
// comments. It leaves out pending reviews, which only their authors can see, and
// reviews without a text, whose comments are listed separately.
func (p *Provider) Comments(ctx context.Context, item poller.WorkItem) ([]poller.Comment, error) {
	if item.Kind != ref.PullRequest {
		return p.conversation(ctx, item.Repo, item.Number, issueViewLeast, p.Client.IssueComments)
	}
	all, err := p.conversation(ctx, item.Repo, item.Number, 1, p.Client.PullRequestComments)
	if err != nil {
		return nil, err
	}
	for _, surface := range []func(context.Context, ref.Repo, int) ([]poller.Comment, error){p.reviews, p.inline} {
		more, err := surface(ctx, item.Repo, item.Number)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	slices.SortStableFunc(all, func(a, b poller.Comment) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all, nil
}

// issueViewLeast is the smallest number of requests of gh issue view, which always
// asks for the comments separately.
const issueViewLeast = 2

// conversation reads the comments of item n, for which gh makes at least least
// requests.
func (p *Provider) conversation(ctx context.Context, r ref.Repo, n, least int,
	read func(context.Context, ref.Repo, int) ([]gh.Comment, error),
) ([]poller.Comment, error) {
	var comments []poller.Comment
	err := p.ask(ctx, r.Host, graphQL, func() (int, error) {
		list, err := read(ctx, r, n)
		for _, c := range list {
			comments = append(comments, poller.Comment{
				ID: c.ID, Surface: poller.SurfaceConversation, Author: login(c.Author), Body: c.Body,
				URL: c.URL, CreatedAt: c.CreatedAt, Minimized: c.Minimized,
			})
		}
		return max(least, pages(len(list))), err
	})
	return comments, err
}

func (p *Provider) reviews(ctx context.Context, r ref.Repo, n int) ([]poller.Comment, error) {
	var comments []poller.Comment
	err := p.ask(ctx, r.Host, rest, func() (int, error) {
		list, err := p.Client.Reviews(ctx, r, n)
		for _, c := range list {
			if c.State == "PENDING" || strings.TrimSpace(c.Body) == "" {
				continue
			}
			comments = append(comments, poller.Comment{
				ID: c.NodeID, Surface: poller.SurfaceReview, Author: login(c.Author), Body: c.Body,
				URL: c.URL, CreatedAt: c.SubmittedAt, ReviewState: c.State,
			})
		}
		return pages(len(list)), err
	})
	return comments, err
}

func (p *Provider) inline(ctx context.Context, r ref.Repo, n int) ([]poller.Comment, error) {
	var comments []poller.Comment
	err := p.ask(ctx, r.Host, rest, func() (int, error) {
		list, err := p.Client.ReviewComments(ctx, r, n)
		for _, c := range list {
			comments = append(comments, poller.Comment{
				ID: c.NodeID, Surface: poller.SurfaceInline, Author: login(c.Author), Body: c.Body,
				URL: c.URL, CreatedAt: c.CreatedAt, Path: c.Path, Line: c.Line,
			})
		}
		return pages(len(list)), err
	})
	return comments, err
}

// Login returns gh's login on the host.
func (p *Provider) Login(ctx context.Context, host string) (string, error) {
	var me string
	err := p.ask(ctx, host, rest, func() (_ int, err error) {
		me, err = p.Client.Login(ctx, host)
		return 1, err
	})
	return me, err
}

// SameLogin compares logins without case, as GitHub does. The two spellings of an
// app's login are equal.
func (*Provider) SameLogin(a, b string) bool { return gh.SameLogin(a, b) }

// login returns an author's login, "" for the deleted account that gh calls "app/".
func login(author string) string {
	if author == "app/" {
		return ""
	}
	return author
}
