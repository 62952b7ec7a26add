// Package ghtest replaces a [gh.Client] in tests. It answers from rules, starts no process,
// and fails the test for a call without a rule. So it works in a testing/synctest bubble
// and can return errors of every class.
//
// Tests only. It may import gh and internal/ref, the types of gh's calls.
package ghtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"the-loop/gh"
	"the-loop/internal/ref"
)

// Client answers the calls of a gh.Client. Its methods are safe for concurrent use.
type Client struct {
	t      testing.TB
	mu     sync.Mutex
	rules  map[string][]any
	calls  []string
	listed []string

	// Points is the cost of a listing of pull requests.
	Points int
	// Gone makes Resolve fail.
	Gone error
}

// New returns a client without rules.
func New(t testing.TB) *Client { return &Client{t: t, rules: map[string][]any{}, Points: 1} }

// Dropped is the number of listed items that gh's client drops, as it does with items
// that carry another repository's address.
type Dropped int

// On sets the answers to a call, in order; the last repeats. A call is a word and its
// subject, such as "issues octo/a"; "issues *" is for subjects without a rule of their
// own. An answer is the call's result, an error, or a function that returns either. Any
// other value panics:
//
//	path, version               a text
//	closing                     whether gh reports closing references
//	login HOST, limits HOST     a text, gh.RateLimits
//	issues REPO, pulls REPO     how many items there are, or Dropped
//	repo REPO                   gh.Repository, for Repository and Inspect; one
//	                            without a name has the name that was asked for
//	label REPO LABEL            whether it is there
//	survey HOST                 its cost, and no item anywhere, or a function that
//	                            returns GitHub's JSON for a gh.Survey
//	state, comments, reviews, inline, pull REPO#N    what gh.Client returns
func (c *Client) On(call string, answers ...any) *Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rules[call] = answers
	return c
}

// Calls returns the calls so far.
func (c *Client) Calls() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// Count returns how often a call was made.
func (c *Client) Count(call string) int {
	n := 0
	for _, made := range c.Calls() {
		if made == call {
			n++
		}
	}
	return n
}

// Listed returns the listings so far, with their labels and limits, and the surveys.
func (c *Client) Listed() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.listed)
}

func (c *Client) note(listing string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listed = append(c.listed, listing)
}

// take records a call and returns its answer.
func (c *Client) take(call string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, call)
	n := 0
	for _, made := range c.calls {
		if made == call {
			n++
		}
	}
	rule, ok := c.rules[call]
	if !ok {
		word, _, _ := strings.Cut(call, " ")
		rule, ok = c.rules[word+" *"]
	}
	if !ok {
		c.t.Errorf("unexpected call %q", call)
		return errors.New("unexpected call")
	}
	return rule[min(n, len(rule))-1]
}

// answer returns a rule's answer to a call with a result of type T.
func answer[T any](c *Client, call string) (T, error) {
	a := c.take(call)
	if f, ok := a.(func() any); ok {
		a = f()
	}
	var none T
	switch a := a.(type) {
	case error:
		return none, a
	case T:
		return a, nil
	}
	panic(fmt.Sprintf("%s: the answer %v is a %T, not a %T", call, a, a, none))
}

// about returns the name of a call about an item.
func about(call string, r ref.Repo, n int) string { return fmt.Sprintf("%s %s#%d", call, r.Scope(), n) }

func (c *Client) Resolve() error { return c.Gone }

func (c *Client) Path() (string, error) { return answer[string](c, "path") }

func (c *Client) Version(context.Context) (string, error) { return answer[string](c, "version") }

func (c *Client) KnowsClosingReferences(context.Context) (bool, error) {
	return answer[bool](c, "closing")
}

func (c *Client) Login(_ context.Context, host string) (string, error) {
	return answer[string](c, "login "+host)
}

func (c *Client) RateLimit(_ context.Context, host string) (gh.RateLimits, error) {
	return answer[gh.RateLimits](c, "limits "+host)
}

func (c *Client) PullRequestPoints() int { return c.Points }

func (c *Client) Issues(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error) {
	n, total, err := c.list(ctx, "issues", r, f)
	issues := make([]gh.Issue, n)
	for i := range issues {
		issues[i] = gh.Issue{Number: i + 1, URL: fmt.Sprintf("https://%s/%s/%s/issues/%d", r.Host, r.Owner, r.Name, i+1)}
	}
	return issues, total, err
}

func (c *Client) PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error) {
	n, total, err := c.list(ctx, "pulls", r, f)
	pulls := make([]gh.PullRequest, n)
	for i := range pulls {
		pulls[i] = gh.PullRequest{Number: 100 + i, URL: fmt.Sprintf("https://%s/%s/%s/pull/%d", r.Host, r.Owner, r.Name, 100+i)}
	}
	return pulls, total, err
}

// list returns how many items a listing has, and how many gh printed.
func (c *Client) list(ctx context.Context, kind string, r ref.Repo, f gh.Filter) (n, total int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	c.note(fmt.Sprintf("%s of %s, %s, at most %d", kind, r.Scope(), strings.Join(f.Labels, "+"), f.Limit))
	a, err := answer[any](c, kind+" "+r.Scope())
	switch a := a.(type) {
	case int:
		return a, a, nil
	case Dropped:
		return 0, int(a), nil
	}
	if err == nil {
		panic(fmt.Sprintf("%s %s: %v is no number of items", kind, r.Scope(), a))
	}
	return 0, 0, err
}

func (c *Client) Repository(_ context.Context, r ref.Repo) (gh.Repository, error) {
	a, err := answer[gh.Repository](c, "repo "+r.Scope())
	if err == nil && a.NameWithOwner == "" {
		a.NameWithOwner = r.Owner + "/" + r.Name
	}
	return a, err
}

func (c *Client) Inspect(ctx context.Context, r ref.Repo) (gh.Repository, error) {
	return c.Repository(ctx, r)
}

func (c *Client) HasLabel(_ context.Context, r ref.Repo, label string) (bool, error) {
	return answer[bool](c, "label "+r.Scope()+" "+label)
}

func (c *Client) Survey(_ context.Context, s gh.Survey) (gh.SurveyAnswer, error) {
	c.note("survey of " + names(s))
	a, err := answer[any](c, "survey "+s.Host)
	switch a := a.(type) {
	case int:
		found := gh.SurveyAnswer{Cost: a}
		for range s.Repos {
			found.Repos = append(found.Repos, &gh.Surveyed{})
		}
		return found, nil
	case func(gh.Survey) string:
		return s.Read([]byte(a(s)))
	}
	if err == nil {
		panic(fmt.Sprintf("survey %s: %v is no answer", s.Host, a))
	}
	return gh.SurveyAnswer{}, err
}

func names(s gh.Survey) string {
	var all []string
	for _, r := range s.Repos {
		all = append(all, r.Repo.Scope())
	}
	return strings.Join(all, ", ")
}

func (c *Client) IssueComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return answer[[]gh.Comment](c, about("comments", r, n))
}

func (c *Client) PullRequestComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return answer[[]gh.Comment](c, about("comments", r, n))
}

func (c *Client) Reviews(_ context.Context, r ref.Repo, n int) ([]gh.Review, error) {
	return answer[[]gh.Review](c, about("reviews", r, n))
}

func (c *Client) ReviewComments(_ context.Context, r ref.Repo, n int) ([]gh.ReviewComment, error) {
	return answer[[]gh.ReviewComment](c, about("inline", r, n))
}

func (c *Client) IssueState(_ context.Context, r ref.Repo, n int) (gh.IssueState, error) {
	return answer[gh.IssueState](c, about("state", r, n))
}

func (c *Client) PullRequest(_ context.Context, r ref.Repo, n int) (gh.PullRequestState, error) {
	return answer[gh.PullRequestState](c, about("pull", r, n))
}
