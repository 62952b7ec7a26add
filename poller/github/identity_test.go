package github

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		want := []poller.ScopeFailure{{Scope: "octo/a", Error: refusal.Error()}}
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
	f := newFake(t).on("issues octo/old", foreign(3)).on("pulls octo/old", 0).on("repo octo/old", named("octo/new"))
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
	f.gone = errors.New("could not run gh: gh was not found on PATH")
	for range 3 {
		if _, err := p.Listing(t.Context(), nil); err == nil {
			t.Fatal("no error without gh")
		}
	}
	f.gone = nil
	if got := list(t, p).Recovered; !slices.Equal(got, []string{"octo/m"}) {
		t.Errorf("recovered %v in the fifth cycle, want octo/m", got)
	}
}
