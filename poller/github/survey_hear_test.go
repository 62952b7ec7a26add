package github

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// liveTown has a repository with a live session of issue 7, and pull requests: 21
// has the label, 22 works on 7 and has none, 23 has neither.
func liveTown(t *testing.T) (*town, *watch) {
	t.Helper()
	w := newTown(t, "octo/a")
	w.put("octo/a", 7, false, time.Now())
	for n, r := range map[int]resident{21: {labels: []string{"the-loop"}}, 22: {closes: 7}, 23: {closes: 8}} {
		r.pull, r.updated = true, time.Now().UTC().Truncate(time.Second)
		w.repos["octo/a"].items[n] = r
	}
	p := w.watch(SurveyAlways, time.Second, nil, "octo/a")
	p.live("octo/a#7")
	return w, p
}

// live says which issues have a live session.
func (p *watch) live(refs ...string) {
	sessions := map[string]ref.Kind{}
	for _, item := range refs {
		sessions[ref.Prefix+item] = ref.Issue
	}
	p.Hear(sessions)
}

func pulls(l poller.Listing) []int {
	var numbers []int
	for _, item := range l.Items {
		if isPullRequest(item) {
			numbers = append(numbers, item.Number)
		}
	}
	return numbers
}

// TestSurveyHearsEverything changes one thing at a time in a repository with a live
// session: the listing that is made or spared shows it.
func TestSurveyHearsEverything(t *testing.T) {
	at := func(w *town, n int, change func(*resident)) {
		r := w.repos["octo/a"].items[n]
		change(&r)
		w.repos["octo/a"].items[n] = r
	}
	labelled := func(r *resident) { r.labels = []string{"bug", "the-loop"} }
	bare := func(r *resident) { r.labels = nil }
	moved := func(r *resident) { r.updated = r.updated.Add(time.Second) }
	for _, c := range []struct {
		name   string
		change func(*town, *watch)
		spared bool
		want   []int
	}{
		{"nothing", func(*town, *watch) {}, true, []int{21, 22}},
		{"a session begins", func(_ *town, p *watch) { p.live("octo/a#7", "octo/a#8") }, true, []int{21, 22, 23}},
		{"another session ends", func(_ *town, p *watch) { p.live("octo/a#8") }, true, []int{21, 23}},
		{"the last session ends", func(_ *town, p *watch) { p.live() }, false, []int{21}},
		{"a pull request has a session", func(_ *town, p *watch) {
			p.Hear(map[string]ref.Kind{"github:octo/a#7": ref.Issue, "github:octo/a#22": ref.PullRequest})
		}, true, []int{21}},
		{"a linked one changes", func(w *town, _ *watch) { at(w, 22, moved) }, false, []int{21, 22}},
		{"one without a link changes", func(w *town, _ *watch) { at(w, 23, moved) }, false, []int{21, 22}},
		{"a new one", func(w *town, _ *watch) {
			w.repos["octo/a"].items[24] = resident{pull: true, closes: 7, updated: time.Now()}
		}, false, []int{21, 22, 24}},
		{"one is gone", func(w *town, _ *watch) { delete(w.repos["octo/a"].items, 22) }, false, []int{21}},
		{"a label comes and no time moves", func(w *town, _ *watch) { at(w, 23, labelled) }, false, []int{21, 22, 23}},
		{"a label goes and no time moves", func(w *town, _ *watch) { at(w, 21, bare) }, false, []int{22}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, p := liveTown(t)
				p.cycle(t)
				c.change(w, p)
				w.reset()
				l := p.cycle(t)
				if got := pulls(l); !slices.Equal(got, c.want) || len(l.Degraded()) > 0 {
					t.Errorf("pull requests %v, want %v; degraded %v", got, c.want, l.Degraded())
				}
				if spared := w.called("pr list") == 0; spared != c.spared || (len(l.Unchanged) == 1) != c.spared {
					t.Errorf("calls %v, unchanged %v", w.calls, l.Unchanged)
				}
				if heard := slices.Equal(l.Heard, []string{"octo/a"}); heard != (c.name != "the last session ends") {
					t.Errorf("heard %v", l.Heard)
				}
			})
		})
	}
}

// TestSurveyHearsWithoutALabel has a live session in a repository that has no such
// label, or one that nothing carries.
func TestSurveyHearsWithoutALabel(t *testing.T) {
	for name, labels := range map[string][]string{"no label": {"bug"}, "a label of nothing": {"bug", "The-Loop"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, p := liveTown(t)
				h := w.repos["octo/a"]
				h.labels = labels
				delete(h.items, 7)
				delete(h.items, 21)
				p.cycle(t)
				w.reset()
				if l := p.cycle(t); w.called("pr list") > 0 || !slices.Equal(pulls(l), []int{22}) {
					t.Errorf("calls %v, pull requests %v", w.calls, pulls(l))
				}
				r := h.items[22]
				r.updated = r.updated.Add(time.Minute)
				h.items[22] = r
				w.reset()
				if p.cycle(t); w.called("pr list") != 1 {
					t.Errorf("calls %v", w.calls)
				}
			})
		})
	}
}

// TestSurveyOfCrowdedRepositories lists with the label where there are too many
// pull requests without it, and surveys that listing.
func TestSurveyOfCrowdedRepositories(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, p := liveTown(t)
		p.ReprobeCycles = 3
		for n := range hearLimit {
			w.repos["octo/a"].items[1000+n] = resident{pull: true, updated: time.Now()}
		}
		for cycle, want := range []struct{ pulls, surveys, unheard int }{{2, 0, 1}, {0, 1, 1}, {0, 1, 1}, {2, 0, 1}, {0, 1, 1}} {
			w.reset()
			l := p.cycle(t)
			got := struct{ pulls, surveys, unheard int }{w.called("pr list"), w.called("survey"), len(l.Unheard)}
			if got != want || len(l.Heard) > 0 || !slices.Equal(pulls(l), []int{21}) {
				t.Errorf("cycle %d: %+v, want %+v; heard %v, pull requests %v", cycle+1, got, want, l.Heard, pulls(l))
			}
		}
	})
}

// TestSurveyOfManyPullRequests does not ask about more than a page of them, with or
// without the label.
func TestSurveyOfManyPullRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, p := liveTown(t)
		for n := range gh.MaxSurveyed {
			w.repos["octo/a"].items[1000+n] = resident{pull: true, updated: time.Now()}
		}
		p.cycle(t)
		if l := p.cycle(t); w.called("survey") > 0 || len(l.Unchanged) > 0 {
			t.Errorf("calls %v", w.calls)
		}
	})
}
