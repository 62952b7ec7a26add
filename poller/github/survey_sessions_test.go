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
	// twice is set when a second source has the first repository, too, and every item
	// of it.
	twice bool
}

func newScene(t *testing.T, seed uint64) scene {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := scene{
		names:    streets(2 + rng.IntN(4)),
		interval: time.Duration(1+rng.IntN(120)) * time.Second,
		source:   poller.Source{CloseUnlabelled: seed%3 == 0},
		routing:  poller.Routing{AuthorizedUsers: []string{"@me"}, MaxRetries: 2},
	}
	s.twice = seed%6 == 4
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
	l := newLife(t, s.routing)
	s.configure(l, mode)
	return l
}

func (s scene) configure(l *life, mode SurveyMode) {
	fresh := func(change func(*Options), names ...string) *watch {
		return s.watch(mode, s.interval, func(o *Options) {
			s.change(o)
			change(o)
			o.Hosts = l.hosts
		}, names...)
	}
	sources, from := []poller.Source{s.source}, []*watch{fresh(func(*Options) {}, s.names...)}
	if s.twice {
		sources = append(sources, poller.Source{})
		from = append(from, fresh(func(o *Options) { o.Labels = nil }, s.names[0]))
	}
	l.configure(mode, sources, from...)
}

// restart has the daemon die and come back.
func (s scene) restart(t *testing.T, l *life, mode SurveyMode) {
	l.hosts = NewHosts()
	l.start(t)
	s.configure(l, mode)
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
					switch {
					case step == 20 && seed%4 == 2:
						s.configure(never, SurveyNever)
						s.configure(always, SurveyAlways)
					case step == 30 && seed%5 == 4:
						s.restart(t, never, SurveyNever)
						s.restart(t, always, SurveyAlways)
					}
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
						if d.Event == session.EventComment && d.Target.Item.Number != d.Item.Number {
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
