package github

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"the-loop/poller"
)

// change does something to the town that people do to GitHub.
func (w *town) change(rng *rand.Rand) {
	names := slices.Sorted(maps.Keys(w.repos))
	name := names[rng.IntN(len(names))]
	h := w.repos[name]
	n := 1 + rng.IntN(5)
	item, exists := h.items[n]
	now := time.Now().UTC().Truncate(time.Second)
	switch rng.IntN(11) {
	case 0, 1, 2:
		if !exists {
			w.put(name, n, n%2 == 0, now)
		}
	case 3:
		delete(h.items, n)
	case 4, 5:
		if exists {
			item.updated = now
			h.items[n] = item
		}
	case 6: // a label comes or goes, and the time of the last change stays
		if exists {
			item.labels = [][]string{h.labels[1:], {"bug"}}[rng.IntN(2)]
			h.items[n] = item
		}
	case 7:
		h.issuesOff = !h.issuesOff && rng.IntN(2) == 0
	case 8:
		h.down = !h.down && rng.IntN(2) == 0
	case 9: // the label is spelled another way, or removed
		spelling := []string{"the-loop", "The-Loop", "THE-LOOP", ""}[rng.IntN(4)]
		h.labels = []string{"bug"}
		if spelling != "" {
			h.labels = append(h.labels, spelling)
		}
		for k, i := range h.items {
			i.labels = slices.Clone(h.labels[1:])
			h.items[k] = i
		}
	}
}

// TestSurveyInLockstep walks through random worlds with and without surveys: as
// long as the index does not lag, both see the same in every cycle.
func TestSurveyInLockstep(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 1))
				names := streets(1 + rng.IntN(12))
				w := newTown(t, names...)
				change := func(o *Options) {
					o.ReprobeCycles = 5
					if seed%5 == 0 {
						o.Labels = nil
					}
					o.Issues, o.PullRequests = seed%7 != 1, seed%7 != 2
					o.Concurrency = 1 + int(seed%3)
				}
				interval := time.Duration(1+rng.IntN(120)) * time.Second
				never, always := w.watch(SurveyNever, interval, change, names...), w.watch(SurveyAlways, 0, change, names...)
				always.surveyor.interval = interval
				unchanged := 0
				for step := range 60 {
					for range rng.IntN(3) {
						w.change(rng)
					}
					want, got := never.cycle(t), always.cycle(t)
					unchanged += len(got.Unchanged)
					compareListings(t, step, want, got)
					if t.Failed() {
						return
					}
				}
				if unchanged == 0 {
					t.Error("no listing was spared")
				}
			})
		})
	}
}

// compareListings holds two listings of one moment against each other.
func compareListings(t *testing.T, step int, want, got poller.Listing) {
	t.Helper()
	got.Unchanged, got.SurveyCalls = nil, 0
	want.Heard, got.Heard = nil, nil // what was not listed is not said to be heard
	for _, items := range [][]poller.WorkItem{want.Items, got.Items} {
		for i := range items {
			items[i].Labels = nil // what does not move the time of the last change may be old
		}
	}
	byRef := func(a, b poller.WorkItem) int { return cmp.Compare(a.Ref, b.Ref) }
	slices.SortFunc(want.Items, byRef)
	slices.SortFunc(got.Items, byRef)
	if d := diff.Diff(want, got); d != "" {
		t.Errorf("step %d (-never +surveyed):\n%s", step, d)
	}
}

// TestSurveyOverALaggingIndex has an index that shows what the database held some
// time ago. What a survey sees of a repository is what gh lists then, or what the
// database holds.
func TestSurveyOverALaggingIndex(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 2))
				names := streets(6)
				w := newTown(t, names...)
				p := w.watch(SurveyAlways, 20*time.Second, nil, names...)
				unchanged := 0
				for step := range 60 {
					name := names[rng.IntN(len(names))]
					if n := 1 + rng.IntN(4); rng.IntN(3) == 0 {
						delete(w.repos[name].items, n)
					} else {
						w.put(name, n, n%2 == 0, time.Now())
					}
					for _, h := range w.repos {
						if h.index == nil || rng.IntN(3) == 0 { // the index catches up now and then
							h.index = maps.Clone(h.items)
						}
					}
					l := p.cycle(t)
					unchanged += len(l.Unchanged)
					for _, name := range names {
						seen := map[int]time.Time{}
						for _, item := range l.Items {
							if item.Scope == name {
								seen[item.Number] = item.UpdatedAt
							}
						}
						if !holdsExactly(w.repos[name].items, seen) && !holdsExactly(w.repos[name].index, seen) {
							t.Fatalf("step %d: %s is seen as %v, GitHub holds %v and lists %v", step, name, seen, w.repos[name].items, w.repos[name].index)
						}
					}
				}
				if unchanged == 0 {
					t.Error("no listing was spared")
				}
			})
		})
	}
}

func holdsExactly(items map[int]resident, seen map[int]time.Time) bool {
	if len(items) != len(seen) {
		return false
	}
	for n, item := range items {
		if at, ok := seen[n]; !ok || !at.Equal(item.updated) {
			return false
		}
	}
	return true
}
