package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
)

// Why a delivery was not accepted. None of them spends an attempt.
var (
	// ErrPending: this delivery is queued or running already.
	ErrPending = errors.New("the delivery is in flight already")
	// ErrPaused: an earlier delivery of the session has to be tried again
	// first, which is possible after the next [Dispatcher.Resume].
	ErrPaused = errors.New("an earlier delivery of the session has to be tried again first")
	// ErrStopped: the dispatcher takes nothing more.
	ErrStopped = errors.New("the dispatcher is stopping")
)

// DispatchOptions are what a [Dispatcher] is told by its caller.
type DispatchOptions struct {
	// StateRoot is where logs go, below logs/, and what handlers are told.
	StateRoot string
	// MaxConcurrent is how many handlers run at once; 4 when it is not positive.
	MaxConcurrent int
	// Timeout is for one handler run; 30 minutes when it is not positive.
	Timeout time.Duration
	// Grace is the time from Stop to TERM, KillAfter from TERM to KILL; 10 and
	// 2 seconds when they are not positive.
	Grace, KillAfter time.Duration
	// Env is the environment that handlers inherit; nil is the daemon's own.
	Env []string
	// Logger gets what is worth a warning and is nobody's result; nil is silence.
	Logger *slog.Logger
	// Done is told of every accepted delivery's end, once, from a goroutine of
	// the dispatcher, for one delivery of a session at a time and in their
	// order. Until it returns the delivery counts as in flight and the next one
	// of its session does not start. It may call Submit. A panic in it is
	// logged and costs nothing else.
	Done func(Result)
	// Queued is told of every accepted delivery before it can start. It must
	// not call the dispatcher. Nil is silence. A panic is as in Done.
	Queued func(Delivery)
	// Now stamps results and log lines; nil is time.Now.
	Now func() time.Time
}

func (o DispatchOptions) withDefaults() DispatchOptions {
	if o.MaxConcurrent <= 0 {
		o.MaxConcurrent = 4
	}
	o.Timeout = positiveOr(o.Timeout, 30*time.Minute)
	o.Grace = positiveOr(o.Grace, 10*time.Second)
	o.KillAfter = positiveOr(o.KillAfter, 2*time.Second)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Done == nil {
		o.Done = func(Result) {}
	}
	if o.Queued == nil {
		o.Queued = func(Delivery) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if abs, err := filepath.Abs(o.StateRoot); err == nil {
		o.StateRoot = abs
	}
	return o
}

func positiveOr(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

// Dispatcher runs deliveries: those of one session strictly one after the
// other, in the order of their Submit, and at most MaxConcurrent at once, the
// sessions taking turns. After a delivery that has to be tried again, those
// that wait behind it are dropped and the session is paused until Resume, so
// that the order holds across retries, too.
type Dispatcher struct {
	opts DispatchOptions
	logs *logs

	testOnlyRun func(Delivery, time.Duration, ending) Result // runner.run

	workers sync.WaitGroup
	ending  struct{ stop, hurry chan struct{} }
	hurry   sync.Once

	mu       sync.Mutex
	max      int
	timeout  time.Duration
	queues   map[string]*queue    // by session; one is there while it has something to do
	ready    []*queue             // have something waiting and nothing running
	pending  map[string]time.Time // when each delivery that is not over was accepted, by id
	paused   map[string]bool      // sessions
	running  int
	stopping bool
	idle     chan struct{} // closed while nothing is pending
}

// queue is what one session has to do.
type queue struct {
	session string
	waiting []Delivery
	busy    bool // one is running, or its result is being told
	failing bool // that one has to be tried again
}

// NewDispatcher starts nothing yet. It must be ended with Stop.
func NewDispatcher(opts DispatchOptions) *Dispatcher {
	opts = opts.withDefaults()
	sweepEvents(opts.StateRoot)
	l := &logs{stateRoot: opts.StateRoot, limit: logLimit}
	r := &runner{
		stateRoot: opts.StateRoot, env: opts.Env, logs: l, logger: opts.Logger,
		now: opts.Now, grace: opts.Grace, killAfter: opts.KillAfter,
		testOnlyAfter: time.After,
	}
	d := &Dispatcher{
		opts: opts, logs: l, testOnlyRun: r.run, max: opts.MaxConcurrent, timeout: opts.Timeout,
		queues: map[string]*queue{}, pending: map[string]time.Time{}, paused: map[string]bool{},
		idle: make(chan struct{}),
	}
	d.ending.stop, d.ending.hurry = make(chan struct{}), make(chan struct{})
	close(d.idle)
	return d
}

// Submit queues a delivery and never blocks. The error is ErrPending,
// ErrPaused or ErrStopped, and the delivery is then not accepted: Done will
// not be told of it.
func (d *Dispatcher) Submit(x Delivery) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, pending := d.pending[x.ID]
	switch {
	case d.stopping:
		return ErrStopped
	case pending:
		return ErrPending
	case d.paused[x.Target.Session]:
		return ErrPaused
	}
	if len(d.pending) == 0 {
		d.idle = make(chan struct{})
	}
	d.pending[x.ID] = d.opts.Now()
	q := d.queues[x.Target.Session]
	if q == nil {
		q = &queue{session: x.Target.Session}
		d.queues[q.session] = q
	}
	d.guard("queueing a delivery", x, func() { d.opts.Queued(x) })
	q.waiting = append(q.waiting, x)
	if !q.busy && len(q.waiting) == 1 {
		d.ready = append(d.ready, q)
	}
	d.startReady()
	return nil
}

// startReady starts what may start; d.mu is held.
func (d *Dispatcher) startReady() {
	for d.running < d.max && len(d.ready) > 0 && !d.stopping {
		q := d.ready[0]
		d.ready = d.ready[1:]
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.busy = true
		d.running++
		timeout := d.timeout
		d.workers.Go(func() { d.work(q, next, timeout) })
	}
}

func (d *Dispatcher) work(q *queue, x Delivery, timeout time.Duration) {
	res := d.guardedRun(x, timeout)
	d.mu.Lock()
	if res.Outcome != Delivered && !d.stopping {
		q.failing = true
		d.paused[q.session] = true
	}
	d.mu.Unlock()
	d.tell(res)
	for dropped := d.finish(q, res); len(dropped) > 0; dropped = d.finish(q, res) {
		d.drop(dropped, res.reasonBehind())
	}
}

const stopReason = "not started: the daemon stops"

// reasonBehind says why those who wait behind this result are not started.
func (r Result) reasonBehind() string {
	if r.Outcome == Delivered || r.Outcome == Interrupted {
		return stopReason
	}
	return "not started: an earlier delivery of the session has to be tried again first"
}

func (d *Dispatcher) drop(dropped []Delivery, reason string) {
	for _, x := range dropped {
		d.tell(Result{Delivery: x, Outcome: Dropped, Reason: reason})
		d.mu.Lock()
		d.forget(x.ID)
		d.mu.Unlock()
	}
}

// finish gives the slot and the session free. Those who wait behind a delivery
// that has to be tried again, or behind the last one before the shutdown, have
// to be dropped first: then it only returns them. Nobody joins them meanwhile,
// since the session is paused, or all are stopped.
func (d *Dispatcher) finish(q *queue, res Result) []Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dropped := q.waiting; len(dropped) > 0 && (res.Outcome != Delivered || d.stopping) {
		q.waiting = nil
		return dropped
	}
	d.running--
	q.busy, q.failing = false, false
	if len(q.waiting) > 0 {
		d.ready = append(d.ready, q) // at the end: the sessions take turns
	} else {
		delete(d.queues, q.session)
	}
	d.forget(res.Delivery.ID)
	d.startReady()
	return nil
}

// forget takes a delivery off the list; d.mu is held.
func (d *Dispatcher) forget(id string) {
	delete(d.pending, id)
	if len(d.pending) == 0 {
		close(d.idle)
	}
}

// guardedRun keeps a panic in one run from ending the daemon.
func (d *Dispatcher) guardedRun(x Delivery, timeout time.Duration) (res Result) {
	defer func() {
		if v := recover(); v != nil {
			d.opts.Logger.Error("panic while running a handler", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			res = Result{Delivery: x, Outcome: Failed, Reason: string(x.Event) + " handler could not be run: internal error"}
		}
	}()
	return d.testOnlyRun(x, timeout, ending{d.ending.stop, d.ending.hurry})
}

func (d *Dispatcher) tell(res Result) {
	d.guard("recording a delivery's result", res.Delivery, func() { d.opts.Done(res) })
}

// guard keeps a panic of the caller's code from ending the daemon, or from
// leaving a delivery in flight for ever.
func (d *Dispatcher) guard(doing string, x Delivery, call func()) {
	defer func() {
		if v := recover(); v != nil {
			d.opts.Logger.Error("panic while "+doing,
				"delivery", x.ID, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	call()
}

// Resume ends the pause of the sessions in which a delivery has to be tried
// again. It is to be called at the start of each cycle, before any Submit,
// and the delivery that is to be tried again is to be submitted first.
func (d *Dispatcher) Resume() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for session := range d.paused {
		// While its failure is still being told, the failed delivery cannot be
		// submitted again, and another one would overtake it.
		if q := d.queues[session]; q == nil || !q.failing {
			delete(d.paused, session)
		}
	}
}

// InFlight reports whether the session has a delivery that is not over.
func (d *Dispatcher) InFlight(session string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.queues[session] != nil
}

// Pending reports whether the delivery of that id is not over: queued,
// running, or its result not yet told to the end.
func (d *Dispatcher) Pending(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, pending := d.pending[id]
	return pending
}

// Running is how many handlers run, those included whose result is being told.
func (d *Dispatcher) Running() int { return d.Workload().Running }

// Workload is what a [Dispatcher] has to do at one moment.
type Workload struct {
	Running int // handlers that run
	Waiting int // deliveries that wait for a slot, or for an earlier one of their session
	// OldestAt is when the oldest of both was handed over; zero without any.
	OldestAt time.Time
}

// Workload returns the present one.
func (d *Dispatcher) Workload() Workload {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := Workload{Running: d.running, Waiting: len(d.pending) - d.running}
	for _, at := range d.pending {
		if w.OldestAt.IsZero() || at.Before(w.OldestAt) {
			w.OldestAt = at
		}
	}
	return w
}

// Reconfigure changes the limits. What runs keeps the timeout it started with.
// Values that are not positive change nothing.
func (d *Dispatcher) Reconfigure(maxConcurrent int, timeout time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if maxConcurrent > 0 {
		d.max = maxConcurrent
	}
	d.timeout = positiveOr(timeout, d.timeout)
	d.startReady()
}

// TrimLogs starts the logs anew that are full, also those to which only what
// a handler left behind still writes. It is to be called once in each cycle, and
// looks at a thousand logs at most: of more, some cycles look at all.
func (d *Dispatcher) TrimLogs() error {
	if err := d.logs.trimNext(); err != nil {
		return fmt.Errorf("handler logs: %w", err)
	}
	return nil
}

// Wait returns nil once nothing is in flight, or the context's error.
func (d *Dispatcher) Wait(ctx context.Context) error {
	for {
		d.mu.Lock()
		idle, done := d.idle, len(d.pending) == 0
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
	for _, q := range d.ready {
		dropped := q.waiting
		q.waiting = nil
		delete(d.queues, q.session)
		d.workers.Go(func() { d.drop(dropped, stopReason) })
	}
	d.ready = nil
}
