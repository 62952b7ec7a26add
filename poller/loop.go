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
	// Wake ends a wait at once and starts the next cycle. It may be nil.
	Wake <-chan struct{}
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
	timer := time.NewTimer(l.Interval())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.Wake:
	case <-ctx.Done():
	}
}
