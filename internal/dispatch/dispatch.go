package dispatch

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Reasons to refuse a delivery. Neither spends an attempt.
var (
	// ErrPending: the dispatcher already has this delivery.
	ErrPending = errors.New("the delivery is in flight already")
	// ErrStopped: the dispatcher is stopping and accepts nothing.
	ErrStopped = errors.New("the dispatcher is stopping")
)

// Readiness decides about a delivery whose turn has come.
type Readiness int

// The answers of Options.Prepare.
const (
	Go    Readiness = iota // run its handler
	Later                  // hold it until the next Resume
	Never                  // drop it: it has become pointless
)

// Dispatcher runs deliveries, at most MaxConcurrent at once. Repositories take
// turns, and so do the sessions of one repository. Deliveries of one session run
// strictly in the order of their Submit: one that must be retried stays first in
// its session and is held until Resume.
type Dispatcher struct {
	opts Options
	logs *logs

	testOnlyRun   func(Delivery, time.Duration, ending) Result // runner.run
	testOnlyAlive func(Delivery) (Answer, string, bool)        // runAlive

	workers sync.WaitGroup
	asking  chan struct{} // one entry for each running alive handler
	ending  struct{ stop, hurry chan struct{} }
	hurry   sync.Once

	mu       sync.Mutex
	timeout  time.Duration
	queues   map[string]*queue      // by session, each only while it has work
	turns    turns                  // of the queues that could start a delivery
	accepted map[string]*acceptance // unfinished deliveries by id
	busy     int                    // queues that are not held
	stopping bool
	idle     chan struct{} // closed while busy is 0
}

// New returns an idle Dispatcher. The caller must Stop it.
func New(opts Options) *Dispatcher {
	opts = opts.withDefaults()
	sweepEvents(opts.StateRoot)
	l := &logs{stateRoot: opts.StateRoot, limit: logLimit}
	r := &runner{
		stateRoot: opts.StateRoot, env: opts.Env, logs: l, logger: opts.Logger,
		now: opts.Now, grace: opts.Grace, killAfter: opts.KillAfter,
		testOnlyAfter: time.After,
	}
	d := &Dispatcher{
		opts: opts, logs: l, testOnlyRun: r.run, timeout: opts.Timeout,
		queues: map[string]*queue{}, accepted: map[string]*acceptance{},
		turns: newTurns(opts.MaxConcurrent, opts.Repositories),
		idle:  make(chan struct{}), asking: make(chan struct{}, maxAsked),
	}
	d.testOnlyAlive = d.runAlive
	d.ending.stop, d.ending.hurry = make(chan struct{}), make(chan struct{})
	close(d.idle)
	return d
}

// Submit queues a delivery and never blocks. It refuses one with ErrPending or
// ErrStopped; Done never hears of a refused delivery.
func (d *Dispatcher) Submit(x Delivery) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopping {
		return ErrStopped
	}
	if _, pending := d.accepted[x.ID]; pending {
		return ErrPending
	}
	d.accepted[x.ID] = &acceptance{at: d.opts.Now(), stage: Waiting}
	q := d.queues[x.Target.Session]
	if q == nil {
		q = newQueue(x.Target)
		d.queues[q.session] = q
		d.begin()
	}
	d.guard("queueing a delivery", x, func() { d.opts.Queued(x) })
	held := q.held
	d.enqueue(q, x)
	if q.running == "" && !q.held && (held || len(q.waiting) == 1) {
		d.turns.ready(q)
	}
	d.startReady()
	return nil
}

// enqueue appends a delivery to its session's queue. A respawn goes to the front:
// the others are meant for the session that it brings back.
func (d *Dispatcher) enqueue(q *queue, x Delivery) {
	if !x.Respawn {
		q.waiting = append(q.waiting, x)
		return
	}
	if q.held {
		d.accepted[q.waiting[0].ID].stage = Waiting
		q.held = false
		d.begin()
	}
	q.waiting = append([]Delivery{x}, q.waiting...)
}

// begin and end count the queues that are not held. The caller holds d.mu.
func (d *Dispatcher) begin() {
	if d.busy == 0 {
		d.idle = make(chan struct{})
	}
	d.busy++
}

func (d *Dispatcher) end() {
	if d.busy--; d.busy == 0 {
		close(d.idle)
	}
}

// startReady starts every delivery that may start. The caller holds d.mu.
func (d *Dispatcher) startReady() {
	for !d.stopping {
		q := d.turns.next()
		if q == nil {
			return
		}
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.running = next.ID
		d.accepted[next.ID].stage = Running
		timeout := d.timeout
		d.workers.Go(func() { d.work(q, next, timeout) })
	}
}

func (d *Dispatcher) work(q *queue, x Delivery, timeout time.Duration) {
	res, again := Result{Outcome: Unwanted, Reason: "its comment or its session is gone"}, false
	switch d.prepare(&x) {
	case Go:
		res = d.guardedRun(x, timeout)
		again = d.tell(res)
	case Later:
		again = true
	case Never:
		res.Delivery = x
		d.tell(res)
	}
	for dropped := d.finish(q, x, res, again); len(dropped) > 0; dropped = d.finish(q, x, res, again) {
		d.drop(dropped, stopReason)
	}
}

const (
	stopReason = "not started: the daemon stops"
	heldReason = "not started: the daemon stops, and an earlier delivery of the session has to be tried again first"
)

func (d *Dispatcher) drop(dropped []Delivery, reason string) {
	for _, x := range dropped {
		d.tell(Result{Delivery: x, Outcome: Dropped, Reason: reason})
		d.mu.Lock()
		delete(d.accepted, x.ID)
		d.mu.Unlock()
	}
}

// finish frees the slot and the session. During a shutdown it first returns the
// deliveries that still wait behind x: the caller drops them and calls again.
// Nothing can join the queue meanwhile.
func (d *Dispatcher) finish(q *queue, x Delivery, res Result, again bool) []Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dropped := q.waiting; len(dropped) > 0 && d.stopping {
		q.waiting = nil
		return dropped
	}
	d.turns.ended(q)
	q.running = ""
	again = again && !d.stopping
	if again {
		if res.Outcome == Failed {
			x.Attempt++
		}
		q.waiting = append([]Delivery{x}, q.waiting...)
		q.held = true
		d.accepted[x.ID].stage = Held
	} else {
		delete(d.accepted, x.ID)
	}
	if q.held {
		d.end()
	} else {
		d.settleQueue(q)
	}
	d.startReady()
	return nil
}

// settleQueue readies an idle session's next delivery, or forgets the session. The
// caller holds d.mu.
func (d *Dispatcher) settleQueue(q *queue) {
	switch {
	case q.held:
	case len(q.waiting) > 0:
		d.turns.ready(q)
	default:
		delete(d.queues, q.session)
		d.end()
	}
}

// prepare asks Options.Prepare about a delivery whose turn has come.
func (d *Dispatcher) prepare(x *Delivery) (answer Readiness) {
	answer = Later
	d.guard("preparing a delivery", *x, func() { answer = d.opts.Prepare(x) })
	return answer
}

// guardedRun turns a panic into a failed result, so that it cannot end the daemon.
func (d *Dispatcher) guardedRun(x Delivery, timeout time.Duration) (res Result) {
	defer func() {
		if v := recover(); v != nil {
			d.opts.Logger.Error("panic while running a handler", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			res = Result{Delivery: x, Outcome: Failed, Reason: string(x.Event) + " handler could not be run: internal error"}
		}
	}()
	return d.testOnlyRun(x, timeout, ending{d.ending.stop, d.ending.hurry})
}

func (d *Dispatcher) tell(res Result) (again bool) {
	d.guard("recording a delivery's result", res.Delivery, func() { again = d.opts.Done(res) })
	return again
}

// guard runs the caller's code and logs a panic in it: it must not end the daemon or
// leave a delivery in flight for ever.
func (d *Dispatcher) guard(doing string, x Delivery, call func()) {
	defer func() {
		if v := recover(); v != nil {
			d.opts.Logger.Error("panic while "+doing,
				"delivery", x.ID, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	call()
}

// Resume queues again the held deliveries that which selects, and returns them in
// the order of their Submit.
func (d *Dispatcher) Resume(which func(Delivery) bool) []Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopping {
		return nil
	}
	var resumed []*queue
	for _, q := range d.queues {
		if q.held && q.running == "" && which(q.waiting[0]) {
			resumed = append(resumed, q)
		}
	}
	slices.SortFunc(resumed, func(a, b *queue) int {
		return cmp.Or(d.accepted[a.waiting[0].ID].at.Compare(d.accepted[b.waiting[0].ID].at), cmp.Compare(a.session, b.session))
	})
	var list []Delivery
	for _, q := range resumed {
		x := q.waiting[0]
		q.held = false
		d.accepted[x.ID].stage = Waiting
		d.begin()
		d.guard("queueing a delivery", x, func() { d.opts.Queued(x) })
		d.turns.ready(q)
		list = append(list, x)
	}
	d.startReady()
	return list
}

// Reconfigure changes the limits and the number of repositories. Running handlers
// keep their timeout. Values of zero or below change nothing.
func (d *Dispatcher) Reconfigure(maxConcurrent int, timeout time.Duration, repositories int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if maxConcurrent > 0 {
		d.turns.max = maxConcurrent
	}
	if repositories > 0 {
		d.turns.repositories = repositories
	}
	d.timeout = positiveOr(timeout, d.timeout)
	d.startReady()
}

// TrimLogs truncates full logs, including those to which only processes that a
// handler left behind still write. Call it once a cycle. It looks at up to a
// thousand logs; more take several cycles.
func (d *Dispatcher) TrimLogs() error {
	if err := d.logs.trimNext(); err != nil {
		return fmt.Errorf("handler logs: %w", err)
	}
	return nil
}
