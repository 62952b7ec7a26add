package dispatch

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
	"the-loop/internal/session"
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
	prepare func(*Delivery) Readiness
}

func newStage(t *testing.T, maxConcurrent int) *stage {
	s := &stage{t: t, running: map[string]chan Outcome{}}
	s.Dispatcher = New(Options{
		StateRoot: "/nowhere", MaxConcurrent: maxConcurrent, Env: []string{},
		Prepare: func(x *Delivery) Readiness {
			if s.prepare != nil {
				return s.prepare(x)
			}
			return Go
		},
		Done: func(r Result) bool {
			s.note(string(r.Outcome) + " " + r.Delivery.ID)
			if s.hook != nil {
				s.hook(r)
			}
			return r.Outcome == Failed || r.Outcome == Deferred
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
	name, _, _ := strings.Cut(id, "/")
	return s.Submit(Delivery{ID: id, Target: session.Target{Session: name}})
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
		for id, want := range map[string]Stage{"a/1": Running, "a/3": Waiting, "a/4": Absent} {
			if got := s.Stage(id); got != want {
				t.Errorf("Stage(%s) = %d, want %d", id, got, want)
			}
		}
		began := time.Now()
		if got, want := s.Workload(), (Workload{Running: 1, Waiting: 2, OldestAt: began}); got != want {
			t.Errorf("Workload() = %+v, want %+v", got, want)
		}
		<-time.After(time.Minute)
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
		if s.Pending("a/3") {
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

func all(Delivery) bool { return true }

// A delivery that has to be tried again stays the first of its session: what
// waits behind it, or comes meanwhile, follows it.
func TestFailureHoldsBackTheSession(t *testing.T) {
	for _, outcome := range []Outcome{Failed, Deferred} {
		t.Run(string(outcome), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, 4)
				var attempts []int
				s.prepare = func(x *Delivery) Readiness {
					if x.ID == "a/1" {
						attempts = append(attempts, x.Attempt)
					}
					return Go
				}
				s.submits("a/1", "a/2", "b/1")
				s.sawInAnyOrder("start a/1", "start b/1")
				s.ends("a/1", outcome)
				s.saw(string(outcome) + " a/1")
				s.submits("a/3", "b/2") // the other session has nothing to do with it
				if err := s.submit("a/1"); !errors.Is(err, ErrPending) {
					t.Errorf("Submit(a/1) = %v, want ErrPending", err)
				}
				if got := s.Stage("a/1"); got != Held {
					t.Errorf("Stage(a/1) = %d, want %d", got, Held)
				}
				if w := s.Workload(); w.Running != 1 || w.Waiting != 3 {
					t.Errorf("Workload() = %+v", w)
				}
				if got := s.Resume(func(Delivery) bool { return false }); got != nil {
					t.Errorf("Resume(none) = %v", got)
				}
				if got := s.Resume(all); len(got) != 1 || got[0].ID != "a/1" {
					t.Errorf("Resume() = %v", got)
				}
				s.saw("start a/1")
				want := []int{0, 0}
				if outcome == Failed {
					want[1] = 1
				}
				if diff := cmp.Diff(want, attempts); diff != "" {
					t.Errorf("attempts (-want +got):\n%s", diff)
				}
				for _, id := range []string{"a/1", "a/2", "a/3", "b/1", "b/2"} {
					s.ends(id, Delivered)
					synctest.Wait()
				}
				s.Stop(t.Context())
			})
		})
	}
}

// What is held is not waited for, and at the stop only what waits behind it is
// told of.
func TestHeldAtTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		s.submits("a/1", "a/2")
		synctest.Wait()
		s.ends("a/1", Failed)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		s.Stop(t.Context())
		s.saw("start a/1", "failed a/1", "dropped a/2")
		if s.Pending("a/1") || s.Pending("a/2") {
			t.Error("a delivery is left")
		}
	})
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
		s.Resume(all)
		s.submits("a/2")
		close(recorded)
		s.saw()
		s.Resume(all)
		s.saw("start a/1")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "start a/2")
		s.ends("a/2", Delivered)
		s.Stop(t.Context())
	})
}

// When its turn comes a delivery may have to wait, or not be wanted any more.
func TestPrepare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		answer := Later
		s.prepare = func(*Delivery) Readiness { return answer }
		s.submits("a/1", "a/2")
		s.saw()
		if got := s.Stage("a/1"); got != Held {
			t.Errorf("Stage(a/1) = %d, want %d", got, Held)
		}
		s.prepare = func(x *Delivery) Readiness {
			if x.ID == "a/1" {
				return Never
			}
			return Go
		}
		s.Resume(all)
		s.saw("unwanted a/1", "start a/2")
		s.ends("a/2", Delivered)
		s.prepare = func(*Delivery) Readiness { panic("bug") }
		synctest.Wait()
		s.submits("a/3")
		synctest.Wait()
		if got := s.Stage("a/3"); got != Held {
			t.Errorf("Stage(a/3) after a panic = %d, want %d", got, Held)
		}
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
		s.Reconfigure(3, time.Second, 0)
		s.sawInAnyOrder("start b/1", "start c/1")
		s.Reconfigure(1, 0, 0)
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
	d := New(Options{StateRoot: t.TempDir(), MaxConcurrent: limit, Done: func(r Result) bool {
		mu.Lock()
		defer mu.Unlock()
		told[r.Delivery.Target.Session] = append(told[r.Delivery.Target.Session], r.Delivery.ID)
		return false
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
			name := fmt.Sprintf("repo-%d-x", s)
			id := fmt.Sprintf("%s/%d", name, n)
			want[name] = append(want[name], id)
			if err := d.Submit(Delivery{ID: id, Target: session.Target{Session: name}, Handler: argvtemplate.Template{}}); err != nil {
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
