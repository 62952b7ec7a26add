package poller

import (
	"context"
	"time"
)

// Loop runs cycles with a wait between them. It decides when, not what.
type Loop struct {
	// Interval returns the time from the end of a cycle to the start of the next.
	Interval func() time.Duration
	// Cycles is the number of cycles to run; 0 means until the context ends.
	Cycles int
	// Cycle makes one pass. It must return soon after the context ends.
	Cycle func(ctx context.Context)
	// Wake interrupts a wait to call Woken. The wait then goes on, with the time that
	// Interval returns now. Wake may be nil.
	Wake  <-chan struct{}
	Woken func()
}

// Run returns when the context ends or after the last of Cycles. It measures the wait
// on the monotonic clock: after a sleep of several intervals the machine runs one
// cycle, not a burst.
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
