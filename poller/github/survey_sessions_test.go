package github

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"the-loop/internal/session"
	"the-loop/poller"
)

var seeds = flag.Uint64("survey.seeds", 16, "how many random towns the tests of sessions walk through")

// scene is a random town with the people in it.
type scene struct {
	*people
	names    []string
	interval time.Duration
	change   func(*Options)
	source   poller.Source
	routing  poller.Routing
}

func newScene(t *testing.T, seed uint64) scene {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := scene{
		names:    streets(2 + rng.IntN(4)),
		interval: time.Duration(1+rng.IntN(120)) * time.Second,
		source:   poller.Source{CloseUnlabelled: seed%3 == 0},
		routing:  poller.Routing{AuthorizedUsers: []string{"@me"}, MaxRetries: 2},
	}
	if seed%4 == 1 {
		s.routing.MaxSessions = 2
	}
	s.people = &people{town: newTown(t, s.names...), rng: rng}
	s.change = func(o *Options) {
		o.ReprobeCycles = 5
		o.Concurrency = 1 + int(seed%3)
		o.Issues, o.PullRequests = seed%11 != 1, seed%11 != 2
		if seed%7 == 3 {
			o.Labels = nil
		}
	}
	return s
}

func (s scene) life(t *testing.T, mode SurveyMode) *life {
	p := s.watch(mode, s.interval, s.change, s.names...)
	return newLife(t, p, s.source, s.routing)
}

// TestSurveySessionsInLockstep has two daemons over one random town, one of which
// surveys: they start, feed and end the same sessions in the same cycles.
func TestSurveySessionsInLockstep(t *testing.T) {
	spared, heard := 0, 0
	for seed := range *seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, seed)
				never, always := s.life(t, SurveyNever), s.life(t, SurveyAlways)
				for step := range 50 {
					for range s.rng.IntN(6) {
						s.do()
					}
					want, got := never.live(t), always.live(t)
					if d := diff.Diff(want, got); d != "" {
						t.Fatalf("step %d (-never +surveyed):\n%s", step, d)
					}
					for _, scope := range always.listing.Unchanged {
						if always.Provider.issues[scope] {
							spared++
						}
					}
					for _, d := range got.Deliveries {
						if d.Event == session.EventComment && d.Target.Number != d.Item.Number {
							heard++
						}
					}
					<-time.After(s.interval)
				}
			})
		})
	}
	if t.Logf("%d listings of repositories with live sessions spared, %d comments on linked pull requests", spared, heard); spared == 0 || heard == 0 {
		t.Error("the towns are too quiet to prove anything")
	}
}
