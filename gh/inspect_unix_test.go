//go:build unix

package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
)

func TestInspectingCalls(t *testing.T) {
	home := ref.Repo{Host: ref.GitHubHost, Owner: "Octo", Name: "Repo.B"}
	away := ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "x"}
	hasLabel := func(r ref.Repo, label string) func(*Client) error {
		return func(c *Client) error { _, err := c.HasLabel(t.Context(), r, label); return err }
	}
	tests := map[string]struct {
		call func(*Client) error
		want string
	}{
		"a repository": {
			func(c *Client) error { _, err := c.Inspect(t.Context(), away); return err },
			`repo | view | ghe.example.com/octo/x | --json | nameWithOwner,hasIssuesEnabled,isArchived`,
		},
		"a label":             {hasLabel(home, "the-loop"), `api | --hostname | github.com | repos/Octo/Repo.B/labels/the-loop`},
		"a label elsewhere":   {hasLabel(away, "x"), `api | --hostname | ghe.example.com | repos/octo/x/labels/x`},
		"a label of segments": {hasLabel(home, "a/../b?c#d"), `api | --hostname | github.com | repos/Octo/Repo.B/labels/a%2F..%2Fb%3Fc%23d`},
		// gh fills in {owner} and :owner by itself.
		"a label of places": {hasLabel(home, "{owner}:repo é"), `api | --hostname | github.com | repos/Octo/Repo.B/labels/%7Bowner%7D%3Arepo%20%C3%A9`},
		"closing references": {
			func(c *Client) error { _, err := c.KnowsClosingReferences(t.Context()); return err },
			`pr | list | --json | closingIssuesReferences,none`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := answering(t, "", "", 1)
			if err := tt.call(f.Client); err == nil {
				t.Error("no error for exit 1")
			}
			if diff := cmp.Diff([]string{tt.want}, f.calls()); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHasLabel(t *testing.T) {
	tests := map[string]struct {
		stdout, stderr string
		code           int
		want           bool
		err            string
	}{
		"there":       {`{"name":"The-Loop"}`, "", 0, true, ""},
		"not there":   {`{"message":"Not Found"}`, "gh: Not Found (HTTP 404)", 1, false, ""},
		"no answer":   {"", "gh: Server Error (HTTP 502)", 1, false, "gh api --hostname github.com exited 1: gh: Server Error (HTTP 502)"},
		"no label":    {`{}`, "", 0, false, "gh api returned an answer without a label"},
		"empty":       {"", "", 0, false, "gh api printed nothing"},
		"a web page":  {"<html>", "", 0, false, "gh api returned invalid JSON: invalid character '<' looking for beginning of value"},
		"404 in text": {"", "gh: HTTP 4040 (HTTP 500)", 1, false, "gh api --hostname github.com exited 1: gh: HTTP 4040 (HTTP 500)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := answering(t, tt.stdout, tt.stderr, tt.code)
			got, err := f.HasLabel(t.Context(), ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "a"}, "x")
			if got != tt.want || text(err) != tt.err {
				t.Errorf("HasLabel() = %v, %q, want %v, %q", got, text(err), tt.want, tt.err)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestKnowsClosingReferences(t *testing.T) {
	refuses := func(field string) string {
		return fmt.Sprintf("Unknown JSON field: %q\nAvailable fields:\n  additions\n  closingIssuesReferences", field)
	}
	tests := map[string]struct {
		stdout, stderr string
		code           int
		want           bool
		err            string
	}{
		"knows":      {"", refuses("none"), 1, true, ""},
		"is too old": {"", refuses("closingIssuesReferences"), 1, false, ""},
		"no login":   {"", "To get started with GitHub CLI, please run:  gh auth login", 4, false, "gh pr list --json exited 4: To get started with GitHub CLI, please run: gh auth login"},
		"older yet":  {"", "unknown flag: --json", 1, false, "gh pr list --json exited 1: unknown flag: --json"},
		"no gh":      {"[]", "", 0, false, "gh pr returned an answer without a complaint"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := answering(t, tt.stdout, tt.stderr, tt.code)
			got, err := f.KnowsClosingReferences(t.Context())
			if got != tt.want || text(err) != tt.err {
				t.Errorf("KnowsClosingReferences() = %v, %q, want %v, %q", got, text(err), tt.want, tt.err)
			}
		})
	}
}

func TestInspect(t *testing.T) {
	yes, no := true, false
	f := answering(t, `{"nameWithOwner":"octo/a","hasIssuesEnabled":false,"isArchived":true}`, "", 0)
	got, err := f.Inspect(t.Context(), repo)
	want := Repository{NameWithOwner: "octo/a", HasIssuesEnabled: &no, IsArchived: &yes}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Inspect() error %v (-want +got):\n%s", err, diff)
	}
	path, err := f.Path()
	if want := filepath.Join(f.dir, "gh"); path != want || err != nil {
		t.Errorf("Path() = %q, %v, want %q", path, err, want)
	}
	evil := ref.Repo{Host: ref.GitHubHost, Owner: "-evil", Name: "x"}
	_, inspectErr := f.Inspect(t.Context(), evil)
	_, labelErr := f.HasLabel(t.Context(), evil, "x")
	for _, err := range []error{inspectErr, labelErr} {
		if err == nil || !strings.HasPrefix(err.Error(), "could not run gh: ") {
			t.Errorf("a name that ref.ParseRepo refuses: %v, want it refused", err)
		}
	}
}

func TestStatusOf(t *testing.T) {
	tests := map[string]int{
		`non-200 OK status code: 403 Forbidden body: "x"`: 403,
		"gh: Not Found (HTTP 404)":                        http.StatusNotFound,
		"HTTP 403: Resource protected by organization":    http.StatusForbidden,
		"gh: HTTP 502":                                           http.StatusBadGateway,
		"error connecting to api.github.com":                     0,
		"could not find octo/http 404x":                          0,
		"GraphQL: Could not resolve to a Repository (HTTP 4040)": 0,
	}
	for stderr, want := range tests {
		f := answering(t, "", stderr, 1)
		_, err := f.Login(t.Context(), ref.GitHubHost)
		if got := StatusOf(fmt.Errorf("wrapped: %w", err)); got != want {
			t.Errorf("StatusOf(%q) = %d, want %d", stderr, got, want)
		}
	}
	if got := StatusOf(errors.New("HTTP 404: not gh's")); got != 0 {
		t.Errorf("StatusOf() of another error = %d, want 0", got)
	}
	if got := StatusOf(nil); got != 0 {
		t.Errorf("StatusOf(nil) = %d, want 0", got)
	}
}

// What the real gh makes of these calls.
func TestRealInspecting(t *testing.T) {
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	labels := []string{"the-loop", "needs work", "a/b?c#d", "{owner}:repo", "é%20"}
	for _, label := range labels {
		r.AddLabel(label)
	}
	if err := s.LoadJSON([]byte(`{"repos":[{"name":"octo/old","archived":true}]}`)); err != nil {
		t.Fatal(err)
	}
	c := realGH(t, s, time.Minute)
	for _, label := range append(labels, "The-LOOP") {
		if has, err := c.HasLabel(t.Context(), repoNamed(t, "octo/a"), label); !has || err != nil {
			t.Errorf("HasLabel(%q) = %v, %v, want true", label, has, err)
		}
	}
	if has, err := c.HasLabel(t.Context(), repoNamed(t, "octo/a"), "other"); has || err != nil {
		t.Errorf("HasLabel() of one that is missing = %v, %v, want false", has, err)
	}
	archived, err := c.Inspect(t.Context(), repoNamed(t, "octo/old"))
	if err != nil || archived.IsArchived == nil || !*archived.IsArchived {
		t.Errorf("Inspect() = %+v, %v, want an archived one", archived, err)
	}
	if _, err := c.Inspect(t.Context(), repoNamed(t, "octo/none")); !NotResolvable(err) {
		t.Errorf("Inspect() of no repository: %v", err)
	}
	before := len(s.Requests())
	if _, err := c.KnowsClosingReferences(t.Context()); err != nil {
		t.Errorf("KnowsClosingReferences() error %v", err)
	}
	if after := len(s.Requests()); after != before {
		t.Errorf("KnowsClosingReferences() asked GitHub: %v", s.Requests()[before:])
	}
}

func repoNamed(t *testing.T, name string) ref.Repo {
	t.Helper()
	r, err := ref.ParseRepo(name, ref.GitHubHost)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A call that ended with the context says so, and is nobody's answer.
func TestInspectingInterrupted(t *testing.T) {
	f := newFake(t, `: >"$D/started"`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if has, err := f.HasLabel(ctx, repo, "x"); has || !errors.Is(err, context.Canceled) {
		t.Errorf("HasLabel() = %v, %v, want it interrupted", has, err)
	}
	if _, err := os.Stat(filepath.Join(f.dir, "started")); err == nil {
		t.Error("gh was started")
	}
}

// TestRefused tells GitHub's refusal to let a login see something from all that
// has the same status or says nothing of it.
func TestRefused(t *testing.T) {
	for stderr, want := range map[string]bool{
		"HTTP 403: Resource protected by organization SAML enforcement. (https://api.github.com/graphql)":            true,
		"GraphQL: Resource protected by organization SAML enforcement. You must grant your OAuth token (repository)": true,
		"HTTP 403: the organization has an IP allow list enabled (https://api.github.com/graphql)":                   true,
		`non-200 OK status code: 403 Forbidden body: "an IP allow list"`:                                             true,
		"HTTP 403: You have exceeded a secondary rate limit. (https://api.github.com/graphql)":                       false,
		"HTTP 401: Bad credentials (https://api.github.com/graphql)":                                                 false,
		"HTTP 502: Bad Gateway (https://api.github.com/graphql)":                                                     false,
		"GraphQL: Could not resolve to a Repository with the name 'o/r'. (repository)":                               false,
	} {
		if got := Refused(ExitError([]string{"repo", "view"}, 1, stderr)); got != want {
			t.Errorf("Refused(%q) = %t, want %t", stderr, got, want)
		}
	}
	if Refused(nil) || Refused(errors.New("HTTP 403: not gh's")) {
		t.Error("another error is GitHub's refusal")
	}
}
