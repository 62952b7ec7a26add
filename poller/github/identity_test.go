package github

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ghtest"
	"the-loop/poller"
)

const renamedText = "is now called octo/new; GitHub's search finds nothing under the old name, change it in the configuration"

// TestRenamedWithIssuesOff: the name counts that is told when Issues are found
// to be off, and where they have been off for long, the pull requests alone make
// the repository an empty one.
func TestRenamedWithIssuesOff(t *testing.T) {
	off := issuesOn("octo/new", false)
	f := newFake(t).on("issues octo/old", errDisabled).on("pulls octo/old", 0).on("repo octo/old", off)
	p := provider(t, f, "octo/old")
	want := poller.Listing{Failures: []poller.ScopeFailure{
		{Scope: "octo/old", Error: errDisabled.Error(), Permanent: true},
		{Scope: "octo/old", Error: renamedText, Permanent: true},
	}}
	if diff := cmp.Diff(want, list(t, p)); diff != "" {
		t.Errorf("at the first sighting (-want +got):\n%s", diff)
	}
	want = poller.Listing{Skipped: []poller.ScopeFailure{{Scope: "octo/old", Error: renamedText, Permanent: true}}}
	if diff := cmp.Diff(want, list(t, p)); diff != "" {
		t.Errorf("in the next cycle (-want +got):\n%s", diff)
	}

	// Renamed while its Issues were off, and the reprobe is far.
	f = newFake(t).on("issues octo/old", errDisabled).on("pulls octo/old", 1, 1, 0).
		on("repo octo/old", issuesOn("octo/old", false), named("octo/new"))
	p = provider(t, f, "octo/old")
	p.ReprobeCycles = 6
	for range 7 { // in the seventh its Issues are asked for again, in vain
		if l := list(t, p); slices.ContainsFunc(l.Failures, func(f poller.ScopeFailure) bool { return f.Error == renamedText }) {
			t.Fatalf("renamed before its name was due: %v", l.Failures)
		}
	}
	if got := list(t, p).Failures; !slices.Contains(got, poller.ScopeFailure{Scope: "octo/old", Error: renamedText, Permanent: true}) {
		t.Errorf("failures %v, want the new name: its pull requests were listed and there were none", got)
	}
}

// TestIdentityRefused: an empty list that goes with a refusal is no empty
// repository, and is asked about in every cycle until the refusal ends.
func TestIdentityRefused(t *testing.T) {
	for name, refusal := range map[string]error{"SAML": errSAML, "an address that is not allowed": errForbidden, "no such repository": errNoRepo} {
		f := newFake(t).on("issues octo/a", 0).on("pulls octo/a", 0).on("repo octo/a", refusal, refusal, named("octo/a"))
		p := provider(t, f, "octo/a")
		want := []poller.ScopeFailure{{Scope: "octo/a", Error: refusal.Error(), Cause: poller.Cause(gh.CauseOf(refusal))}}
		for cycle := range 2 {
			if diff := cmp.Diff(want, list(t, p).Failures); diff != "" {
				t.Errorf("%s, cycle %d (-want +got):\n%s", name, cycle+1, diff)
			}
		}
		if got := list(t, p).Failures; got != nil {
			t.Errorf("%s: failures %v after its end", name, got)
		}
	}
	for name, silence := range map[string]error{"gateway": errGateway, "timeout": errors.New("gh repo timed out after 1m0s"), "login": errNoLogin} {
		f := newFake(t).on("issues octo/a", 0).on("pulls octo/a", 0).on("repo octo/a", silence)
		if got := list(t, provider(t, f, "octo/a")).Failures; got != nil {
			t.Errorf("%s: failures %v, want none: no answer says nothing", name, got)
		}
	}
}

// TestIdentityFailureOutlastsItsTurn: what could not be seen stays failed in the
// cycles in which others have their turn to be asked.
func TestIdentityFailureOutlastsItsTurn(t *testing.T) {
	f := newFake(t)
	var names []string
	for i := range 12 {
		name := fmt.Sprintf("octo/r%d", i)
		names = append(names, name)
		f.on("issues "+name, 0).on("pulls "+name, 0).on("repo "+name, errSAML)
	}
	p := provider(t, f, names...)
	for cycle, want := range []int{5, 10, 12, 12} {
		if got := len(list(t, p).Failures); got != want {
			t.Errorf("cycle %d: %d failures, want %d", cycle+1, got, want)
		}
	}
}

// TestRenamedWithoutALabel: gh follows the rename, and what it lists is another
// repository's.
func TestRenamedWithoutALabel(t *testing.T) {
	f := newFake(t).on("issues octo/old", ghtest.Dropped(3)).on("pulls octo/old", 0).on("repo octo/old", named("octo/new"))
	p := provider(t, f, "octo/old")
	p.Labels = nil
	want := []poller.ScopeFailure{{Scope: "octo/old", Error: renamedText, Permanent: true}}
	if diff := cmp.Diff(want, list(t, p).Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

// TestQuarantineCountsCyclesWithoutGH: a source that cannot be asked has had its
// cycle.
func TestQuarantineCountsCyclesWithoutGH(t *testing.T) {
	f := newFake(t).on("issues octo/m", errDisabled, 1).on("pulls octo/m", 1).on("repo octo/m", issuesOn("octo/m", false))
	p := provider(t, f, "octo/m") // asks again after 4 cycles
	list(t, p)
	f.Gone = errors.New("could not run gh: gh was not found on PATH")
	for range 3 {
		if _, err := p.Listing(t.Context(), nil); err == nil {
			t.Fatal("no error without gh")
		}
	}
	f.Gone = nil
	if got := list(t, p).Recovered; !slices.Equal(got, []string{"octo/m"}) {
		t.Errorf("recovered %v in the fifth cycle, want octo/m", got)
	}
}

// TestRenamed is the timeline of a repository that GitHub calls something
// else: sighted in cycle 1, checked again in 5 and in 9.
func TestRenamed(t *testing.T) {
	f := newFake(t).on("issues octo/old", 0, 1).on("pulls octo/old", 0).
		on("repo octo/old", named("octo/new"), named("octo/newer"), named("OCTO/old"))
	p := provider(t, f, "octo/old")
	text := "is now called %s; GitHub's search finds nothing under the old name, change it in the configuration"
	for cycle := 1; cycle <= 9; cycle++ {
		l := list(t, p)
		var want poller.Listing
		switch {
		case cycle == 1:
			want.Failures = []poller.ScopeFailure{{Scope: "octo/old", Error: fmt.Sprintf(text, "octo/new"), Permanent: true}}
			want.Polled = []string{"octo/old"}
		case cycle < 5:
			want.Skipped = []poller.ScopeFailure{{Scope: "octo/old", Error: fmt.Sprintf(text, "octo/new"), Permanent: true}}
		case cycle < 9:
			want.Skipped = []poller.ScopeFailure{{Scope: "octo/old", Error: fmt.Sprintf(text, "octo/newer"), Permanent: true}}
		default:
			want.Recovered, want.Polled = []string{"octo/old"}, []string{"octo/old"}
		}
		l.Items = nil
		if diff := cmp.Diff(want, l); diff != "" {
			t.Errorf("cycle %d (-want +got):\n%s", cycle, diff)
		}
	}
	if got := f.count("issues octo/old"); got != 2 {
		t.Errorf("issues were asked for %d times, want in the first and the last cycle", got)
	}
}

func TestIdentityIsAskedOnlyOfTheEmpty(t *testing.T) {
	f := newFake(t).
		on("issues octo/empty", 0).on("pulls octo/empty", 0).on("repo octo/empty", named("octo/empty")).
		on("issues octo/half", errGateway).on("pulls octo/half", 0).
		on("issues octo/busy", 1).on("pulls octo/busy", 0)
	p := provider(t, f, "octo/empty", "octo/half", "octo/busy")
	for range 9 {
		if l := list(t, p); len(l.Skipped) != 0 {
			t.Fatalf("skipped %v", l.Skipped)
		}
	}
	if got := f.count("repo octo/empty"); got != 3 {
		t.Errorf("asked %d times in 9 cycles, want in 1, 5 and 9", got)
	}

	f = newFake(t).on("issues octo/a", 0).on("pulls octo/a", 0)
	p = provider(t, f, "octo/a")
	p.Labels = nil // gh asks the repository itself, and follows a rename
	list(t, p)
}

// TestIdentityBudget: no more than five checks in a cycle, those first that
// waited longest, and repositories that cannot be resolved, which are due in
// every cycle, keep nobody from his turn.
func TestIdentityBudget(t *testing.T) {
	f := newFake(t)
	var names []string
	for i := range 13 {
		name := fmt.Sprintf("octo/r%d", i)
		names = append(names, name)
		f.on("issues "+name, 0).on("pulls "+name, 0).on("repo "+name, named(name))
		if i < 6 {
			f.on("repo "+name, errNoRepo)
		}
	}
	p := provider(t, f, names...)
	p.ReprobeCycles = 60
	var got [][]string
	for range 4 {
		before := len(f.took())
		list(t, p)
		var asked []string
		for _, c := range f.took()[before:] {
			if name, ok := strings.CutPrefix(c, "repo octo/"); ok {
				asked = append(asked, name)
			}
		}
		got = append(got, asked)
	}
	want := [][]string{
		{"r0", "r1", "r2", "r3", "r4"},
		{"r5", "r6", "r7", "r8", "r9"},
		{"r10", "r11", "r12", "r0", "r1"},
		{"r2", "r3", "r4", "r5", "r0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}
