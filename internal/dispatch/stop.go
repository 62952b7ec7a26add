package dispatch

import "context"

// Wait returns nil once nothing waits or runs, or the context's error. What is
// held is not waited for.
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

// Stop starts nothing more, drops what is queued, and waits for what runs: it
// has Grace to end by itself, then its group gets TERM and, KillAfter later,
// KILL. When ctx ends, KILL comes at once. When Stop returns, every result has
// been told and no goroutine is left.
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

// BeginStop is the part of Stop that waits for nothing: from here on no
// delivery starts, and what runs has Grace left. Stop has still to be called.
func (d *Dispatcher) BeginStop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopping {
		return
	}
	d.stopping = true
	close(d.ending.stop)
	// Sessions in which something runs are left to its worker, for the order.
	for _, q := range d.queues {
		if q.running != "" {
			continue
		}
		dropped, reason := d.abandon(q)
		d.workers.Go(func() { d.drop(dropped, reason) })
	}
	d.turns.clear()
}

// abandon forgets a session in which nothing runs, and returns what is to be
// dropped with it; d.mu is held.
func (d *Dispatcher) abandon(q *queue) (dropped []Delivery, reason string) {
	delete(d.queues, q.session)
	if !q.held {
		d.end()
		return q.waiting, stopReason
	}
	// Done knows of the first that it has to be tried again.
	delete(d.accepted, q.waiting[0].ID)
	return q.waiting[1:], heldReason
}
