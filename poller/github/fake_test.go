package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// fakeClient answers from rules; a call that has none fails the test.
type fakeClient struct {
	t     *testing.T
	mu    sync.Mutex
	rules map[string][]any // answers in order, the last repeats
	calls []string
	// pullPoints is what a listing of pull requests costs, 1 when zero.
	pullPoints int
	// gone makes Resolve fail.
	gone error
}

func newFake(t *testing.T) *fakeClient {
	return &fakeClient{t: t, rules: map[string][]any{}}
}

// foreign is so many listed items that were dropped, as those are that have the
// address of another repository.
type foreign int

// on scripts a call such as "issues octo/a": an int is how many items there
// are, an error fails, a gh.Repository or gh.RateLimits is itself.
func (f *fakeClient) on(call string, answers ...any) *fakeClient {
	f.rules[call] = answers
	return f
}

func (f *fakeClient) answer(call string) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
	n := 0
	for _, c := range f.calls {
		if c == call {
			n++
		}
	}
	rule, ok := f.rules[call]
	if !ok {
		f.t.Errorf("unexpected call %q", call)
		return errors.New("unexpected call")
	}
	a := rule[min(n, len(rule))-1]
	if fn, ok := a.(func() any); ok {
		return fn()
	}
	return a
}

// took returns the calls since the last time it was asked.
func (f *fakeClient) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := slices.Clone(f.calls)
	return calls
}

func (f *fakeClient) count(call string) int {
	n := 0
	for _, c := range f.took() {
		if c == call {
			n++
		}
	}
	return n
}

func (f *fakeClient) PullRequestPoints() int { return max(1, f.pullPoints) }

func (f *fakeClient) Resolve() error { return f.gone }

func (f *fakeClient) Issues(ctx context.Context, r ref.Repo, _ gh.Filter) ([]gh.Issue, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	switch a := f.answer("issues " + r.Scope()).(type) {
	case error:
		return nil, 0, a
	case int:
		issues := make([]gh.Issue, a)
		for i := range issues {
			issues[i] = gh.Issue{Number: i + 1, URL: fmt.Sprintf("https://%s/%s/%s/issues/%d", r.Host, r.Owner, r.Name, i+1)}
		}
		return issues, len(issues), nil
	case foreign:
		return nil, int(a), nil
	default:
		panic(fmt.Sprint("issues: ", a))
	}
}

func (f *fakeClient) PullRequests(ctx context.Context, r ref.Repo, _ gh.Filter) ([]gh.PullRequest, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	switch a := f.answer("pulls " + r.Scope()).(type) {
	case error:
		return nil, 0, a
	case int:
		pulls := make([]gh.PullRequest, a)
		for i := range pulls {
			pulls[i] = gh.PullRequest{Number: 100 + i, URL: fmt.Sprintf("https://%s/%s/%s/pull/%d", r.Host, r.Owner, r.Name, 100+i)}
		}
		return pulls, len(pulls), nil
	default:
		panic(fmt.Sprint("pulls: ", a))
	}
}

func (f *fakeClient) Repository(_ context.Context, r ref.Repo) (gh.Repository, error) {
	switch a := f.answer("repo " + r.Scope()).(type) {
	case error:
		return gh.Repository{}, a
	case gh.Repository:
		return a, nil
	default:
		panic(fmt.Sprint("repo: ", a))
	}
}

func (f *fakeClient) IssueComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return talk[[]gh.Comment](f, "comments", r, n)
}

func (f *fakeClient) PullRequestComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return talk[[]gh.Comment](f, "comments", r, n)
}

func (f *fakeClient) Reviews(_ context.Context, r ref.Repo, n int) ([]gh.Review, error) {
	return talk[[]gh.Review](f, "reviews", r, n)
}

func (f *fakeClient) ReviewComments(_ context.Context, r ref.Repo, n int) ([]gh.ReviewComment, error) {
	return talk[[]gh.ReviewComment](f, "inline", r, n)
}

func (f *fakeClient) IssueState(_ context.Context, r ref.Repo, n int) (gh.IssueState, error) {
	return talk[gh.IssueState](f, "state", r, n)
}

func (f *fakeClient) Login(_ context.Context, host string) (string, error) {
	switch a := f.answer("login " + host).(type) {
	case error:
		return "", a
	default:
		return a.(string), nil
	}
}

// talk answers a call about one item.
func talk[T any](f *fakeClient, call string, r ref.Repo, n int) (T, error) {
	a := f.answer(fmt.Sprintf("%s %s#%d", call, r.Scope(), n))
	if err, ok := a.(error); ok {
		var none T
		return none, err
	}
	return a.(T), nil
}

func (f *fakeClient) RateLimit(_ context.Context, host string) (gh.RateLimits, error) {
	switch a := f.answer("limits " + host).(type) {
	case error:
		return nil, a
	case gh.RateLimits:
		return a, nil
	default:
		panic(fmt.Sprint("limits: ", a))
	}
}

// The errors of a real gh, see internal/fakegh.
var (
	errDisabled  = gh.ExitError([]string{"issue", "list", "--repo"}, 1, "the 'octo/m' repository has disabled issues")
	errGateway   = gh.ExitError([]string{"issue", "list", "--repo"}, 1, "HTTP 502: Bad Gateway (https://api.github.com/graphql)")
	errLimit     = gh.ExitError([]string{"issue", "list", "--repo"}, 1, "GraphQL: API rate limit exceeded for user ID 1.")
	errSecondary = gh.ExitError([]string{"issue", "list", "--repo"}, 1, "HTTP 403: You have exceeded a secondary rate limit. (https://api.github.com/graphql)")
	errNoLogin   = gh.ExitError([]string{"issue", "list", "--repo"}, 4, "To get started with GitHub CLI, please run:  gh auth login")
	errSAML      = gh.ExitError([]string{"repo", "view", "github.com/octo/none"}, 1, "GraphQL: Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization. (repository)")
	errForbidden = gh.ExitError([]string{"repo", "view", "github.com/octo/none"}, 1, "HTTP 403: Although you appear to have the correct authorization credentials, the organization has an IP allow list enabled. (https://api.github.com/graphql)")
	errNoRepo    = gh.ExitError([]string{"repo", "view", "github.com/octo/none"}, 1, "GraphQL: Could not resolve to a Repository with the name 'octo/none'. (repository)")
)

func named(name string) gh.Repository { return gh.Repository{NameWithOwner: name} }

func issuesOn(name string, on bool) gh.Repository {
	return gh.Repository{NameWithOwner: name, HasIssuesEnabled: &on}
}

func repos(t *testing.T, names ...string) []ref.Repo {
	t.Helper()
	var list []ref.Repo
	for _, n := range names {
		r, err := ref.ParseRepo(n, "")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// provider makes a provider over the fake with a label, asking both kinds.
func provider(t *testing.T, f *fakeClient, names ...string) *Provider {
	t.Helper()
	return New(Options{
		Client: f, Hosts: NewHosts(), Repos: repos(t, names...), Labels: []string{"the-loop"},
		Issues: true, PullRequests: true, Limit: 1000, ReprobeCycles: 4,
	})
}

func list(t *testing.T, p *Provider) poller.Listing {
	t.Helper()
	l, err := p.Listing(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (f *fakeClient) PullRequest(context.Context, ref.Repo, int) (gh.PullRequestState, error) {
	return gh.PullRequestState{}, nil
}
