//go:build unix

package github

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
	"the-loop/internal/timetext"
	"the-loop/poller"
)

// These tests walk repositories over the real gh, which talks to a double of
// GitHub's API.

// realWorld is a double in which each repository holds issue 7 and pull request
// 9, both with the label, and a client of the real gh that asks it.
func realWorld(t *testing.T, env []string, names ...string) (*ghdouble.Server, *gh.Client) {
	t.Helper()
	s := ghdouble.Start(t)
	for _, name := range names {
		r := s.Repo(name)
		r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"the-loop"}})
		r.AddPullRequest(ghdouble.Item{Number: 9, Labels: []string{"the-loop"}})
	}
	return s, gh.New(gh.Options{Binary: s.Binary(t, ghdouble.RealGH(t), env...)})
}

func realProvider(t *testing.T, c client, names ...string) *Provider {
	t.Helper()
	return New(Options{
		Client: c, Hosts: NewHosts(), Repos: repos(t, names...), Labels: []string{"the-loop"},
		Issues: true, PullRequests: true, Limit: 1000, ReprobeCycles: 2,
	})
}

// itemsOf are the refs of a listing's items of one scope.
func itemsOf(l poller.Listing, scope string) []string {
	all := []string{}
	for _, item := range l.Items {
		if item.Scope == scope {
			all = append(all, strings.TrimPrefix(item.Ref, "github:"+scope))
		}
	}
	return all
}

// wantHealthy checks that scopes are polled, whole and nowhere named.
func wantHealthy(t *testing.T, l poller.Listing, scopes ...string) {
	t.Helper()
	for _, scope := range scopes {
		if diff := cmp.Diff([]string{"#7", "#9"}, itemsOf(l, scope)); diff != "" {
			t.Errorf("items of %s (-want +got):\n%s", scope, diff)
		}
		if l.Degraded()[scope] {
			t.Errorf("%s is degraded: %+v %+v", scope, l.Failures, l.Skipped)
		}
	}
}

// effect is what a fault of octo/bad does to a listing.
type effect struct {
	// issues and pulls say which listings of octo/bad fail.
	issues, pulls bool
	permanent     bool // the failure of the issues
	// stops is how octo/good is skipped, since the fault is about the host.
	stops string
	// items is what is listed of octo/bad all the same.
	items []string
}

const (
	limited  = "not asked: GitHub's rate limit on github.com is used up until 20"
	loggedIn = "not asked: gh is not logged in to github.com"
)

// effectOf says what each fault does. What is not named is a failure of both
// listings of that repository, for this cycle only.
func effectOf(fact string) effect {
	switch fact {
	case "401", "no-login", "bad-token", "page-2-401":
		return effect{issues: true, stops: loggedIn}
	case "rate-limit", "rate-limit-already", "rate-limit-403", "secondary", "429", "page-2-429", "page-2-rate-limit":
		return effect{issues: true, stops: limited}
	case "disabled":
		return effect{issues: true, permanent: true, items: []string{"#9"}}
	case "no-repo", "no-data", "null", "204", "page-2-null":
		// gh pr list prints what it has, or an empty list, and knows no better.
		return effect{issues: true}
	case "null-node":
		return effect{items: []string{"#7", "#9"}}
	}
	return effect{issues: true, pulls: true}
}

// impatient gives up on octo/bad soon, and on nothing else.
type impatient struct{ client }

func (c impatient) briefly(ctx context.Context, r ref.Repo) (context.Context, context.CancelFunc) {
	if r.Name == "bad" {
		return context.WithTimeout(ctx, time.Second/5) // any, since gh never ends
	}
	return ctx, func() {}
}

func (c impatient) Issues(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error) {
	ctx, cancel := c.briefly(ctx, r)
	defer cancel()
	return c.client.Issues(ctx, r, f)
}

func (c impatient) PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error) {
	ctx, cancel := c.briefly(ctx, r)
	defer cancel()
	return c.client.PullRequests(ctx, r, f)
}

// TestRealGHFaults lists a faulty repository, a healthy one on the same host
// and, where that host is stopped, one on another.
func TestRealGHFaults(t *testing.T) {
	ghdouble.RealGH(t)
	for _, fact := range ghdouble.Facts() {
		t.Run(fact.Name, func(t *testing.T) {
			t.Parallel()
			want := effectOf(fact.Name)
			names := []string{"octo/bad", "octo/good"}
			if want.stops != "" && len(fact.Env) == 0 {
				names = append(names, "ghe.example.com/corp/c")
			}
			s, c := realWorld(t, fact.Env, names...)
			if fact.Fault.LaterPages {
				s.Repo("octo/bad").Crowd("the-loop")
			}
			s.Fail(ghdouble.Match{Repo: "octo/bad"}, fact.Fault)
			var asked client = c
			if fact.Prints["graphql"].Hangs {
				asked = impatient{c}
			}
			l := list(t, realProvider(t, asked, names...))
			wantFailures(t, l, want)
			if want.stops == "" {
				wantHealthy(t, l, "octo/good")
			} else if len(l.Skipped) != 1 || l.Skipped[0].Scope != "octo/good" || !strings.HasPrefix(l.Skipped[0].Error, want.stops) {
				t.Errorf("skipped %+v, want octo/good %s…", l.Skipped, want.stops)
			}
			wantHealthy(t, l, names[2:]...)
			if fact.Name == "page-2-null" {
				return // gh listed the first page of pull requests and no more
			}
			if diff := cmp.Diff(append([]string{}, want.items...), itemsOf(l, "octo/bad")); diff != "" {
				t.Errorf("items of the faulty repository (-want +got):\n%s", diff)
			}
		})
	}
}

// wantFailures checks that the failures are those of octo/bad, each with what
// gh said.
func wantFailures(t *testing.T, l poller.Listing, want effect) {
	t.Helper()
	type failure struct {
		scope, call string
		permanent   bool
	}
	var expected, got []failure
	if want.issues {
		expected = append(expected, failure{"octo/bad", "gh issue", want.permanent})
	}
	if want.pulls {
		expected = append(expected, failure{"octo/bad", "gh pr", false})
	}
	for _, f := range l.Failures {
		words := strings.SplitN(f.Error, " ", 3)
		got = append(got, failure{f.Scope, strings.Join(words[:min(2, len(words))], " "), f.Permanent})
	}
	if diff := cmp.Diff(expected, got, cmp.AllowUnexported(failure{})); diff != "" {
		t.Errorf("failures (-want +got):\n%s\n%+v", diff, l.Failures)
	}
}

// TestRealGHHeals lists again once what was wrong is over.
func TestRealGHHeals(t *testing.T) {
	ghdouble.RealGH(t)
	for _, name := range []string{"502", "hang", "no-repo", "no-data", "401", "html"} {
		fact, err := ghdouble.FactNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, nil, "octo/bad", "octo/good")
			s.Fail(ghdouble.Match{Repo: "octo/bad"}, fact.Fault)
			p := realProvider(t, impatient{c}, "octo/bad", "octo/good")
			if l := list(t, p); len(l.Failures) == 0 {
				t.Error("nothing failed")
			}
			s.Heal()
			p.Client = c
			l := list(t, p)
			wantHealthy(t, l, "octo/bad", "octo/good")
			if len(l.Recovered) > 0 {
				t.Errorf("%v recovered from what was no standing condition", l.Recovered)
			}
		})
	}
}

// TestRealGHDisabled has Issues switched off and on again: told once, skipped
// until the re-probe, then recovered; the pull requests are listed throughout.
func TestRealGHDisabled(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/m")
	p := realProvider(t, c, "octo/m")
	off := poller.ScopeFailure{Scope: "octo/m", Error: "gh issue list --repo exited 1: the 'octo/m' repository has disabled issues", Permanent: true}
	skipped := poller.ScopeFailure{Scope: "octo/m", Permanent: true,
		Error: "issues are disabled on this repository; its issues are skipped and re-probed every 2 cycles, its pull requests are still polled"}
	for cycle, want := range []struct {
		on    bool
		lists int // issue lists so far
		poller.Listing
	}{
		{false, 1, poller.Listing{Failures: []poller.ScopeFailure{off}, Polled: []string{"octo/m"}}},
		{false, 1, poller.Listing{Skipped: []poller.ScopeFailure{skipped}, Polled: []string{"octo/m"}}},
		{false, 2, poller.Listing{Skipped: []poller.ScopeFailure{skipped}, Polled: []string{"octo/m"}}},
		{true, 2, poller.Listing{Skipped: []poller.ScopeFailure{skipped}, Polled: []string{"octo/m"}}},
		{true, 3, poller.Listing{Recovered: []string{"octo/m"}, Polled: []string{"octo/m"}}},
	} {
		s.Repo("octo/m").SetIssuesEnabled(want.on)
		l := list(t, p)
		listed := []string{"#9"}
		if len(want.Recovered) > 0 {
			listed = []string{"#7", "#9"}
		}
		if diff := cmp.Diff(listed, itemsOf(l, "octo/m")); diff != "" {
			t.Errorf("cycle %d: items (-want +got):\n%s", cycle+1, diff)
		}
		l.Items = nil
		if diff := cmp.Diff(want.Listing, l); diff != "" {
			t.Errorf("cycle %d (-want +got):\n%s", cycle+1, diff)
		}
		// With a label gh asks twice: the repository for its features, and the search.
		if got := s.Count(ghdouble.Match{Kind: ghdouble.IssueList}); got < want.lists {
			t.Errorf("cycle %d: %d requests for issues", cycle+1, got)
		}
	}
	if got := s.Count(ghdouble.Match{Kind: ghdouble.RepoView}); got != 1 {
		t.Errorf("asked for a second opinion %d times, want once", got)
	}
}

// TestRealGHSecondOpinion has GitHub's list API broken for a while in the way
// that gh takes for Issues that are off: nothing is quarantined.
func TestRealGHSecondOpinion(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/m")
	p := realProvider(t, c, "octo/m")
	fact, err := ghdouble.FactNamed("null")
	if err != nil {
		t.Fatal(err)
	}
	s.Fail(ghdouble.Match{Kind: ghdouble.IssueList}, fact.Fault)
	for range 2 {
		l := list(t, p)
		want := []poller.ScopeFailure{{Scope: "octo/m", Error: "gh issue list --repo exited 1: the 'octo/m' repository has disabled issues"}}
		if diff := cmp.Diff(want, l.Failures); diff != "" || len(l.Skipped) > 0 {
			t.Errorf("failures (-want +got):\n%s\nskipped %+v", diff, l.Skipped)
		}
	}
	s.Heal()
	wantHealthy(t, list(t, p), "octo/m")
}

// TestRealGHRenamed has the search find nothing under the old name, until the
// name is given back.
func TestRealGHRenamed(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/old")
	p := realProvider(t, c, "Octo/Old")
	s.Repo("octo/old").Rename("octo/new")
	renamed := poller.ScopeFailure{Scope: "octo/old", Permanent: true,
		Error: "is now called octo/new; GitHub's search finds nothing under the old name, change it in the configuration"}
	for cycle, want := range []poller.Listing{
		{Failures: []poller.ScopeFailure{renamed}, Polled: []string{"octo/old"}},
		{Skipped: []poller.ScopeFailure{renamed}},
		{Skipped: []poller.ScopeFailure{renamed}},
	} {
		if diff := cmp.Diff(want, list(t, p)); diff != "" {
			t.Errorf("cycle %d (-want +got):\n%s", cycle+1, diff)
		}
	}
	s.Repo("octo/new").Rename("octo/old")
	list(t, p) // not due
	l := list(t, p)
	wantHealthy(t, l, "octo/old")
	if diff := cmp.Diff([]string{"octo/old"}, l.Recovered); diff != "" {
		t.Errorf("recovered (-want +got):\n%s", diff)
	}
}

// TestRealGHMissing has a repository that is not there, asked for pull requests
// only: gh lists none and exits 0, so the name is asked for, cycle by cycle.
func TestRealGHMissing(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil)
	p := realProvider(t, c, "octo/none")
	p.Issues = false
	want := []poller.ScopeFailure{{Scope: "octo/none",
		Error: "gh repo view github.com/octo/none exited 1: GraphQL: Could not resolve to a Repository with the name 'octo/none'. (repository)"}}
	for range 2 {
		l := list(t, p)
		if diff := cmp.Diff(want, l.Failures); diff != "" || len(l.Skipped) > 0 {
			t.Errorf("failures (-want +got):\n%s\nskipped %+v", diff, l.Skipped)
		}
	}
	s.Repo("octo/none").AddPullRequest(ghdouble.Item{Number: 9, Labels: []string{"the-loop"}})
	if l := list(t, p); len(l.Items) != 1 || len(l.Failures)+len(l.Skipped) > 0 {
		t.Errorf("once it is there: %+v", l)
	}
}

// TestRealGHQuota uses a host's quota up: the host is left alone until the time
// that GitHub gives, in later cycles, too.
func TestRealGHQuota(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a", "octo/b", "ghe.example.com/corp/c")
	reset := time.Now().Add(40 * time.Minute).Truncate(time.Second)
	s.SetRate("github.com", "graphql", ghdouble.Rate{Limit: 5000, Reset: reset})
	p := realProvider(t, c, "octo/a", "octo/b", "ghe.example.com/corp/c")
	text := "not asked: GitHub's rate limit on github.com is used up until " + timetext.UTC(reset)
	first := list(t, p)
	wantHealthy(t, first, "ghe.example.com/corp/c")
	if len(first.Failures) != 1 || first.Failures[0].Scope != "octo/a" || len(first.Limited) != 1 || first.Limited[0].Host != "github.com" {
		t.Errorf("failures %+v, limits %+v", first.Failures, first.Limited)
	}
	if diff := cmp.Diff([]poller.ScopeFailure{{Scope: "octo/b", Error: text, Cause: poller.CauseRateLimit}}, first.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	before := s.Count(ghdouble.Match{Host: "github.com"})
	next := list(t, p)
	want := []poller.ScopeFailure{{Scope: "octo/a", Error: text, Cause: poller.CauseRateLimit}, {Scope: "octo/b", Error: text, Cause: poller.CauseRateLimit}}
	if diff := cmp.Diff(want, next.Skipped); diff != "" || len(next.Failures) > 0 || len(next.Limited) > 0 {
		t.Errorf("skipped (-want +got):\n%s\nfailures %+v", diff, next.Failures)
	}
	if got := s.Count(ghdouble.Match{Host: "github.com"}); got != before {
		t.Errorf("%d requests while the host is to be left alone", got-before)
	}
}

// TestRealGHPoints compares what the meter counts with what GitHub takes from the
// quota, by its formula, for a cycle with more than a page of everything.
func TestRealGHPoints(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a")
	s.Repo("octo/a").Crowd("the-loop")
	list(t, realProvider(t, c, "octo/a")) // a newer gh asks the host what it can do, once
	const plenty = 5000
	for _, resource := range []string{graphQL, rest} {
		s.SetRate("github.com", resource, ghdouble.Rate{Limit: plenty, Remaining: plenty, Reset: time.Now().Add(time.Hour), Counted: true})
	}
	p := realProvider(t, c, "octo/a")
	for _, item := range list(t, p).Items {
		if item.Number%1000 == 1 || item.Number%1000 == 7 {
			if _, err := p.Comments(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.Hosts.CycleDone()
	left, err := c.RateLimit(t.Context(), "github.com")
	if err != nil {
		t.Fatal(err)
	}
	for resource, spent := range p.Hosts.meter.perCycle("github.com") {
		if got, want := int(spent.points), plenty-left[resource].Remaining; got != want {
			t.Errorf("%s: counted %d points, GitHub took %d", resource, got, want)
		}
	}
}
