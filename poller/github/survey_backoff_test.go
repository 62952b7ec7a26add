package github

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"the-loop/gh"
	"the-loop/poller"
)

// TestSurveyBackOff has a host whose surveys fail: 1, 2, 4, 8, 15, 15 minutes
// pass between them, each is half as large, and the listings are those of never.
func TestSurveyBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		names := streets(60)
		w := newTown(t, names...)
		for _, name := range names {
			w.put(name, 1, false, time.Now())
		}
		w.answer = func(gh.Survey, map[string]any) (string, error) { return "{}", nil }
		p := w.watch(SurveyAlways, 30*time.Second, nil, names...)
		p.cycle(t)
		begin := time.Now()
		var at []time.Duration
		var sizes []int
		var failures, recoveries int
		count := func(l poller.Listing) {
			failures += len(l.SurveyFailures)
			recoveries += len(l.SurveyRecovered)
		}
		for time.Since(begin) < 50*time.Minute {
			w.reset()
			now := time.Since(begin)
			count(p.cycle(t))
			if n := w.called("issue list"); n != 60 {
				t.Errorf("%d listings of issues", n)
			}
			for _, n := range w.sizes() {
				at, sizes = append(at, now), append(sizes, n)
			}
		}
		if want := []int{50, 25, 12, 6, 5, 5, 5}; !slices.Equal(sizes, want) {
			t.Errorf("batches of %v, want %v", sizes, want)
		}
		for i, minutes := range []time.Duration{0, 1, 3, 7, 15, 30, 45} {
			if i >= len(at) || at[i] != minutes*time.Minute {
				t.Errorf("surveys at %v", at)
				break
			}
		}
		if failures != 1 || recoveries != 0 {
			t.Errorf("told of %d failures and %d recoveries", failures, recoveries)
		}
		if f, ok := p.Hosts.surveys.trouble("github.com"); !ok || !f.Since.Equal(begin) {
			t.Errorf("failing: %+v", f)
		}

		// It answers again: twenty good cycles double the batch.
		w.answer = nil
		for len(w.surveys) == 0 {
			count(p.cycle(t))
		}
		if recoveries != 1 {
			t.Errorf("told of %d recoveries", recoveries)
		}
		for range 19 {
			p.cycle(t)
		}
		w.reset()
		p.cycle(t)
		if got := w.sizes(); len(got) == 0 || got[0] != 10 {
			t.Errorf("batches of %v after twenty good cycles", got)
		}
	})
}

// TestSurveyPartial believes of an answer what has no error.
func TestSurveyPartial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "octo/a", "octo/b", "octo/c")
		p := w.watch(SurveyAlways, time.Second, nil, "octo/a", "octo/b", "octo/c")
		w.answer = func(_ gh.Survey, data map[string]any) (string, error) {
			data["r1"] = nil
			text, err := json.Marshal(data)
			return `{"data":` + string(text) + `,"errors":[{"type":"NOT_FOUND","path":["r1"],"message":"no"}]}`, err
		}
		p.cycle(t)
		p.cycle(t)
		w.reset()
		l := p.cycle(t)
		if !slices.Equal(l.Unchanged, []string{"octo/a", "octo/c"}) || len(l.SurveyFailures) > 0 {
			t.Errorf("unchanged %v, failures %v", l.Unchanged, l.SurveyFailures)
		}
		if w.called("issue list") != 1 || w.called("issue list octo/b") != 1 {
			t.Errorf("calls %v", w.calls)
		}
	})
}

// TestSurveyTooDear stops when a survey costs what it is to save, until a reload.
func TestSurveyTooDear(t *testing.T) {
	for _, c := range []struct {
		repos, cost int
		stops       bool
	}{{8, 2, false}, {8, 3, true}, {1, 1, false}, {1, 2, true}} {
		synctest.Test(t, func(t *testing.T) {
			names := streets(c.repos)
			w := newTown(t, names...)
			w.answer = func(_ gh.Survey, data map[string]any) (string, error) {
				data["rateLimit"] = map[string]any{"cost": c.cost}
				text, err := json.Marshal(map[string]any{"data": data})
				return string(text), err
			}
			for _, name := range names {
				w.put(name, 1, false, time.Now())
			}
			p := w.watch(SurveyAlways, time.Second, nil, names...)
			p.cycle(t)
			if l := p.cycle(t); len(l.SurveyFailures) > 0 != c.stops || len(l.Unchanged) != c.repos {
				t.Errorf("%d points for %d: failures %v, unchanged %v", c.cost, c.repos, l.SurveyFailures, l.Unchanged)
			}
			for range 2000 {
				p.cycle(t)
			}
			if n := w.called("survey"); n == 1 != c.stops {
				t.Errorf("%d points for %d: %d surveys", c.cost, c.repos, n)
			}
			NewSurveyor(p.Hosts, SurveyOptions{Mode: SurveyAlways, Interval: time.Second}, []*Provider{p.Provider})
			w.reset()
			p.cycle(t)
			if w.called("survey") != 1 {
				t.Errorf("%d points for %d: no survey after a reload", c.cost, c.repos)
			}
		})
	}
}
