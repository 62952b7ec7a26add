package ghdouble_test

import (
	"strings"
	"testing"
	"time"

	"the-loop/internal/ghdouble"
)

// TestEnvironment shows how variables affect gh.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.Repo("octo/a").AddIssue(ghdouble.Item{Number: 7})
	s.Repo("ghe.example.com/octo/a").AddIssue(ghdouble.Item{Number: 8})
	list := []string{"issue", "list", "--repo", "octo/a", "--json", "number"}
	const seven, coloured = `^\[\{"number":7\}\]\n$`, `\x1b\[`
	loggedOut := []string{"GH_TOKEN=", "GH_ENTERPRISE_TOKEN=", "GH_HOST=github.com"}
	for name, test := range map[string]struct {
		env  []string
		args []string
		want ghdouble.Outcome
	}{
		"host":              {[]string{"GH_HOST=ghe.example.com"}, list, ghdouble.Outcome{Stdout: `^\[\{"number":8\}\]\n$`}},
		"logged out":        {loggedOut, list, ghdouble.Outcome{Exit: 1, Stderr: `^HTTP 401: This endpoint requires you to be authenticated\.`}},
		"anonymous api":     {loggedOut, []string{"api", "repos/octo/a/issues/7"}, ghdouble.Outcome{Stdout: `"number":7`}},
		"colour":            {[]string{"CLICOLOR_FORCE=1"}, list, ghdouble.Outcome{Stdout: coloured}},
		"colour, no colour": {[]string{"CLICOLOR_FORCE=1", "NO_COLOR=1"}, list, ghdouble.Outcome{Stdout: coloured}},
		"terminal":          {[]string{"GH_FORCE_TTY=1"}, list, ghdouble.Outcome{Stdout: coloured}},
		"debug":             {[]string{"GH_DEBUG=1"}, list, ghdouble.Outcome{Stdout: seven, Stderr: `.`}},
		"no git, no home":   {[]string{"PATH=/nowhere", "HOME="}, list, ghdouble.Outcome{Stdout: seven}},
		"unknown field": {
			nil, []string{"issue", "list", "--repo", "octo/a", "--json", "noSuchField"},
			ghdouble.Outcome{Exit: 1, Stderr: `^Unknown JSON field: "noSuchField"\nAvailable fields:\n`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gh(t.Context(), t, s, test.env, test.args...)
			if err := test.want.Check(got.exit, got.stdout, got.stderr); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestUnknownField: gh refuses an unknown field before it sends a request.
func TestUnknownField(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	gh(t.Context(), t, s, nil, "issue", "list", "--repo", "octo/a", "--json", "noSuchField")
	if got := s.Requests(); len(got) != 0 {
		t.Errorf("requests: %v, want none", got)
	}
}

// TestQuota empties a quota and lets it reset.
func TestQuota(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.Repo("octo/a").AddIssue(ghdouble.Item{Number: 7})
	reset := time.Now().Add(time.Hour)
	s.SetRate("github.com", "graphql", ghdouble.Rate{Limit: 5000, Reset: reset})
	got := gh(t.Context(), t, s, nil, "issue", "list", "--repo", "octo/a", "--json", "number")
	if got.exit != 1 || !strings.HasPrefix(got.stderr, "GraphQL: API rate limit exceeded for user ID 1.") {
		t.Errorf("a used-up GraphQL quota: %+v", got)
	}
	type rate struct{ Limit, Remaining, Reset int64 }
	limits := one[struct{ Resources map[string]rate }](t, ok(t, s, "api", "rate_limit")).Resources
	if want := (rate{5000, 0, reset.Unix()}); limits["graphql"] != want {
		t.Errorf("graphql is %+v, want %+v", limits["graphql"], want)
	}
	if limits["core"].Remaining != 5000 || limits["search"].Limit != 30 {
		t.Errorf("the others are %+v", limits)
	}
	s.SetRate("github.com", "graphql", ghdouble.Rate{Limit: 5000, Reset: time.Now().Add(-time.Second)})
	ok(t, s, "issue", "list", "--repo", "octo/a", "--json", "number")
	s.SetRate("github.com", "core", ghdouble.Rate{Limit: 5000, Reset: reset})
	got = gh(t.Context(), t, s, nil, "api", "repos/octo/a/issues/7")
	if got.exit != 1 || got.stderr != "gh: API rate limit exceeded for user ID 1. (HTTP 403)\n" {
		t.Errorf("a used-up REST quota: %+v", got)
	}
}
