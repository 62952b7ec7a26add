package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
)

// stage is a dispatcher whose handlers end when the test says so. It is used
// in a synctest bubble: settle waits until nothing moves any more.
type stage struct {
	*Dispatcher
	t *testing.T

	mu      sync.Mutex
	running map[string]chan Outcome
	events  []string // what happened, in order, since it was last asked for
	hook    func(Result)
}

func newStage(t *testing.T, maxConcurrent int) *stage {
	s := &stage{t: t, running: map[string]chan Outcome{}}
	s.Dispatcher = NewDispatcher(DispatchOptions{
		StateRoot: "/nowhere", MaxConcurrent: maxConcurrent, Env: []string{},
		Done: func(r Result) {
			s.note(string(r.Outcome) + " " + r.Delivery.ID)
			if s.hook != nil {
				s.hook(r)
			}
		},
	})
	s.testOnlyRun = s.play
	return s
}

func (s *stage) note(event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, event)
}

func (s *stage) play(d Delivery, _ time.Duration, e ending) Result {
	end := make(chan Outcome, 1)
	s.mu.Lock()
	s.running[d.ID] = end
	s.mu.Unlock()
	s.note("start " + d.ID)
	select {
	case outcome := <-end:
		return Result{Delivery: d, Outcome: outcome}
	case <-e.hurry:
		return Result{Delivery: d, Outcome: Interrupted}
	}
}

// ends has a running delivery end.
func (s *stage) ends(id string, outcome Outcome) {
	s.t.Helper()
	s.mu.Lock()
	end, ok := s.running[id]
	delete(s.running, id)
	s.mu.Unlock()
	if !ok {
		s.t.Fatalf("%s does not run", id)
	}
	end <- outcome
}

// submits queues deliveries that are called session/number.
func (s *stage) submits(ids ...string) {
	s.t.Helper()
	for _, id := range ids {
		if err := s.submit(id); err != nil {
			s.t.Fatalf("Submit(%s) = %v", id, err)
		}
	}
}

func (s *stage) submit(id string) error {
	session, _, _ := strings.Cut(id, "/")
	return s.Submit(Delivery{ID: id, Target: Target{Session: session}})
}

// saw checks what happened since the last call.
func (s *stage) saw(want ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(want, s.events); diff != "" {
		s.t.Errorf("what happened (-want +got):\n%s", diff)
	}
	s.events = nil
}

// sawInAnyOrder is saw for what happens in several sessions at the same time.
func (s *stage) sawInAnyOrder(want ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	slices.Sort(s.events)
	s.mu.Unlock()
	s.saw(want...)
}

func TestOrderWithinASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		s.submits("a/1", "a/2", "a/3")
		s.saw("start a/1")
		if !s.InFlight("a") || s.InFlight("b") || !s.Pending("a/3") || s.Pending("a/4") {
			t.Error("InFlight or Pending is wrong")
		}
		began := time.Now()
		if got, want := s.Workload(), (Workload{Running: 1, Waiting: 2, OldestAt: began}); got != want {
			t.Errorf("Workload() = %+v, want %+v", got, want)
		}
		time.Sleep(time.Minute)
		s.submits("b/1")
		s.saw("start b/1")
		s.ends("b/1", Delivered)
		s.saw("delivered b/1")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "start a/2")
		s.ends("a/2", Delivered)
		s.saw("delivered a/2", "start a/3")
		s.ends("a/3", Delivered)
		s.saw("delivered a/3")
		if w := s.Workload(); w != (Workload{}) {
			t.Errorf("Workload() when all is done = %+v", w)
		}
		if s.InFlight("a") || s.Pending("a/3") {
			t.Error("a finished delivery is in flight")
		}
		s.Stop(t.Context())
	})
}

func TestSessionsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 2)
		s.submits("a/1", "a/2", "b/1", "c/1", "d/1")
		s.sawInAnyOrder("start a/1", "start b/1")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "start c/1")
		s.ends("c/1", Delivered)
		s.saw("delivered c/1", "start d/1")
		s.ends("d/1", Delivered)
		s.saw("delivered d/1", "start a/2")
		s.ends("a/2", Delivered)
		s.ends("b/1", Delivered)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		s.Stop(t.Context())
	})
}

func TestFailureHoldsBackTheSession(t *testing.T) {
	for _, outcome := range []Outcome{Failed, Deferred} {
		t.Run(string(outcome), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, 4)
				s.submits("a/1", "a/2", "a/3", "b/1")
				s.sawInAnyOrder("start a/1", "start b/1")
				s.ends("a/1", outcome)
				s.saw(string(outcome)+" a/1", "dropped a/2", "dropped a/3")
				for _, id := range []string{"a/1", "a/4"} {
					if err := s.submit(id); !errors.Is(err, ErrPaused) {
						t.Errorf("Submit(%s) = %v, want ErrPaused", id, err)
					}
				}
				if s.Pending("a/2") {
					t.Error("a dropped delivery is in flight")
				}
				s.submits("b/2") // another session has nothing to do with it
				s.Resume()
				s.submits("a/1", "a/2")
				s.saw("start a/1")
				s.ends("a/1", Delivered)
				s.ends("b/1", Delivered)
				synctest.Wait()
				s.ends("a/2", Delivered)
				s.ends("b/2", Delivered)
				s.Stop(t.Context())
			})
		})
	}
}

// A cycle that begins while a failure is still being recorded must not let a
// later delivery overtake the one that failed.
func TestResumeDuringAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		recorded := make(chan struct{})
		s.hook = func(Result) { <-recorded }
		s.submits("a/1")
		synctest.Wait()
		s.ends("a/1", Failed)
		s.saw("start a/1", "failed a/1")
		s.Resume()
		if err := s.submit("a/1"); !errors.Is(err, ErrPending) {
			t.Errorf("Submit(a/1) = %v, want ErrPending", err)
		}
		if err := s.submit("a/2"); !errors.Is(err, ErrPaused) {
			t.Errorf("Submit(a/2) = %v, want ErrPaused", err)
		}
		close(recorded)
		synctest.Wait()
		s.Resume()
		s.hook = nil
		s.submits("a/1", "a/2")
		s.saw("start a/1")
		s.ends("a/1", Delivered)
		synctest.Wait()
		s.ends("a/2", Delivered)
		s.Stop(t.Context())
	})
}

func TestADeliveryIsInFlightUntilItIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		recorded := make(chan struct{})
		s.hook = func(Result) { <-recorded }
		s.submits("a/1", "a/2")
		synctest.Wait()
		s.ends("a/1", Delivered)
		s.saw("start a/1", "delivered a/1")
		if !s.Pending("a/1") || !errors.Is(s.submit("a/1"), ErrPending) {
			t.Error("a delivery whose result is being recorded is not in flight")
		}
		recorded <- struct{}{}
		s.saw("start a/2")
		s.ends("a/2", Delivered)
		recorded <- struct{}{}
		s.Stop(t.Context())
	})
}

func TestDoneMaySubmitAndPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := newStage(t, 1)
		s.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s.opts.Queued = func(x Delivery) {
			s.note("queued " + x.ID)
			panic("nobody writes this down")
		}
		s.hook = func(r Result) {
			if r.Delivery.ID == "a/1" {
				s.submits("a/2")
				panic("disk on fire")
			}
		}
		s.submits("a/1")
		s.saw("queued a/1", "start a/1")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "queued a/2", "start a/2")
		s.ends("a/2", Delivered)
		s.Stop(t.Context())
		for _, want := range []string{"disk on fire", "nobody writes this down"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("log = %q, want %q in it", log.String(), want)
			}
		}
	})
}

func TestPanicInARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 1)
		s.testOnlyRun = func(Delivery, time.Duration, ending) Result { panic("bug") }
		s.submits("a/1", "b/1")
		s.saw("failed a/1", "failed b/1")
		s.Stop(t.Context())
	})
}

func TestReconfigure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 1)
		s.submits("a/1", "b/1", "c/1", "d/1")
		s.saw("start a/1")
		s.Reconfigure(3, time.Second)
		s.sawInAnyOrder("start b/1", "start c/1")
		s.Reconfigure(1, 0)
		s.ends("a/1", Delivered)
		s.ends("b/1", Delivered)
		synctest.Wait()
		if s.timeout != time.Second || s.Pending("a/1") || !s.Pending("d/1") {
			t.Error("the new limits do not hold")
		}
		s.ends("c/1", Delivered)
		synctest.Wait()
		s.ends("d/1", Delivered)
		s.Stop(t.Context())
	})
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 1)
		if err := s.Wait(t.Context()); err != nil {
			t.Errorf("Wait() without deliveries = %v", err)
		}
		s.submits("a/1", "a/2")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Wait() of an ended context = %v", err)
		}
		waited := make(chan error, 1)
		go func() { waited <- s.Wait(t.Context()) }()
		synctest.Wait()
		s.ends("a/1", Delivered)
		synctest.Wait()
		if len(waited) > 0 {
			t.Error("Wait() returned with a delivery in flight")
		}
		s.ends("a/2", Delivered)
		if err := <-waited; err != nil {
			t.Errorf("Wait() = %v", err)
		}
		s.Stop(t.Context())
	})
}

// 300 comments at once: real goroutines, no more at a time than allowed, each
// session in order, every result told once.
func TestManyDeliveries(t *testing.T) {
	const sessions, each, limit = 30, 10, 4
	var mu sync.Mutex
	told := map[string][]string{}
	running, most := 0, 0
	d := NewDispatcher(DispatchOptions{StateRoot: t.TempDir(), MaxConcurrent: limit, Done: func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		told[r.Delivery.Target.Session] = append(told[r.Delivery.Target.Session], r.Delivery.ID)
	}})
	real := d.testOnlyRun
	d.testOnlyRun = func(x Delivery, timeout time.Duration, e ending) Result {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		defer func() { mu.Lock(); running--; mu.Unlock() }()
		return real(x, timeout, e)
	}
	want := map[string][]string{}
	for n := range each {
		for s := range sessions {
			session := fmt.Sprintf("repo-%d-x", s)
			id := fmt.Sprintf("%s/%d", session, n)
			want[session] = append(want[session], id)
			if err := d.Submit(Delivery{ID: id, Target: Target{Session: session}, Handler: argvtemplate.Template{}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := d.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Stop(t.Context())
	if most > limit {
		t.Errorf("%d at once, want at most %d", most, limit)
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}
