package github

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSurveyBudget counts what 500 quiet repositories cost at a cycle a minute,
// and how old their listings get.
func TestSurveyBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		names := streets(500)
		w := newTown(t, names...)
		for i, name := range names {
			w.put(name, i+1, i%2 == 0, time.Now().Add(-time.Hour))
		}
		p := w.watch(SurveyAuto, time.Minute, nil, names...)
		p.cycle(t)
		if n := w.called("survey"); n > 0 {
			t.Errorf("the first cycle made %d surveys", n)
		}
		listed := map[string]time.Time{}
		for _, name := range names {
			listed[name] = time.Now().Add(-time.Minute)
		}
		hour := 0
		for range 60 {
			w.reset()
			now := time.Now()
			l := p.cycle(t)
			if len(l.Polled) != 500 || len(l.Items) != 500 || len(l.Degraded()) > 0 {
				t.Fatalf("polled %d, items %d, degraded %d", len(l.Polled), len(l.Items), len(l.Degraded()))
			}
			if n := w.called(""); n-w.called("rate_limit") > 50 {
				t.Errorf("a quiet cycle started %d processes", n)
			}
			for _, c := range w.calls {
				if name, ok := strings.CutPrefix(c, "issue list "); ok {
					listed[name] = now
				}
			}
			for name, at := range listed {
				if age := now.Sub(at); age > 30*time.Minute {
					t.Errorf("the listing of %s is %s old", name, age)
				}
			}
			hour += w.points
		}
		t.Logf("%d points an hour", hour)
		if hour > 2700 {
			t.Errorf("500 quiet repositories cost %d points an hour", hour)
		}
		if pace := p.pacer.Next(t.Context(), time.Minute, 0); pace != nil {
			t.Errorf("the pace is one cycle every %s", pace.Interval)
		}
	})
}

// TestSurveyAuto has as many repositories as the quota pays for, and one more.
func TestSurveyAuto(t *testing.T) {
	for _, c := range []struct {
		name         string
		repos, limit int
		mode         SurveyMode
		labels       []string
		surveyed     bool
	}{
		{"as many as fit", 37, 5000, SurveyAuto, []string{"the-loop"}, false},
		{"one more", 38, 5000, SurveyAuto, []string{"the-loop"}, true},
		{"a larger quota", 38, 15000, SurveyAuto, []string{"the-loop"}, false},
		{"a host that does not tell", 38, 0, SurveyAuto, []string{"the-loop"}, false},
		{"always", 1, 0, SurveyAlways, []string{"the-loop"}, true},
		{"never", 38, 5000, SurveyNever, []string{"the-loop"}, false},
		{"several labels", 38, 5000, SurveyAlways, []string{"the-loop", "bug"}, false},
		{"every item", 38, 5000, SurveyAuto, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				names := streets(c.repos)
				w := newTown(t, names...)
				w.limit = c.limit
				p := w.watch(c.mode, time.Minute, func(o *Options) { o.Labels = c.labels }, names...)
				for range 5 {
					p.cycle(t)
				}
				if n := w.called("survey"); n > 0 != c.surveyed {
					t.Errorf("%d surveys", n)
				}
			})
		})
	}
}

// sizes are how many repositories each survey asked about.
func (w *town) sizes() []int {
	var n []int
	for _, s := range w.surveys {
		n = append(n, len(s.Repos))
	}
	return n
}

// TestSurveyBatches cuts the repositories into calls of at most 100 lists.
func TestSurveyBatches(t *testing.T) {
	for _, c := range []struct {
		name   string
		repos  int
		change func(*Options)
		want   []int
	}{
		{"two kinds", 120, nil, []int{50, 50, 20}},
		{"one kind", 120, func(o *Options) { o.Issues = false }, []int{100, 20}},
		{"at once", 120, func(o *Options) { o.Concurrency = 3 }, []int{20, 50, 50}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				names := streets(c.repos)
				w := newTown(t, names...)
				for _, name := range names {
					w.put(name, 1, false, time.Now())
					w.put(name, 2, true, time.Now())
				}
				p := w.watch(SurveyAlways, time.Second, c.change, names...)
				p.cycle(t)
				w.reset()
				if l := p.cycle(t); len(l.Unchanged) != c.repos || len(l.Polled) != c.repos {
					t.Errorf("%d of %d unchanged", len(l.Unchanged), len(l.Polled))
				}
				got := w.sizes()
				if p.Concurrency > 1 {
					slices.Sort(got)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("batches of %v, want %v", got, c.want)
				}
				if n := w.called("issue list") + w.called("pr list"); n > 0 {
					t.Errorf("%d listings", n)
				}
			})
		})
	}
}

// TestSurveyFirst asks for as many items as the fullest listing holds, and not
// about a repository that holds more than a page.
func TestSurveyFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/a", "octo/b", "octo/c")
		for n := range 101 {
			w.put("octo/a", n+1, false, time.Now())
		}
		for n := range 100 {
			w.put("octo/b", n+1, true, time.Now())
		}
		p := w.watch(SurveyAlways, time.Second, nil, "octo/a", "octo/b", "octo/c")
		p.cycle(t)
		if l := p.cycle(t); !slices.Equal(l.Unchanged, []string{"octo/b", "octo/c"}) {
			t.Errorf("unchanged: %v", l.Unchanged)
		}
		if s := w.surveys[0]; s.First != 100 || len(s.Repos) != 2 {
			t.Errorf("asked for %d of %d repositories", s.First, len(s.Repos))
		}
	})
}

// TestSurveyOfIssuesThatAreOff keeps the calendar of the quarantine: two cycles of
// pull requests alone, then the issues are asked for again.
func TestSurveyOfIssuesThatAreOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/a")
		w.put("octo/a", 2, true, time.Now())
		w.repos["octo/a"].issuesOff = true
		p := w.watch(SurveyAlways, time.Second, func(o *Options) { o.ReprobeCycles = 4 }, "octo/a")
		for cycle, want := range []struct{ issues, pulls, surveys, skipped, unchanged int }{
			{1, 1, 0, 0, 0}, // found out
			{0, 1, 0, 1, 0}, // nothing could stand for the cycle that failed
			{0, 0, 1, 1, 1},
			{0, 0, 1, 1, 1},
			{1, 1, 0, 1, 0}, // asked again, and still off
			{0, 0, 1, 1, 1},
		} {
			w.reset()
			l := p.cycle(t)
			got := struct{ issues, pulls, surveys, skipped, unchanged int }{
				w.called("issue list"), w.called("pr list"), w.called("survey"), len(l.Skipped), len(l.Unchanged),
			}
			if got != want || len(l.Polled) != 1 || len(l.Items) != 1 {
				t.Errorf("cycle %d: %+v, want %+v; polled %v, items %d", cycle+1, got, want, l.Polled, len(l.Items))
			}
		}
	})
}

// TestSurveySpelling finds out how a repository spells the label: from an item, or
// from its labels, and then asks once more in the same cycle.
func TestSurveySpelling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/item", "octo/empty", "octo/without", "octo/many")
		w.repos["octo/item"].labels = []string{"bug", "The-Loop"}
		w.repos["octo/empty"].labels = []string{"bug", "THE-LOOP"}
		w.repos["octo/without"].labels = []string{"bug"}
		w.repos["octo/many"].labels = make([]string, 101)
		w.put("octo/item", 1, false, time.Now())
		p := w.watch(SurveyAlways, time.Second, nil, "octo/item", "octo/empty", "octo/without", "octo/many")
		p.cycle(t)
		w.reset()
		if l := p.cycle(t); !slices.Equal(l.Unchanged, []string{"octo/item", "octo/empty", "octo/without"}) || l.SurveyCalls != 2 {
			t.Errorf("unchanged %v in %d calls", l.Unchanged, l.SurveyCalls)
		}
		if s := w.surveys[0].Repos; s[0].Label != "The-Loop" || s[0].FindLabel || !s[1].FindLabel {
			t.Errorf("asked %+v", s)
		}
		if s := w.surveys[1].Repos; len(s) != 1 || s[0].Label != "THE-LOOP" {
			t.Errorf("asked once more %+v", s)
		}

		// An item in the repository that had no such label.
		w.repos["octo/without"].labels = append(w.repos["octo/without"].labels, "the-loop")
		w.put("octo/without", 5, false, time.Now())
		if l := p.cycle(t); len(l.Items) != 2 {
			t.Errorf("items %v", l.Items)
		}
		// The label is renamed, which moves no time.
		w.repos["octo/item"].labels[1] = "the-LOOP"
		w.repos["octo/item"].items[1] = resident{updated: w.repos["octo/item"].items[1].updated, labels: []string{"the-LOOP"}}
		w.reset()
		p.cycle(t)
		if w.called("issue list octo/item") != 1 {
			t.Error("the renamed label was not noticed")
		}
		w.reset()
		p.cycle(t)
		if w.called("issue list octo/item") != 0 {
			t.Error("the new spelling was not learnt")
		}
	})
}

// TestSurveyOfARenamedRepository is listed, found empty and asked who it is in the
// cycle in which the survey says so.
func TestSurveyOfARenamedRepository(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/a")
		p := w.watch(SurveyAlways, time.Second, nil, "octo/a")
		p.cycle(t)
		p.cycle(t)
		if n := w.called("repo view"); n != 1 {
			t.Errorf("asked %d times who it is", n)
		}
		w.repos["octo/a"].name = "octo/new"
		w.reset()
		l := p.cycle(t)
		if len(l.Failures) != 1 || !l.Failures[0].Permanent || w.called("repo view") != 1 {
			t.Errorf("failures %v, calls %v", l.Failures, w.calls)
		}
		w.reset()
		if l = p.cycle(t); len(l.Skipped) != 1 || w.called("") > 0 {
			t.Errorf("skipped %v, calls %v", l.Skipped, w.calls)
		}
	})
}

// TestSurveyPaceAfterABurst has one cycle in which everything changed: the wait that
// it asks for ends with the next quiet cycle.
func TestSurveyPaceAfterABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		names := streets(40)
		w := newTown(t, names...)
		p := w.watch(SurveyAlways, 10*time.Second, nil, names...)
		p.cycle(t)
		p.cycle(t)
		if p.pacer.pace != nil {
			t.Fatalf("a quiet cycle asks for one every %s", p.pacer.pace.Interval)
		}
		for n, name := range names {
			w.put(name, n+1, false, time.Now())
		}
		p.cycle(t)
		if p.pacer.pace == nil {
			t.Error("a cycle that lists everything asks for no pace")
		}
		p.cycle(t)
		if p.pacer.pace != nil {
			t.Errorf("the quiet cycle after it asks for one every %s", p.pacer.pace.Interval)
		}
	})
}

// TestSurveyOfALimitedHost makes no call of a host whose quota is used up.
func TestSurveyOfALimitedHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/a", "octo/b")
		p := w.watch(SurveyAlways, time.Second, nil, "octo/a", "octo/b")
		p.cycle(t)
		p.cycle(t)
		p.Hosts.hosts["github.com"] = &hostLimit{until: time.Now().Add(time.Minute)}
		w.reset()
		if l := p.cycle(t); len(l.Skipped) != 2 || w.called("") > 0 {
			t.Errorf("skipped %v, calls %v", l.Skipped, w.calls)
		}
	})
}
