package github

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"the-loop/gh"
)

// quota is what "gh api rate_limit" answers, with the window's end in d.
func quota(remaining int, d time.Duration) func() any {
	return func() any {
		return gh.RateLimits{"graphql": {Limit: 5000, Remaining: remaining, Reset: time.Now().Add(d)}, "core": {Limit: 5000, Remaining: 5000, Reset: time.Now().Add(d)}}
	}
}

func pacerOver(t *testing.T, f *fakeClient, repositories int) (*Pacer, *Provider) {
	var names []string
	for i := range repositories {
		name := fmt.Sprintf("octo/r%d", i)
		names = append(names, name)
		f.on("issues "+name, 1).on("pulls "+name, 0)
	}
	p := provider(t, f, names...)
	return NewPacer(p.Hosts, []*Provider{p}), p
}

// TestPace: 100 repositories are 200 calls a cycle. With all of the hour's
// 5,000 points there, nine tenths of them allow 22.5 cycles in the hour.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(5000, time.Hour), quota(4800, 55*time.Minute), quota(200, 30*time.Minute), quota(5000, time.Hour), errGateway)
		pacer, _ := pacerOver(t, f, 100)
		for i, want := range []time.Duration{
			160 * time.Second,        // 3600 s × 200 / 4500
			153 * time.Second,        // 3300 s × 200 / 4320, rounded
			15 * time.Minute,         // 1800 s × 200 / 180 would be more than the most
			(160 - 40) * time.Second, // the cycle itself takes a part of it
			0,                        // no answer, no pace
		} {
			took := time.Duration(0)
			if i == 3 {
				took = 40 * time.Second
			}
			pace := pacer.Next(t.Context(), time.Minute, took)
			if want == 0 {
				if pace != nil {
					t.Errorf("answer %d: pace %+v, want none", i+1, pace)
				}
				continue
			}
			if pace == nil || pace.Interval != want || pace.Host != "github.com" || pace.Calls != 200 {
				t.Fatalf("answer %d: pace %+v, want %s", i+1, pace, want)
			}
			// It is asked again after five minutes, not before.
			<-time.After(4 * time.Minute)
			if again := pacer.Next(t.Context(), time.Minute, took); again != pace {
				t.Errorf("answer %d: pace %+v before it was time", i+1, again)
			}
			<-time.After(time.Minute)
		}
		if got := f.count("limits github.com"); got != 5 {
			t.Errorf("asked %d times, want 5", got)
		}
	})
}

func TestNoPaceWhereTheQuotaLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(5000, time.Hour))
		pacer, _ := pacerOver(t, f, 20)
		if pace := pacer.Next(t.Context(), time.Minute, 0); pace != nil {
			t.Errorf("pace %+v for 40 calls a minute, which are 2,400 an hour", pace)
		}
		if pace := pacer.Next(t.Context(), time.Second, 0); pace != nil {
			t.Errorf("pace %+v before five minutes", pace)
		}
	})
}

// TestPaceCountsWhatCyclesMake: reading many comments costs, too.
func TestPaceCountsWhatCyclesMake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(5000, time.Hour)).on("comments octo/r0#9", []gh.Comment{}).
			on("reviews octo/r0#9", []gh.Review{}).on("inline octo/r0#9", []gh.ReviewComment{})
		pacer, p := pacerOver(t, f, 1)
		if pace := pacer.Next(t.Context(), time.Minute, 0); pace != nil {
			t.Fatalf("pace %+v for two calls", pace)
		}
		item := pullItem()
		item.Name = "r0"
		for range 300 {
			if _, err := p.Comments(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
		p.Hosts.CycleDone()
		<-time.After(5 * time.Minute)
		pace := pacer.Next(t.Context(), time.Minute, 0)
		if pace == nil || pace.Calls != 600 {
			t.Errorf("pace %+v, want one for the 600 calls of gh api", pace)
		}
	})
}

// cycles runs whole cycles of a minute each.
func cycles(t *testing.T, p *Provider, n int) {
	t.Helper()
	for range n {
		list(t, p)
		p.Hosts.CycleDone()
		<-time.After(time.Minute)
	}
}

// TestPaceCountsPoints: by GitHub's formula a listing of pull requests that asks
// which issues they close costs two points, and a later page as much as the first.
func TestPaceCountsPoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(5000, time.Hour))
		f.Points = 2
		pacer, p := pacerOver(t, f, 40)
		f.on("issues octo/r0", 201)
		if pace := pacer.Next(t.Context(), time.Minute, 0); pace == nil || pace.Interval != 64*time.Second {
			t.Errorf("pace %+v, want 3600 s × 80 / 4500 for what the configuration asks for", pace)
		}
		cycles(t, p, 5)
		// 40 repositories at three points, and two further pages.
		pace := pacer.Next(t.Context(), time.Minute, 0)
		if pace == nil || pace.Interval != 98*time.Second || pace.Calls != 80 {
			t.Errorf("pace %+v, want 3600 s × 122 / 4500 for 80 calls", pace)
		}
	})
}

// TestPaceAfterReload: a reload forgets nothing of what a cycle costs, and does
// not take all the calls until then for one cycle's.
func TestPaceAfterReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(5000, time.Hour))
		f.Points = 2
		pacer, p := pacerOver(t, f, 20)
		next := func(pacer *Pacer) *Pace { return pacer.Next(t.Context(), time.Minute, 0) }
		if pace := next(pacer); pace != nil {
			t.Fatalf("pace %+v for 40 calls", pace)
		}
		cycles(t, p, 4)
		pacer = NewPacer(p.Hosts, []*Provider{p})
		if pace := next(pacer); pace != nil {
			t.Errorf("after a reload: pace %+v for 60 points a cycle", pace)
		}
		pacer = NewPacer(p.Hosts, []*Provider{p})
		if pace := next(pacer); pace != nil {
			t.Errorf("after another, without a cycle: pace %+v", pace)
		}
		f.on("limits github.com", quota(100, time.Hour))
		pacer = NewPacer(p.Hosts, []*Provider{p, p})
		if pace := next(pacer); pace == nil || pace.Interval != 15*time.Minute || pace.Calls != 80 {
			t.Errorf("with twice the repositories: pace %+v, want one for 80 calls", pace)
		}
		if got := p.Hosts.meter.perCycle("github.com")[graphQL].points; got != 120 {
			t.Errorf("with twice the repositories a cycle costs %v points, want 120", got)
		}
	})
}

// TestPaceOverWholeCycles: a cycle that left the host alone costs nothing, and
// is no measure of those that do not.
func TestPaceOverWholeCycles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", gh.RateLimits{})
		pacer, p := pacerOver(t, f, 10)
		cycles(t, p, 2)
		f.on("issues octo/r3", 1, 1, errSecondary, 1)
		cycles(t, p, 1) // is met in the middle
		cycles(t, p, 1)
		f.on("limits github.com", quota(100, time.Hour))
		pace := pacer.Next(t.Context(), time.Minute, 0)
		if pace == nil || pace.Calls != 20 {
			t.Errorf("pace %+v, want one for 20 calls", pace)
		}
	})
}

// TestPaceEndsAtTheReset: with two points left the wait ends when the quota is
// renewed, and not after what so few points would last; then the host is asked
// anew.
func TestPaceEndsAtTheReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("limits github.com", quota(2, time.Minute), quota(5000, time.Hour))
		pacer, _ := pacerOver(t, f, 20)
		pace := pacer.Next(t.Context(), 10*time.Second, 0)
		if pace == nil || pace.Interval != time.Minute || pace.Wait(time.Now()) != time.Minute {
			t.Fatalf("pace %+v, want a minute", pace)
		}
		<-time.After(40 * time.Second) // a cycle in between
		if again := pacer.Next(t.Context(), 10*time.Second, 0); again != pace || again.Wait(time.Now()) != 20*time.Second {
			t.Errorf("pace %+v, want 20 s more", again)
		}
		<-time.After(20 * time.Second)
		if pace := pacer.Next(t.Context(), time.Minute, 0); pace != nil {
			t.Errorf("pace %+v with the quota renewed", pace)
		}
		if got := f.count("limits github.com"); got != 2 {
			t.Errorf("asked %d times, want 2", got)
		}
	})
}

// TestOldAnswer: what gh says from its cache of a quota that is not used up does
// not stop the host. A second refusal within a minute is no old answer.
func TestOldAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usedUp := gh.RateLimits{"graphql": {Limit: 5000, Remaining: 0, Reset: time.Now().Add(time.Hour)}}
		plenty := gh.RateLimits{"graphql": {Limit: 5000, Remaining: 4000, Reset: time.Now().Add(time.Hour)}}
		for _, test := range []struct {
			name    string
			limits  any
			usedUp  []bool
			stopped time.Duration // after the last of them
		}{
			{"an old answer", plenty, []bool{true}, 0},
			{"two in a row", plenty, []bool{true, true}, time.Minute},
			{"a secondary limit", plenty, []bool{false}, time.Minute},
			{"used up", usedUp, []bool{true}, time.Hour},
			{"unknown", errGateway, []bool{true}, time.Minute},
		} {
			h := NewHosts()
			f := newFake(t).on("limits github.com", test.limits)
			for _, usedUp := range test.usedUp {
				h.meet(t.Context(), f, "github.com", graphQL, usedUp)
			}
			until, limited := h.limited("github.com")
			if limited != (test.stopped > 0) || limited && !until.Equal(time.Now().Add(test.stopped)) {
				t.Errorf("%s: stopped %v until %v, want for %s", test.name, limited, until, test.stopped)
			}
		}
	})
}
