package github

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/session"
	"the-loop/poller"
)

// lag lets the search index of some repositories catch up with what they hold.
func (p *people) lag() {
	for _, name := range slices.Sorted(maps.Keys(p.repos)) {
		if h := p.repos[name]; h.index == nil || p.oneOf(30) {
			h.index = maps.Clone(h.items)
		}
	}
}

// shown are the items of a repository, with the times of their last changes, that a
// listing shows to the provider. With the labels gh searches the index, and the
// database is what GitHub holds.
func (h *house) shown(p *Provider, r *repository, database bool) map[int]time.Time {
	shown := map[int]time.Time{}
	hearing := p.mayHear(r)
	labelled := func(i resident) bool { return len(p.Labels) == 0 || len(i.labels) > 0 }
	indexed := h.source(gh.Filter{Labels: p.Labels})
	if database {
		indexed = h.items
	}
	if p.Issues && !r.issuesOff.present() {
		for n, i := range indexed {
			if !i.pull && labelled(i) {
				shown[n] = i.updated
			}
		}
	}
	pulls := indexed
	if hearing {
		pulls = h.items
	}
	for n, i := range pulls {
		feeds := func() bool {
			_, own := p.live[fmt.Sprintf("github:%s#%d", r.scope, n)]
			_, live := p.live[fmt.Sprintf("github:%s#%d", r.scope, i.closes)]
			return hearing && !own && live
		}
		if p.PullRequests && i.pull && (labelled(i) || feeds()) {
			shown[n] = i.updated
		}
	}
	return shown
}

// TestSurveySessionsOverALaggingIndex has a daemon over an index that is late. A
// listing that is spared shows what GitHub holds, and one that is made shows what gh
// lists. No delivery is made twice, and once the index has caught up the sessions are
// those of the items.
func TestSurveySessionsOverALaggingIndex(t *testing.T) {
	spared, late := 0, 0
	for seed := range *seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, seed)
				l := s.life(t, SurveyAlways)
				cycle := func(step int) {
					if l.live(t); len(l.courier.again) > 0 {
						t.Fatalf("step %d: made once more: %v", step, l.courier.again)
					}
					for _, r := range l.repos {
						h, reused := s.repos[r.scope], slices.Contains(l.listing.Unchanged, r.scope)
						if h.down && !reused || !slices.Contains(l.listing.Polled, r.scope) {
							continue
						}
						want := h.shown(l.Provider, r, reused)
						if d := diff.Diff(want, seen(l.listing, r.scope)); d != "" {
							t.Fatalf("step %d, %s, spared %v (-want +seen):\n%s", step, r.scope, reused, d)
						}
						if reused {
							spared++
						} else if d := diff.Diff(want, h.shown(l.Provider, r, true)); d != "" {
							late++
						}
					}
					<-time.After(s.interval)
				}
				for step := range 50 {
					for range s.rng.IntN(6) {
						s.do()
					}
					s.lag()
					cycle(step)
				}
				for _, h := range s.repos {
					h.issuesOff, h.down, h.index = false, false, nil
				}
				for step := range 60 { // questions about items that are not listed grow seldom
					cycle(50 + step)
				}
				s.settled(t, l)
			})
		})
	}
	if t.Logf("%d listings spared, %d made from a late index", spared, late); spared == 0 || late == 0 {
		t.Error("the towns are too quiet to prove anything")
	}
}

func seen(l poller.Listing, scope string) map[int]time.Time {
	seen := map[int]time.Time{}
	for _, item := range l.Items {
		if item.Scope == scope {
			seen[item.Number] = item.UpdatedAt
		}
	}
	return seen
}

// settled holds the sessions of a town in which nothing happens any more against its
// items.
func (s scene) settled(t *testing.T, l *life) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(s.repos)) {
		h := s.repos[name]
		for n, f := range h.over {
			rec, _, err := l.store.Get(fmt.Sprintf("github:%s#%d", name, n))
			if err != nil || f.state.Closed() && rec.Live() {
				t.Errorf("%s#%d is closed, and its session %s: %v", name, n, rec.State, err)
			}
		}
		for n, i := range h.items {
			rec, known, err := l.store.Get(fmt.Sprintf("github:%s#%d", name, n))
			started := known && rec.State != session.StateNone && rec.State != session.StateClosed
			if listed := len(i.labels) > 0 || len(l.Labels) == 0; !i.pull && l.Issues && listed && strings.EqualFold(i.author, "octocat") && (err != nil || !started) {
				t.Errorf("%s#%d is open, and its session %s: %v", name, n, rec.State, err)
			}
		}
	}
}
