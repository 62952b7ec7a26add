package dispatch

import "context"

// Wait returns nil once no delivery waits or runs, or the context's cause if it ends
// first. It does not wait for held deliveries.
func (d *Dispatcher) Wait(ctx context.Context) error {
	for {
		d.mu.Lock()
		idle, done := d.idle, d.busy == 0
		d.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Stop drops queued deliveries and waits for running handlers. They have Grace to
// end by themselves; then their groups get TERM and, KillAfter later, KILL. When ctx
// ends, KILL comes at once. When Stop returns, Done has had every result and no
// goroutine is left.
func (d *Dispatcher) Stop(ctx context.Context) {
	d.BeginStop()
	ended := make(chan struct{})
	go func() {
		d.workers.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		d.hurry.Do(func() { close(d.ending.hurry) })
		<-ended
	}
}

// BeginStop is the first part of Stop and never blocks: no delivery starts any more,
// and Grace begins for running handlers. The caller must still call Stop.
func (d *Dispatcher) BeginStop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopping {
		return
	}
	d.stopping = true
	close(d.ending.stop)
	// The worker of a running delivery drops those behind it, to keep the order.
	for _, q := range d.queues {
		if q.running != "" {
			continue
		}
		dropped, reason := d.abandon(q)
		d.workers.Go(func() { d.drop(dropped, reason) })
	}
	d.turns.clear()
}

// abandon forgets an idle session and returns the deliveries to drop with it. The
// caller holds d.mu.
func (d *Dispatcher) abandon(q *queue) (dropped []Delivery, reason string) {
	delete(d.queues, q.session)
	if !q.held {
		d.end()
		return q.waiting, stopReason
	}
	// Done already knows that the first one must be retried.
	delete(d.accepted, q.waiting[0].ID)
	return q.waiting[1:], heldReason
}
