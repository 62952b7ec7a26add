//go:build unix

package github

import (
	"errors"
	"testing"

	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// TestRealGHComments reads a pull request with 101 entries on each surface, all
// or, when a later page fails, none.
func TestRealGHComments(t *testing.T) {
	ghdouble.RealGH(t)
	for name, putOff := range map[string]bool{
		"": false, "page-2": false, "page-2-null": false, "page-2-401": false, "page-2-429": true, "page-2-rate-limit": true,
	} {
		t.Run("fault "+name, func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, nil)
			s.Repo("octo/a").Crowd("the-loop")
			if name != "" {
				fact, err := ghdouble.FactNamed(name)
				if err != nil {
					t.Fatal(err)
				}
				s.Fail(ghdouble.Match{}, fact.Fault)
			}
			p := realProvider(t, c, "octo/a")
			got, err := p.Comments(t.Context(), poller.WorkItem{
				Ref: "github:octo/a#1001", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}.Item(1001), Kind: ref.PullRequest,
			})
			if name == "" {
				if err != nil || len(got) != 3*101 {
					t.Errorf("%d comments, %v, want all", len(got), err)
				}
				return
			}
			if err == nil || got != nil {
				t.Errorf("%d comments are taken for all", len(got))
			}
			if errors.Is(err, poller.ErrPutOff) != putOff {
				t.Errorf("put off: %v, want %v: %v", !putOff, putOff, err)
			}
		})
	}
}

// TestRealGHEnded asks items what became of them: only an answer ends one.
func TestRealGHEnded(t *testing.T) {
	ghdouble.RealGH(t)
	for fault, want := range map[string]poller.Ending{
		"": poller.EndedMerged, "502": "", "no-repo": "", "no-data": "", "204": "", "cut": "", "html": "", "rate-limit": "", "401": "",
	} {
		t.Run("fault "+fault, func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, nil, "octo/a")
			p := realProvider(t, c, "octo/a")
			s.Repo("octo/a").SetState(9, "merged")
			if fault == "" {
				if got, err := p.Ended(t.Context(), "github:octo/a#7"); err != nil || got.Ending != poller.StillOpen || got.Unlabelled {
					t.Errorf("an open item is %+v, %v", got, err)
				}
				s.Repo("octo/a").Update(7, func(it *ghdouble.Item) { it.Labels = []string{"bug"} })
				if got, err := p.Ended(t.Context(), "github:octo/a#7"); err != nil || got.Ending != poller.StillOpen || !got.Unlabelled {
					t.Errorf("an open item without the label is %+v, %v", got, err)
				}
				s.Repo("octo/a").SetState(7, "closed")
				if got, err := p.Ended(t.Context(), "github:octo/a#7"); err != nil || got.Ending != poller.EndedClosed {
					t.Errorf("a closed item is %q, %v", got.Ending, err)
				}
			} else {
				fact, err := ghdouble.FactNamed(fault)
				if err != nil {
					t.Fatal(err)
				}
				s.Fail(ghdouble.Match{}, fact.Fault)
			}
			got, err := p.Ended(t.Context(), "github:octo/a#9")
			if got.Ending != want || (err == nil) != (want != "") {
				t.Errorf("a merged pull request is %q, %v, want %q", got.Ending, err, want)
			}
		})
	}
}
