package github

import (
	"testing"

	"the-loop/gh"
	"the-loop/internal/ghtest"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// fakeClient is a client that answers from rules, in fewer words.
type fakeClient struct{ *ghtest.Client }

func newFake(t *testing.T) *fakeClient { return &fakeClient{ghtest.New(t)} }

func (f *fakeClient) on(call string, answers ...any) *fakeClient {
	f.On(call, answers...)
	return f
}

func (f *fakeClient) took() []string { return f.Calls() }

func (f *fakeClient) count(call string) int { return f.Count(call) }

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
