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
		item.Repo = "r0"
		for range 300 {
			if _, err := p.Comments(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
		<-time.After(5 * time.Minute)
		pace := pacer.Next(t.Context(), time.Minute, 0)
		if pace == nil || pace.Calls != 600 {
			t.Errorf("pace %+v, want one for the 600 calls of gh api", pace)
		}
	})
}
