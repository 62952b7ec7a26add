package poller

import (
	"context"
	"time"
)

// Loop runs cycles with a wait between them. It owns when, not what.
type Loop struct {
	// Interval is asked after each cycle: how long until the next one starts.
	Interval func() time.Duration
	// Cycles is how many to run; 0 is until the context ends.
	Cycles int
	// Cycle does one pass; it must return soon after the context has ended.
	Cycle func(ctx context.Context)
	// Wake interrupts a wait for a call of Woken; the wait then goes on, for as
	// long as Interval says by now. Wake may be nil.
	Wake  <-chan struct{}
	Woken func()
}

// Run returns when the context has ended or the asked number of cycles is
// done. The wait is measured on the monotonic clock, so that a machine that
// slept through several intervals runs one cycle and not a burst of them.
func (l Loop) Run(ctx context.Context) {
	for n := 1; ctx.Err() == nil; n++ {
		l.Cycle(ctx)
		if n == l.Cycles {
			return
		}
		l.wait(ctx)
	}
}

func (l Loop) wait(ctx context.Context) {
	ended := time.Now()
	for {
		timer := time.NewTimer(time.Until(ended.Add(l.Interval())))
		select {
		case <-timer.C:
			return
		case <-ctx.Done():
			timer.Stop()
			return
		case <-l.Wake:
			timer.Stop()
			l.Woken()
		}
	}
}
