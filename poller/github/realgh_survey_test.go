//go:build unix

package github

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// These tests survey over the real gh, which exits 1 for an answer that has errors
// and prints it all the same.

// realSurvey is a provider of repositories that were listed once.
func realSurvey(t *testing.T, s *ghdouble.Server, c *gh.Client, names ...string) *Provider {
	t.Helper()
	p := realProvider(t, c, names...)
	NewSurveyor(p.Hosts, SurveyOptions{Mode: SurveyAlways, Interval: time.Minute}, []*Provider{p})
	l := realListing(t, p)
	wantHealthy(t, l, names...)
	if len(l.Unchanged) > 0 || s.Count(ghdouble.Match{Kind: ghdouble.APIGraphQL}) > 0 {
		t.Error("the first cycle is surveyed")
	}
	return p
}

func realListing(t *testing.T, p *Provider) poller.Listing {
	t.Helper()
	l, err := p.Listing(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Hosts.CycleDone()
	return l
}

func wantUnchanged(t *testing.T, l poller.Listing, scopes ...string) {
	t.Helper()
	if !slices.Equal(l.Unchanged, scopes) || len(l.Degraded()) > 0 {
		t.Errorf("unchanged %v, want %v; degraded %v; survey failures %v", l.Unchanged, scopes, l.Degraded(), l.SurveyFailures)
	}
}

func TestRealGHSurvey(t *testing.T) {
	t.Parallel()
	names := []string{"octo/a", "octo/b", "octo/c", "ghe.example.com/octo/d"}
	s, c := realWorld(t, nil, names...)
	s.Repo("octo/empty")
	p := realSurvey(t, s, c, names...)

	l := realListing(t, p)
	wantUnchanged(t, l, names...)
	wantHealthy(t, l, names...)
	if l.SurveyCalls != 2 || s.Count(ghdouble.Match{Kind: ghdouble.APIGraphQL, Host: "ghe.example.com"}) != 1 {
		t.Errorf("%d surveys of two hosts", l.SurveyCalls)
	}
	if spent := p.Hosts.meter.of("github.com").last.points; spent != 1 {
		t.Errorf("a survey of three repositories costs %v points", spent)
	}

	// A comment, a new item, and a label that comes off, which may move no time.
	s.Repo("octo/a").AddComment(7, ghdouble.Comment{Author: "alice", Body: "well?"})
	s.Repo("octo/a").Update(7, func(it *ghdouble.Item) { it.UpdatedAt = it.UpdatedAt.Add(time.Hour) })
	s.Repo("octo/b").AddIssue(ghdouble.Item{Number: 11, Labels: []string{"the-loop"}})
	s.Repo("octo/c").Update(9, func(it *ghdouble.Item) { it.Labels = nil })
	l = realListing(t, p)
	wantUnchanged(t, l, "ghe.example.com/octo/d")
	if got := itemsOf(l, "octo/b"); !slices.Equal(got, []string{"#11", "#7", "#9"}) && !slices.Equal(got, []string{"#7", "#11", "#9"}) {
		t.Errorf("items %v", got)
	}
	wantUnchanged(t, realListing(t, p), names...)
}

// TestRealGHSurveySpelling has labels in another case: gh's search finds them, and
// GitHub's filter does not.
func TestRealGHSurveySpelling(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil)
	s.Repo("octo/item").AddIssue(ghdouble.Item{Number: 7, Labels: []string{"The-Loop"}})
	s.Repo("octo/item").AddPullRequest(ghdouble.Item{Number: 9, Labels: []string{"The-Loop"}})
	s.Repo("octo/empty").AddLabel("THE-LOOP")
	s.Repo("octo/without").AddLabel("bug")
	p := realProvider(t, c, "octo/item", "octo/empty", "octo/without")
	NewSurveyor(p.Hosts, SurveyOptions{Mode: SurveyAlways, Interval: time.Minute}, []*Provider{p})
	realListing(t, p)
	wantUnchanged(t, realListing(t, p), "octo/item", "octo/empty", "octo/without")
}

// TestRealGHSurveyOfALiveSession compares all pull requests of a repository with a
// live session, and knows which of them have the label.
func TestRealGHSurveyOfALiveSession(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a", "octo/b")
	a := s.Repo("octo/a")
	a.AddPullRequest(ghdouble.Item{Number: 21, Body: "Fixes #7"})
	a.AddPullRequest(ghdouble.Item{Number: 23})
	p := realProvider(t, c, "octo/a", "octo/b")
	p.Hear(map[string]ref.Kind{"github:octo/a#7": ref.Issue})
	NewSurveyor(p.Hosts, SurveyOptions{Mode: SurveyAlways, Interval: time.Minute}, []*Provider{p})
	sees := func(l poller.Listing, want ...string) {
		t.Helper()
		got := itemsOf(l, "octo/a")
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("items %v, want %v", got, want)
		}
	}
	sees(realListing(t, p), "#21", "#7", "#9")
	l := realListing(t, p)
	wantUnchanged(t, l, "octo/a", "octo/b")
	sees(l, "#21", "#7", "#9")

	a.Update(23, func(it *ghdouble.Item) { it.Labels = []string{"the-loop"} })
	l = realListing(t, p)
	wantUnchanged(t, l, "octo/b")
	sees(l, "#21", "#23", "#7", "#9")
	a.Update(23, func(it *ghdouble.Item) { it.Labels = nil })
	sees(realListing(t, p), "#21", "#7", "#9")
	a.AddReview(21, ghdouble.Review{Author: "alice", Body: "a test is missing"})
	a.Update(21, func(it *ghdouble.Item) { it.UpdatedAt = it.UpdatedAt.Add(time.Hour) })
	wantUnchanged(t, realListing(t, p), "octo/b")
	wantUnchanged(t, realListing(t, p), "octo/a", "octo/b")
}

// TestRealGHSurveyPartial has a repository that went away: GitHub answers for the
// others, and gh exits 1.
func TestRealGHSurveyPartial(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a", "octo/b", "octo/c")
	p := realSurvey(t, s, c, "octo/a", "octo/b", "octo/c")
	s.RemoveRepo("octo/b")
	l := realListing(t, p)
	if !slices.Equal(l.Unchanged, []string{"octo/a", "octo/c"}) || !l.Degraded()["octo/b"] || len(l.SurveyFailures) > 0 {
		t.Errorf("unchanged %v, degraded %v, survey failures %v", l.Unchanged, l.Degraded(), l.SurveyFailures)
	}
}

// TestRealGHSurveyBroken has answers that prove nothing.
func TestRealGHSurveyBroken(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]ghdouble.Reply{
		"502":        {Status: http.StatusBadGateway, Body: "<html>502</html>"},
		"504":        {Status: http.StatusGatewayTimeout, Body: `{"message":"timed out"}`},
		"html":       {Body: "<html>Please log in</html>"},
		"no data":    {Body: `{}`},
		"null":       {Body: `{"data":null}`},
		"limit":      {Body: `{"data":null,"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`},
		"no path":    {Body: `{"data":{"r0":null,"r1":null},"errors":[{"message":"Something went wrong"}]}`},
		"cut":        {Body: `{"data":{"r0":`, Wire: ghdouble.Cut},
		"reset":      {Wire: ghdouble.Reset},
		"login gone": {Status: http.StatusUnauthorized, Body: `{"message":"Bad credentials"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, nil, "octo/a", "octo/b")
			p := realSurvey(t, s, c, "octo/a", "octo/b")
			s.Fail(ghdouble.Match{Kind: ghdouble.APIGraphQL}, ghdouble.Fault{Name: name, GraphQL: reply})
			l := realListing(t, p)
			wantHealthy(t, l, "octo/a", "octo/b")
			if len(l.Unchanged) > 0 || len(l.SurveyFailures) != 1 || len(l.Limited) > 0 {
				t.Errorf("unchanged %v, limited %v, survey failures %+v", l.Unchanged, l.Limited, l.SurveyFailures)
			}
			for _, f := range l.SurveyFailures {
				if f.Repositories != 2 || f.Error == "" || strings.Contains(f.Error, "\n") {
					t.Errorf("told of %+v", f)
				}
			}
		})
	}
}
