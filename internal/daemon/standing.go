package daemon

import (
	"context"
	"time"

	"the-loop/internal/session"
	"the-loop/poller"
)

// settledDelay is how long the heartbeat waits after the end of a delivery, so that
// a hundred of them are one write.
const settledDelay = 200 * time.Millisecond

// standing is what waits for a person. The heartbeat's first write comes
// before there is a poller.
func (d *daemon) standing() poller.Standing {
	if d.poller == nil {
		return poller.Standing{}
	}
	return d.poller.Standing()
}

// settle takes the end of a delivery into the records, and soon after into the
// heartbeat: what is given up between two cycles must not wait for the next one.
func (d *daemon) settle(r session.Result) {
	d.poller.Settle(r)
	select {
	case d.settled <- struct{}{}:
	default: // the refresh to come will see this one, too
	}
}

// refresh keeps the heartbeat up to date between cycles until ctx ends. Call the
// function that it returns after the last delivery: it waits for the goroutine and
// writes what has come since, unless the state root is another daemon's by then.
func (d *daemon) refresh(ctx context.Context) (finish func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for d.awaitSettled(ctx) {
			d.beat.Refresh()
		}
	}()
	return func() {
		cancel()
		<-ended
		if d.usurped == nil {
			d.beat.Refresh()
		}
	}
}

// awaitSettled waits for the end of a delivery and a little longer. It returns
// false once ctx has ended.
func (d *daemon) awaitSettled(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-d.settled:
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
