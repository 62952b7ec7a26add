//go:build unix

package gh

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ref"
)

// TestArguments has every call with its arguments, as a repository on
// github.com and one elsewhere need them.
func TestArguments(t *testing.T) {
	home := ref.Repo{Host: "github.com", Owner: "Octo", Name: "Repo.B"}
	away := ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "-x"}
	const (
		fields = "number,title,labels,updatedAt,url,author"
		pulls  = "number,title,labels,updatedAt,url,headRefName,body,author,isDraft,isCrossRepository,closingIssuesReferences"
	)
	type call func(context.Context, *Client) error
	tests := []struct {
		name string
		call call
		want string
	}{
		{"issues", func(ctx context.Context, c *Client) error {
			_, _, err := c.Issues(ctx, home, Filter{Labels: []string{"the-loop"}, Limit: 1000})
			return err
		}, `issue | list | --repo | github.com/Octo/Repo.B | --label | "the-loop" | --state | open | --limit | 1000 | --json | ` + fields},
		{"pull requests", func(ctx context.Context, c *Client) error {
			_, _, err := c.PullRequests(ctx, away, Filter{Labels: []string{"the-loop"}, Limit: 3})
			return err
		}, `pr | list | --repo | ghe.example.com/octo/-x | --label | "the-loop" | --state | open | --limit | 3 | --json | ` + pulls},
		{"every open item", func(ctx context.Context, c *Client) error {
			_, _, err := c.Issues(ctx, home, Filter{})
			return err
		}, `issue | list | --repo | github.com/Octo/Repo.B | --state | open | --limit | 1000 | --json | ` + fields},
		{"every open item, by star", func(ctx context.Context, c *Client) error {
			_, _, err := c.Issues(ctx, home, Filter{Labels: []string{"*"}})
			return err
		}, `issue | list | --repo | github.com/Octo/Repo.B | --state | open | --limit | 1000 | --json | ` + fields},
		{"labels that CSV would split", func(ctx context.Context, c *Client) error {
			_, _, err := c.Issues(ctx, home, Filter{Labels: []string{"a,b", `say "hi"`, "-x", " two words "}, Limit: 1})
			return err
		}, `issue | list | --repo | github.com/Octo/Repo.B | --label | "a,b" | --label | "say ""hi""" | --label | "-x" | --label | " two words " | --state | open | --limit | 1 | --json | ` + fields},
		{"issue comments", func(ctx context.Context, c *Client) error {
			_, err := c.IssueComments(ctx, home, 12)
			return err
		}, `issue | view | 12 | --repo | github.com/Octo/Repo.B | --json | comments`},
		{"pull request comments", func(ctx context.Context, c *Client) error {
			_, err := c.PullRequestComments(ctx, away, 12)
			return err
		}, `pr | view | 12 | --repo | ghe.example.com/octo/-x | --json | comments`},
		{"reviews", func(ctx context.Context, c *Client) error {
			_, err := c.Reviews(ctx, home, 12)
			return err
		}, `api | --hostname | github.com | repos/Octo/Repo.B/pulls/12/reviews?per_page=100 | --paginate`},
		{"review comments", func(ctx context.Context, c *Client) error {
			_, err := c.ReviewComments(ctx, away, 12)
			return err
		}, `api | --hostname | ghe.example.com | repos/octo/-x/pulls/12/comments?per_page=100 | --paginate`},
		{"closure", func(ctx context.Context, c *Client) error {
			_, err := c.IssueState(ctx, home, 12)
			return err
		}, `api | --hostname | github.com | repos/Octo/Repo.B/issues/12`},
		{"closure elsewhere", func(ctx context.Context, c *Client) error {
			_, err := c.IssueState(ctx, away, 12)
			return err
		}, `api | --hostname | ghe.example.com | repos/octo/-x/issues/12`},
		{"who a repository is", func(ctx context.Context, c *Client) error {
			_, err := c.Repository(ctx, away)
			return err
		}, `repo | view | ghe.example.com/octo/-x | --json | nameWithOwner,hasIssuesEnabled`},
		{"rate limit", func(ctx context.Context, c *Client) error {
			_, err := c.RateLimit(ctx, "GitHub.com")
			return err
		}, `api | --hostname | github.com | rate_limit`},
		{"rate limit elsewhere", func(ctx context.Context, c *Client) error {
			_, err := c.RateLimit(ctx, "localhost:8443")
			return err
		}, `api | --hostname | localhost:8443 | rate_limit`},
		{"login", func(ctx context.Context, c *Client) error {
			_, err := c.Login(ctx, "github.com")
			return err
		}, `api | --hostname | github.com | user`},
		{"login elsewhere", func(ctx context.Context, c *Client) error {
			_, err := c.Login(ctx, "ghe.example.com")
			return err
		}, `api | --hostname | ghe.example.com | user`},
		{"version", func(ctx context.Context, c *Client) error {
			_, err := c.Version(ctx)
			return err
		}, `--version`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := answering(t, "", "", 1)
			if err := tt.call(t.Context(), f.Client); err == nil {
				t.Error("no error for exit 1")
			}
			if diff := cmp.Diff([]string{tt.want}, f.calls()); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// What no ref.ParseRepo vouched for does not reach gh.
func TestNothingUncheckedReachesGH(t *testing.T) {
	f := newFake(t, `: >"$D/started"`)
	evil := ref.Repo{Host: ref.GitHubHost, Owner: "-evil", Name: "x"}
	path := ref.Repo{Host: ref.GitHubHost, Owner: "a", Name: "b/../../c"}
	tests := map[string]func() error{
		"Issues":         func() error { _, _, err := f.Issues(t.Context(), evil, Filter{}); return err },
		"PullRequests":   func() error { _, _, err := f.PullRequests(t.Context(), ref.Repo{}, Filter{}); return err },
		"IssueComments":  func() error { _, err := f.IssueComments(t.Context(), evil, 1); return err },
		"Reviews":        func() error { _, err := f.Reviews(t.Context(), path, 1); return err },
		"ReviewComments": func() error { _, err := f.ReviewComments(t.Context(), repo, 0); return err },
		"IssueState":     func() error { _, err := f.IssueState(t.Context(), repo, -1); return err },
		"Repository":     func() error { _, err := f.Repository(t.Context(), path); return err },
		"RateLimit":      func() error { _, err := f.RateLimit(t.Context(), "--help"); return err },
		"Login":          func() error { _, err := f.Login(t.Context(), ""); return err },
	}
	for name, call := range tests {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), "could not run gh: ") {
			t.Errorf("%s() = %v, want it refused", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(f.dir, "started")); err == nil {
		t.Error("gh was started")
	}
}

// tooOld is a gh that does not know closing references.
const tooOld = `printf '%s\n' "$@" "" >>"$D/argv"
	case "$*" in *closingIssuesReferences*)
		printf 'Unknown JSON field: "closingIssuesReferences"\nAvailable fields:\n  number\n' >&2; exit 1;;
	esac
	echo '[{"number":4,"url":"https://github.com/octo/repo-b/pull/4"}]'`

// asked tells for each call whether it asked for closing references.
func (f *fake) asked() []bool {
	var asked []bool
	for _, call := range f.calls() {
		asked = append(asked, strings.Contains(call, closingField))
	}
	return asked
}

func TestClosingReferencesAreGivenUpForOneBinary(t *testing.T) {
	f := newFake(t, tooOld)
	list := func() {
		t.Helper()
		if err := f.Resolve(); err != nil {
			t.Fatal(err)
		}
		got, _, err := f.PullRequests(t.Context(), repo, Filter{})
		if err != nil || len(got) != 1 || got[0].Number != 4 {
			t.Errorf("PullRequests() = %v, %v, want #4", got, err)
		}
	}
	want := func(step string, calls []bool, warnings int) {
		t.Helper()
		if diff := cmp.Diff(calls, f.asked()); diff != "" {
			t.Errorf("%s: calls that ask (-want +got):\n%s", step, diff)
		}
		if got := strings.Count(f.log.String(), "level=INFO"); got != warnings {
			t.Errorf("%s: %d warnings, want %d:\n%s", step, got, warnings, &f.log)
		}
	}

	list()
	want("at first", []bool{true, false}, 1)
	list()
	want("from then on", []bool{true, false, false}, 1)

	touched := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(f.dir, "gh"), touched, touched); err != nil {
		t.Fatal(err)
	}
	list()
	want("another old gh", []bool{true, false, false, true, false}, 2)

	f.script(tooOld[:strings.Index(tooOld, "case")] + tooOld[strings.Index(tooOld, "echo"):])
	list()
	list()
	want("a new gh", []bool{true, false, false, true, false, true, true}, 2)
}

func TestClosingReferencesAreGivenUpOnce(t *testing.T) {
	f := newFake(t, tooOld)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if got, _, err := f.PullRequests(t.Context(), repo, Filter{}); err != nil || len(got) != 1 {
				t.Errorf("PullRequests() = %v, %v, want #4", got, err)
			}
		})
	}
	wg.Wait()
	if got := strings.Count(f.log.String(), "level=INFO"); got != 1 {
		t.Errorf("%d warnings, want 1:\n%s", got, &f.log)
	}
}

// A failure of another kind is no reason to ask again.
func TestOtherFailuresAreNotAskedAgain(t *testing.T) {
	f := answering(t, "", "HTTP 502", 1)
	_, _, err := f.PullRequests(t.Context(), repo, Filter{})
	wantText(t, err, "gh pr list --repo exited 1: HTTP 502")
	if diff := cmp.Diff([]bool{true}, f.asked()); diff != "" {
		t.Errorf("calls that ask (-want +got):\n%s", diff)
	}
}
