package github

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

var _ poller.Provider = (*Provider)(nil)

func TestOneRepositoryFailsAlone(t *testing.T) {
	f := newFake(t).
		on("issues octo/a", 2).on("pulls octo/a", 1).
		on("issues octo/b", errGateway).on("pulls octo/b", 1).
		on("issues octo/c", errGateway).on("pulls octo/c", errGateway).
		on("issues octo/d", 1).on("pulls octo/d", 0)
	l := list(t, provider(t, f, "octo/a", "octo/b", "octo/c", "Octo/D"))

	var refs []string
	for _, item := range l.Items {
		refs = append(refs, item.Ref)
	}
	wantRefs := []string{"github:octo/a#1", "github:octo/a#2", "github:octo/a#100", "github:octo/b#100", "github:octo/d#1"}
	if diff := cmp.Diff(wantRefs, refs); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	text := errGateway.Error()
	want := []poller.ScopeFailure{{Scope: "octo/b", Error: text}, {Scope: "octo/c", Error: text}, {Scope: "octo/c", Error: text}}
	if diff := cmp.Diff(want, l.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"octo/a", "octo/b", "octo/d"}, l.Polled); diff != "" {
		t.Errorf("polled (-want +got):\n%s", diff)
	}
	wantCalls := []string{
		"issues octo/a", "pulls octo/a", "issues octo/b", "pulls octo/b",
		"issues octo/c", "pulls octo/c", "issues octo/d", "pulls octo/d",
	}
	if diff := cmp.Diff(wantCalls, f.took()); diff != "" {
		t.Errorf("calls in order (-want +got):\n%s", diff)
	}
}

// TestQuarantine walks the whole timeline of a repository whose Issues are
// off: sighted in cycle 2, asked about again in 6 (still off), in 10 (another
// error) and in 11 (on).
func TestQuarantine(t *testing.T) {
	f := newFake(t).
		on("issues octo/m", 1, errDisabled, errDisabled, errGateway, 1).
		on("pulls octo/m", 1).on("repo octo/m", issuesOn("octo/m", false))
	p := provider(t, f, "octo/m")

	standing := "issues are disabled on this repository; its issues are skipped and re-probed every 4 cycles, its pull requests are still polled"
	sighted := poller.ScopeFailure{Scope: "octo/m", Error: errDisabled.Error(), Permanent: true}
	skipped := poller.ScopeFailure{Scope: "octo/m", Error: standing, Permanent: true}
	transient := poller.ScopeFailure{Scope: "octo/m", Error: errGateway.Error()}
	type seen struct {
		asked             bool
		failures, skipped []poller.ScopeFailure
		recovered         []string
	}
	want := []seen{
		{asked: true},
		{asked: true, failures: []poller.ScopeFailure{sighted}},
		{skipped: []poller.ScopeFailure{skipped}},
		{skipped: []poller.ScopeFailure{skipped}},
		{skipped: []poller.ScopeFailure{skipped}},
		{asked: true, skipped: []poller.ScopeFailure{skipped}},
		{skipped: []poller.ScopeFailure{skipped}},
		{skipped: []poller.ScopeFailure{skipped}},
		{skipped: []poller.ScopeFailure{skipped}},
		{asked: true, failures: []poller.ScopeFailure{transient}},
		{asked: true, recovered: []string{"octo/m"}},
		{asked: true},
	}
	for i, w := range want {
		before := f.count("issues octo/m")
		l := list(t, p)
		got := seen{asked: f.count("issues octo/m") > before, failures: l.Failures, skipped: l.Skipped, recovered: l.Recovered}
		if diff := cmp.Diff(w, got, cmp.AllowUnexported(seen{})); diff != "" {
			t.Errorf("cycle %d (-want +got):\n%s", i+1, diff)
		}
		if f.count("pulls octo/m") != i+1 || !slices.Equal(l.Polled, []string{"octo/m"}) {
			t.Errorf("cycle %d: the pull requests were not listed", i+1)
		}
	}
	if got := f.count("repo octo/m"); got != 1 {
		t.Errorf("asked for a second opinion %d times, want once, at the first sighting", got)
	}
}

func TestSecondOpinion(t *testing.T) {
	for name, tt := range map[string]struct {
		answer    any
		permanent bool
	}{
		"issues are on":  {issuesOn("octo/m", true), false},
		"issues are off": {issuesOn("octo/m", false), true},
		"not told":       {named("octo/m"), true},
		"no answer":      {errGateway, true},
		// gh's word for a broken answer, and never for a repository without Issues.
		"no such repository": {errNoRepo, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t).on("issues octo/m", errDisabled, 1).on("pulls octo/m", 1).on("repo octo/m", tt.answer)
			p := provider(t, f, "octo/m")
			want := []poller.ScopeFailure{{Scope: "octo/m", Error: errDisabled.Error(), Permanent: tt.permanent}}
			if diff := cmp.Diff(want, list(t, p).Failures); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
			if next := list(t, p); (len(next.Skipped) > 0) != tt.permanent {
				t.Errorf("next cycle skipped %v", next.Skipped)
			}
		})
	}
}

func TestCutOff(t *testing.T) {
	f := newFake(t).on("issues octo/a", 3).on("pulls octo/a", 1)
	p := provider(t, f, "octo/a")
	p.Limit = 3
	l := list(t, p)
	want := []poller.ScopeFailure{{Scope: "octo/a", Error: "listing is cut off at 3 items; narrow the label or raise limit"}}
	if diff := cmp.Diff(want, l.Failures); diff != "" || len(l.Items) != 4 {
		t.Errorf("%d items, failures (-want +got):\n%s", len(l.Items), diff)
	}
}

// TestCutOffBySearch: with a label gh gives a thousand items at the most, however
// many were asked for.
func TestCutOffBySearch(t *testing.T) {
	for name, tt := range map[string]struct {
		labels   []string
		items    int
		failures int
	}{
		"as many as search gives": {[]string{"the-loop"}, 1000, 1},
		"one less":                {[]string{"the-loop"}, 999, 0},
		"no search":               {nil, 1000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := provider(t, newFake(t).on("issues octo/a", tt.items).on("pulls octo/a", 1), "octo/a")
			p.Limit, p.Labels = 5000, tt.labels
			l := list(t, p)
			if len(l.Failures) != tt.failures || len(l.Items) != tt.items+1 {
				t.Errorf("%d items, failures %v", len(l.Items), l.Failures)
			}
		})
	}
}

func TestRateLimitStopsTheHostUntilItsReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := time.Now().Add(30 * time.Minute)
		f := newFake(t).on("issues octo/a", errLimit, 1).on("pulls octo/a", 0).
			on("issues octo/b", 1).on("pulls octo/b", 0).
			on("issues ghe.corp/octo/c", 1).on("pulls ghe.corp/octo/c", 0).
			on("limits github.com", gh.RateLimits{"graphql": {Limit: 5000, Reset: reset}, "core": {Remaining: 1, Reset: reset.Add(time.Hour)}})
		p := provider(t, f, "octo/a", "octo/b", "ghe.corp/octo/c")
		until := "not asked: GitHub's rate limit on github.com is used up until " + reset.UTC().Format(time.RFC3339)

		want := poller.Listing{
			Failures: []poller.ScopeFailure{{Scope: "octo/a", Error: errLimit.Error(), Cause: poller.CauseRateLimit}},
			Skipped:  []poller.ScopeFailure{{Scope: "octo/b", Error: until, Cause: poller.CauseRateLimit}},
			Polled:   []string{"ghe.corp/octo/c"},
			Limited:  []poller.HostLimit{{Host: "github.com", Until: reset}},
		}
		got := list(t, p)
		got.Items = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("first cycle (-want +got):\n%s", diff)
		}
		<-time.After(29 * time.Minute)
		got = list(t, p)
		if len(got.Skipped) != 2 || len(got.Limited) != 0 || f.count("issues octo/a") != 1 {
			t.Errorf("before the reset: %+v", got)
		}
		<-time.After(2 * time.Minute)
		if got = list(t, p); len(got.Degraded()) != 0 || len(got.Polled) != 3 {
			t.Errorf("after the reset: %+v", got)
		}
	})
}

// TestSecondaryLimitBacksOff: without a reset time the wait is a minute and
// doubles with each meeting, up to fifteen; an answer starts it over.
func TestSecondaryLimitBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answers []any
		for range 6 {
			answers = append(answers, errSecondary)
		}
		f := newFake(t).on("issues octo/a", append(answers, 1, errSecondary)...).on("pulls octo/a", 1).
			on("limits github.com", errGateway)
		p := provider(t, f, "octo/a")
		for i, want := range []time.Duration{1, 2, 4, 8, 15, 15, 0, 1} {
			l := list(t, p)
			if want == 0 {
				if len(l.Limited) != 0 {
					t.Errorf("meeting %d: limited %v", i+1, l.Limited)
				}
				continue
			}
			if len(l.Limited) != 1 || time.Until(l.Limited[0].Until) != want*time.Minute {
				t.Fatalf("meeting %d: limited %v, want for %d minutes", i+1, l.Limited, want)
			}
			<-time.After(want * time.Minute)
		}
	})
}

func TestNoLoginStopsTheHostForOneCycle(t *testing.T) {
	f := newFake(t).on("issues octo/a", 1).on("pulls octo/a", errNoLogin, 0).
		on("issues octo/b", 1).on("pulls octo/b", 0)
	p := provider(t, f, "octo/a", "octo/b")
	l := list(t, p)
	want := []poller.ScopeFailure{{Scope: "octo/b", Error: "not asked: gh is not logged in to github.com", Cause: poller.CauseNoLogin}}
	if diff := cmp.Diff(want, l.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if !slices.Equal(l.Polled, []string{"octo/a"}) || len(l.Failures) != 1 {
		t.Errorf("the scope that met it: polled %v, failures %v", l.Polled, l.Failures)
	}
	if l = list(t, p); len(l.Degraded()) != 0 {
		t.Errorf("next cycle: degraded %v", l.Degraded())
	}
}

// TestNoLoginStopsEverySource: one question a cycle tells the sources that share
// a gh; one with another gh asks for itself.
func TestNoLoginStopsEverySource(t *testing.T) {
	f := newFake(t).on("issues octo/a", errNoLogin, errNoLogin, 1).on("pulls octo/a", 0).
		on("issues octo/b", 1).on("pulls octo/b", 0).on("issues octo/c", 1).on("pulls octo/c", 0)
	a, b, c := provider(t, f, "octo/a"), provider(t, f, "octo/b"), provider(t, f, "octo/c")
	b.gate.hosts, c.gate.hosts = a.Hosts, a.Hosts
	c.gate.gh = "/opt/gh"
	for cycle := range 2 {
		if l := list(t, a); len(l.Failures) != 1 {
			t.Errorf("cycle %d: failures %v, want one", cycle+1, l.Failures)
		}
		if l := list(t, b); len(l.Skipped) != 1 || len(l.Polled) != 0 {
			t.Errorf("cycle %d: the other source skipped %v and polled %v", cycle+1, l.Skipped, l.Polled)
		}
		if l := list(t, c); len(l.Polled) != 1 {
			t.Errorf("cycle %d: the source with another gh polled %v", cycle+1, l.Polled)
		}
		a.Hosts.CycleDone()
	}
	for _, p := range []*Provider{a, b} {
		if l := list(t, p); len(l.Polled) != 1 || len(l.Degraded()) != 0 {
			t.Errorf("after the login: polled %v, degraded %v", l.Polled, l.Degraded())
		}
	}
}

func TestMonitorOneKind(t *testing.T) {
	f := newFake(t).on("pulls octo/a", 0).on("repo octo/a", named("octo/a"))
	p := provider(t, f, "octo/a")
	p.Issues = false
	if l := list(t, p); len(l.Degraded()) != 0 || len(l.Polled) != 1 {
		t.Errorf("listing %+v", l)
	}
	if want := []string{"pulls octo/a", "repo octo/a"}; !slices.Equal(f.took(), want) {
		t.Errorf("calls %v, want %v", f.took(), want)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(t).on("issues octo/a", 1).on("pulls octo/a", func() any { cancel(); return context.Canceled })
	p := provider(t, f, "octo/a", "octo/b")
	l, err := p.Listing(ctx, nil)
	if err != nil || !l.Interrupted || len(l.Degraded()) != 0 || len(l.Items) != 1 {
		t.Errorf("listing %+v, error %v", l, err)
	}
}

func TestWholeSourceFails(t *testing.T) {
	if _, err := provider(t, newFake(t)).Listing(t.Context(), nil); err == nil {
		t.Error("no repositories: no error")
	}
	f := newFake(t)
	f.Gone = errors.New("could not run gh: not found")
	if _, err := provider(t, f, "octo/a").Listing(t.Context(), nil); !errors.Is(err, f.Gone) {
		t.Errorf("no gh: error %v", err)
	}
}

func TestPanicStaysInItsScope(t *testing.T) {
	f := newFake(t).on("issues octo/a", "not a listing").on("issues octo/b", 1).on("pulls octo/b", 0)
	l := list(t, provider(t, f, "octo/a", "octo/b"))
	if len(l.Failures) != 1 || !strings.HasPrefix(l.Failures[0].Error, "internal error: ") || len(l.Polled) != 1 {
		t.Errorf("listing %+v", l)
	}
}

func TestStrictForm(t *testing.T) {
	f := newFake(t).on("issues octo/a", 1, errGateway).on("pulls octo/a", 1)
	p := provider(t, f, "octo/a")
	if items, err := p.ListWorkItems(t.Context()); err != nil || len(items) != 2 {
		t.Errorf("healthy: %d items, error %v", len(items), err)
	}
	_, err := p.ListWorkItems(t.Context())
	if want := "octo/a: " + errGateway.Error(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestScopeOf(t *testing.T) {
	p := provider(t, newFake(t), "Octo/A", "ghe.corp/octo/c")
	for text, want := range map[string]struct {
		scope string
		owns  bool
	}{
		"github:octo/a#1":          {"octo/a", true},
		"github:OCTO/A#1":          {"octo/a", true},
		"github:ghe.corp/octo/c#9": {"ghe.corp/octo/c", true},
		"github:octo/c#9":          {"octo/c", false},
		"github:octo/a":            {"", false},
		"gitlab:octo/a#1":          {"", false},
		"":                         {"", false},
	} {
		if got := p.ScopeOf(text); got != want.scope || p.Owns(text) != want.owns {
			t.Errorf("%q: scope %q, owned %t; want %+v", text, got, p.Owns(text), want)
		}
		if scope, watched := p.Watches(text, ""); scope != want.scope || watched != want.owns {
			t.Errorf("%q: scope %q, watched %t; want %+v", text, scope, watched, want)
		}
	}
}

func TestWatchesKinds(t *testing.T) {
	p := provider(t, newFake(t), "octo/a")
	for _, asks := range []struct{ issues, pulls bool }{{true, true}, {true, false}, {false, true}} {
		p.Issues, p.PullRequests = asks.issues, asks.pulls
		for kind, want := range map[ref.Kind]bool{ref.Issue: asks.issues, ref.PullRequest: asks.pulls, "": true, "discussion": false} {
			if scope, got := p.Watches("github:octo/a#1", kind); scope != "octo/a" || got != want {
				t.Errorf("a source with %+v: the kind %q of scope %q is watched %t", asks, kind, scope, got)
			}
		}
	}
}

// TestConcurrencyChangesNothing compares the listings of a provider that asks
// one repository after the other with one that asks several at once, over
// random faults.
func TestConcurrencyChangesNothing(t *testing.T) {
	faults := []any{0, 1, 2, errGateway, errDisabled, errNoRepo}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		one, many := newFake(t), newFake(t)
		var names []string
		for i := range 23 {
			name := fmt.Sprintf("octo/r%d", i)
			names = append(names, name)
			for _, call := range []string{"issues ", "pulls "} {
				var answers []any
				for range 12 {
					answers = append(answers, faults[random.IntN(len(faults))])
				}
				one.on(call+name, answers...)
				many.on(call+name, answers...)
			}
			who := []any{issuesOn(name, false), issuesOn(name, true), named("octo/moved"), errGateway, errNoRepo}[random.IntN(5)]
			one.on("repo "+name, who)
			many.on("repo "+name, who)
		}
		sequential, concurrent := provider(t, one, names...), provider(t, many, names...)
		concurrent.Concurrency = 8
		for cycle := range 12 {
			if diff := cmp.Diff(list(t, sequential), list(t, concurrent)); diff != "" {
				t.Fatalf("seed %d, cycle %d (-sequential +concurrent):\n%s", seed, cycle+1, diff)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	f := newFake(t).on("issues octo/a", 1).on("pulls octo/a", 0).on("issues octo/b", 1).on("pulls octo/b", 0)
	var steps []string
	_, err := provider(t, f, "octo/a", "octo/b").Listing(t.Context(), func(done, total int, scope string) {
		steps = append(steps, fmt.Sprintf("%d/%d %s", done, total, scope))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0/2 octo/a", "1/2 octo/b", "2/2 octo/b"} {
		if !slices.Contains(steps, want) {
			t.Errorf("steps %v lack %q", steps, want)
		}
	}
}
