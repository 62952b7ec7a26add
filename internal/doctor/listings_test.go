package doctor

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/ghtest"
)

func TestListings(t *testing.T) {
	none := func(*ghtest.Client, *config.Source) {}
	off, on := false, true
	for name, tt := range map[string]struct {
		change       func(*ghtest.Client, *config.Source)
		want, listed string
	}{
		"issues": {none, "ok github: gh listed 3 issues of octo/a →", "issues of octo/a, the-loop, at most 1000"},
		"pull requests alone": {func(_ *ghtest.Client, s *config.Source) { s.Issues = false },
			"ok github: gh listed 1 pull request of octo/a →", "pulls of octo/a, the-loop, at most 1000"},
		"Issues are off": {func(d *ghtest.Client, _ *config.Source) {
			d.On("repo octo/a", gh.Repository{HasIssuesEnabled: &off})
		}, "ok github: gh listed 1 pull request of octo/a →", "pulls of octo/a, the-loop, at most 1000"},
		"nothing to list in the first": {func(d *ghtest.Client, s *config.Source) {
			s.PullRequests = false
			d.On("repo octo/a", gh.Repository{HasIssuesEnabled: &off}).On("repo octo/b", gh.Repository{HasIssuesEnabled: &on})
		}, "ok github: gh listed 3 issues of octo/b →", "issues of octo/b, the-loop, at most 1000"},
		"no such repository": {func(d *ghtest.Client, _ *config.Source) {
			d.On("repo *", errors.New("boom"))
		}, "", ""},
		"no login": {func(d *ghtest.Client, _ *config.Source) { d.On("login *", &gh.Error{Class: gh.Unauthenticated}) }, "", ""},
		"a gh that cannot": {func(d *ghtest.Client, _ *config.Source) {
			d.On("issues *", &gh.Error{Text: "gh issue list --repo exited 1: Malformed version: "})
		}, "error github: gh cannot list the issues of octo/a: Malformed version: → see what 'gh issue list --repo github.com/octo/a' says",
			"issues of octo/a, the-loop, at most 1000"},
		"a rate limit": {func(d *ghtest.Client, _ *config.Source) {
			d.On("issues *", &gh.Error{Class: gh.RateLimited, Text: "slow down"})
		},
			"warning github: gh cannot list the issues of octo/a: slow down → run doctor again in a while", "issues of octo/a, the-loop, at most 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			d, o := well(t)
			s := source("octo/a", "octo/b")
			tt.change(d, &s)
			o.Config = configuration(t, s)
			check(t, examine(t, o, "listing"), tt.want)
			if got := strings.Join(d.Listed(), "; "); got != tt.listed {
				t.Errorf("asked for %s, want %s", got, tt.listed)
			}
		})
	}
}

// Of a thousand sources a sample is listed.
func TestListingsOfASample(t *testing.T) {
	d, o := well(t)
	var sources []config.Source
	for i := range 1000 {
		s := source(fmt.Sprintf("octo/r%d", i))
		s.Name = fmt.Sprintf("s%d", i)
		sources = append(sources, s)
	}
	o.Config = configuration(t, sources...)
	if got := examine(t, o, "listing"); strings.Count(got, "ok ") != 20 || len(d.Listed()) != 20 {
		t.Errorf("%d listings:\n%s", len(d.Listed()), got)
	}
	check(t, strings.Join(strings.SplitAfter(examine(t, o, "sample"), "\n")[1:], ""),
		"ok sources: listing one repository each of 20 sources, out of 1000; 'the-loop doctor --all' covers all of them →")
}
