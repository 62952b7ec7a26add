package dispatch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 2)
		s.submits("a/1", "a/2", "b/1", "c/1", "c/2", "d/1")
		s.sawInAnyOrder("start a/1", "start b/1")
		stopped := make(chan struct{})
		go func() { s.Stop(t.Context()); close(stopped) }()
		s.sawInAnyOrder("dropped c/1", "dropped c/2", "dropped d/1")
		if err := s.submit("e/1"); !errors.Is(err, ErrStopped) {
			t.Errorf("Submit() = %v, want ErrStopped", err)
		}
		s.ends("a/1", Delivered)
		s.saw("delivered a/1", "dropped a/2")
		select {
		case <-stopped:
			t.Error("Stop() returned with a handler running")
		default:
		}
		s.ends("b/1", Failed)
		s.saw("failed b/1")
		<-stopped
		s.Stop(t.Context()) // once more is no harm
		if err := s.Wait(t.Context()); err != nil {
			t.Errorf("Wait() after Stop() = %v", err)
		}
	})
}

func TestStopInAHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 1)
		s.submits("a/1", "a/2")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s.Stop(ctx)
		s.saw("start a/1", "interrupted a/1", "dropped a/2")
	})
}

// A stop that comes while the last result is being told must not lose those
// who wait behind it.
func TestStopDuringAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, 1)
		recorded := make(chan struct{})
		s.hook = func(r Result) {
			if r.Outcome == Delivered {
				<-recorded
			}
		}
		s.submits("a/1", "a/2")
		synctest.Wait()
		s.ends("a/1", Delivered)
		synctest.Wait()
		go func() { synctest.Wait(); close(recorded) }()
		s.Stop(t.Context())
		s.saw("start a/1", "delivered a/1", "dropped a/2")
	})
}
