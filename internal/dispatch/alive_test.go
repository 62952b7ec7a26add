package dispatch

import (
	"context"
	"testing"
	"testing/synctest"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/session"
)

// asks has the alive handler answer for a session once the returned function is
// called.
func (s *stage) asks(name string, a Answer) (answer func()) {
	gate := make(chan struct{})
	s.testOnlyAlive = func(x Delivery) (Answer, string, bool) {
		s.note("ask " + x.Target.Session)
		select {
		case <-gate:
			return a, "", false
		case <-s.ending.stop:
			return Unknown, "", true
		}
	}
	s.Ask(session.Target{Session: name}, argvtemplate.Template{}, func(a Answer, _ string) {
		s.note([]string{"unknown ", "lives ", "gone ", "busy "}[a] + name)
	})
	return func() { close(gate) }
}

func TestAskedNeverBesideADelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		s.submits("a/1")
		s.saw("start a/1")
		s.asks("a", Gone)
		s.saw("busy a")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1")

		answer := s.asks("a", Lives)
		s.saw("ask a")
		s.submits("a/2", "b/1")
		s.saw("start b/1")
		answer()
		s.saw("lives a", "start a/2")
		s.ends("a/2", Delivered)
		s.ends("b/1", Delivered)
		s.sawInAnyOrder("delivered a/2", "delivered b/1")
		if err := s.Wait(t.Context()); err != nil {
			t.Errorf("Wait() = %v", err)
		}
		s.Stop(t.Context())
	})
}

func TestRespawnGoesBeforeWhatIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		s.submits("a/1", "a/2")
		s.endsSoon(t, "a/1", Failed)
		s.saw("start a/1", "failed a/1")
		answer := s.asks("a", Gone)
		s.saw("ask a")
		if got := s.Resume(all); got != nil {
			t.Errorf("Resume() beside the question = %v", got)
		}
		if err := s.Submit(Delivery{ID: "a/0", Respawn: true, Target: session.Target{Session: "a"}}); err != nil {
			t.Fatal(err)
		}
		s.saw()
		answer()
		s.saw("gone a", "start a/0")
		s.ends("a/0", Delivered)
		s.saw("delivered a/0", "start a/1")
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "start a/2")
		s.ends("a/2", Delivered)
		s.saw("delivered a/2")
		if err := s.Wait(t.Context()); err != nil {
			t.Errorf("Wait() = %v", err)
		}
		s.Stop(t.Context())
	})
}

// endsSoon is ends for a delivery that has just been submitted.
func (s *stage) endsSoon(t *testing.T, id string, o Outcome) {
	t.Helper()
	synctest.Wait()
	s.ends(id, o)
}

func TestStopEndsAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 4)
		s.asks("a", Gone)
		s.saw("ask a")
		s.submits("a/1")
		s.Stop(context.Background())
		s.saw("dropped a/1")
		s.asks("b", Gone)
		s.saw()
	})
}
