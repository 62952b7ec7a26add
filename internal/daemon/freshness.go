package daemon

import (
	"context"
	"time"

	"the-loop/internal/dispatch"
	"the-loop/poller"
)

// settledDelay is how long the heartbeat waits after the end of a delivery, so that
// a hundred ends cost one write.
const settledDelay = 200 * time.Millisecond

// freshness holds the end of a delivery that the heartbeat does not show yet.
type freshness chan struct{}

// standing returns the conditions that wait for a person. The heartbeat asks for
// them before there is a poller.
func (d *daemon) standing() poller.Standing {
	if d.poller == nil {
		return poller.Standing{}
	}
	return d.poller.Standing()
}

// settle records the end of a delivery, and soon after updates the heartbeat: a
// delivery that is given up between two cycles must not wait for the next one.
func (d *daemon) settle(r dispatch.Result) (again bool) {
	again = d.poller.Settle(r)
	select {
	case d.freshness <- struct{}{}:
	default: // the coming refresh covers this delivery, too
	}
	return again
}

// refresh keeps the heartbeat up to date between cycles until ctx ends. Call
// finish after the last delivery: it waits for the goroutine and writes the
// latest, unless the state root is another daemon's by then.
func (d *daemon) refresh(ctx context.Context) (finish func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for d.freshness.await(ctx) {
			d.beat.Refresh()
			d.notify()
		}
	}()
	return func() {
		cancel()
		<-ended
		if d.root.usurped() == nil {
			d.beat.Refresh()
			d.notify()
		}
	}
}

// await waits for the end of a delivery and a little longer. It returns false
// once ctx has ended.
func (f freshness) await(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-f:
	}
	timer := time.NewTimer(settledDelay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
