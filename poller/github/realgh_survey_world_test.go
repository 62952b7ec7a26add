//go:build unix

package github

import (
	"slices"
	"testing"
	"time"

	"the-loop/internal/ghdouble"
	"the-loop/poller"
)

// TestRealGHSurveyGaps has answers in which one repository is not whole: it is
// listed. Only an error that names no place makes the answer useless for the other
// one, too.
func TestRealGHSurveyGaps(t *testing.T) {
	t.Parallel()
	for _, gap := range []ghdouble.Gap{
		ghdouble.GapAlias, ghdouble.GapConnections, ghdouble.GapLimits, ghdouble.GapNodes, ghdouble.GapNode, ghdouble.GapPlace,
	} {
		t.Run(string(gap), func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, nil, "octo/a", "octo/b")
			p := realSurvey(t, s, c, "octo/a", "octo/b")
			s.Repo("octo/a").SetGap(gap)
			var unchanged []string
			failures := 1
			if gap != ghdouble.GapPlace {
				unchanged, failures = []string{"octo/b"}, 0
			}
			l := realListing(t, p)
			wantUnchanged(t, l, unchanged...)
			wantHealthy(t, l, "octo/a", "octo/b")
			if len(l.SurveyFailures) != failures || s.Count(ghdouble.Match{Kind: ghdouble.APIGraphQL}) != 1 {
				t.Errorf("survey failures %v", l.SurveyFailures)
			}
			if want := map[ghdouble.Gap]int{ghdouble.GapLimits: 50, ghdouble.GapPlace: 50}[gap]; want != 0 {
				if size, _ := p.Hosts.surveys.ready("github.com"); size != want {
					t.Errorf("the next batch has %d lists, want %d", size, want)
				}
			}
			s.Repo("octo/a").SetGap("")
			p.Hosts.surveys.reload(nil)
			wantUnchanged(t, realListing(t, p), "octo/a", "octo/b")
		})
	}
}

// TestRealGHSurveySlow has a query that takes GitHub more than its ten seconds: the
// repositories are listed, and then asked about in two halves.
func TestRealGHSurveySlow(t *testing.T) {
	t.Parallel()
	names := streets(12)
	s, c := realWorld(t, nil, names...)
	for _, name := range names {
		s.Repo(name).SetSlow(time.Second)
	}
	p := realSurvey(t, s, c, names...)
	p.Hosts.surveys.of("github.com").size = 24
	surveys := ghdouble.Match{Kind: ghdouble.APIGraphQL}
	l := realListing(t, p)
	if len(l.Unchanged) > 0 || len(l.Polled) != 12 || len(l.Degraded()) > 0 || len(l.SurveyFailures) != 1 || s.Count(surveys) != 1 {
		t.Errorf("unchanged %v, polled %d, survey failures %v", l.Unchanged, len(l.Polled), l.SurveyFailures)
	}
	p.Hosts.surveys.of("github.com").until = time.Time{} // the minute is over
	l = realListing(t, p)
	wantUnchanged(t, l, names...)
	if n := s.Count(surveys); n != 3 || len(l.SurveyRecovered) != 1 {
		t.Errorf("%d surveys, recovered %v", n, l.SurveyRecovered)
	}
}

// TestRealGHSurveyRenamed has GitHub answer an old name with the new one: what the
// repository holds under that is no proof.
func TestRealGHSurveyRenamed(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a", "octo/b")
	p := realSurvey(t, s, c, "octo/a", "octo/b")
	wantUnchanged(t, realListing(t, p), "octo/a", "octo/b")
	s.Repo("octo/a").Rename("octo/new")
	l := realListing(t, p)
	if !slices.Equal(l.Unchanged, []string{"octo/b"}) || len(l.Failures) != 1 || !l.Failures[0].Permanent {
		t.Errorf("unchanged %v, failures %+v", l.Unchanged, l.Failures)
	}
	s.Repo("octo/new").Rename("octo/a")
	for range 3 { // until it is asked again
		l = realListing(t, p)
	}
	wantHealthy(t, l, "octo/a", "octo/b")
}

// TestRealGHSurveyLag has a search index that is behind what the survey sees, in
// both directions: the repository is listed again in each cycle until it is not.
func TestRealGHSurveyLag(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/new", "octo/closed", "octo/b")
	p := realSurvey(t, s, c, "octo/new", "octo/closed", "octo/b")
	late, closed := s.Repo("octo/new"), s.Repo("octo/closed")
	late.AddIssue(ghdouble.Item{Number: 11, Labels: []string{"the-loop"}, Index: "missing"})
	closed.Update(7, func(it *ghdouble.Item) { it.State, it.Index = "closed", "stale" })
	for range 2 {
		l := realListing(t, p)
		wantUnchanged(t, l, "octo/b")
		wantHealthy(t, l, "octo/new", "octo/closed")
	}
	late.Update(11, func(it *ghdouble.Item) { it.Index = "" })
	closed.Update(7, func(it *ghdouble.Item) { it.Index = "" })
	l := realListing(t, p)
	wantUnchanged(t, l, "octo/b")
	if got := len(itemsOf(l, "octo/new")) + len(itemsOf(l, "octo/closed")); got != 4 {
		t.Errorf("%d items", got)
	}
	wantUnchanged(t, realListing(t, p), "octo/new", "octo/closed", "octo/b")
}

// TestRealGHSurveyQuietLabels has labels that come and go without moving the time of
// an item's last change.
func TestRealGHSurveyQuietLabels(t *testing.T) {
	t.Parallel()
	s, c := realWorld(t, nil, "octo/a", "octo/b")
	p := realSurvey(t, s, c, "octo/a", "octo/b")
	for _, step := range []struct {
		command []string
		items   int
	}{
		{[]string{"relabel", "octo/a#7", "other"}, 1},
		{[]string{"relabel", "octo/a#7", "the-loop"}, 2},
		{[]string{"rename-label", "octo/a", "the-loop", "The-Loop"}, 2},
		{[]string{"rename-label", "octo/a", "the-loop", "gone"}, 0},
	} {
		if _, err := s.Command(step.command...); err != nil {
			t.Fatal(err)
		}
		var l poller.Listing
		for _, want := range [][]string{{"octo/b"}, {"octo/a", "octo/b"}} {
			l = realListing(t, p)
			wantUnchanged(t, l, want...)
		}
		if got := itemsOf(l, "octo/a"); len(got) != step.items {
			t.Errorf("%v: items %v", step.command, got)
		}
	}
}
