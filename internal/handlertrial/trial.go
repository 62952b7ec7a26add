package handlertrial

import (
	"context"
	"slices"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// tries is the limit of runs for a delivery that keeps asking for the next cycle.
const tries = 10

// Options holds the handlers and the terms of the trial.
type Options struct {
	// Handlers are the configured ones; events without one are skipped.
	Handlers map[session.Event]argvtemplate.Template
	// Judged lists the events that get findings; the others run only to set up and
	// clean up.
	Judged []session.Event
	// Repo is the items' repository, in lower case.
	Repo ref.Repo
	// Timeout is the limit of one run; Run kills a slower handler.
	Timeout time.Duration
	// Pause is the wait before a retry after exit code 75.
	Pause time.Duration
	// Run makes one delivery.
	Run func(context.Context, dispatch.Delivery, time.Duration) dispatch.Result
	// Found receives each finding at once.
	Found func(Finding)
}

// Run tries the handlers on three sessions: a normal one, one whose handlers are killed in
// the middle, and one that never started. It returns the context's error.
func Run(ctx context.Context, o Options) error {
	t := &trial{Options: o, ctx: ctx, took: map[session.Event]time.Duration{}}
	for _, act := range []func(*trial){(*trial).life, (*trial).cut, (*trial).absent} {
		act(t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

type trial struct {
	Options
	ctx  context.Context
	took map[session.Event]time.Duration // the first run of each event that succeeded
}

// life runs a session from start to end and makes each delivery twice.
func (t *trial) life() {
	s := t.session(firstNumber)
	if t.first(s.spawn()) {
		t.again(s.spawn())
		if t.first(s.comment("hello", "Please have a look.")) {
			t.again(s.comment("hello", "Please have a look."))
		}
		t.large(s.comment("large", largeText()))
		if t.first(s.update("red")) {
			t.again(s.update("red"))
		}
	}
	if t.first(s.close()) {
		t.again(s.close())
	}
}

// cut runs a session and kills each handler at its deadline once.
func (t *trial) cut() {
	s := t.session(firstNumber + 1)
	if t.took[session.EventSpawn] == 0 && t.has(session.EventSpawn) {
		return // no session can start
	}
	t.killed(s.spawn())
	t.killed(s.comment("cut", "Please have a look."))
	t.killed(s.update("cut"))
	t.killed(s.close())
}

// absent runs the handlers on a session that never started.
func (t *trial) absent() {
	s := t.session(firstNumber + 2)
	t.toNone(s.comment("absent", "Is anybody there?"))
	t.toNone(s.update("absent"))
	t.closeOfNone(s.close())
}

func (t *trial) has(e session.Event) bool { return len(t.Handlers[e]) > 0 }

// run repeats a delivery while it asks for the next cycle, and returns the number of
// runs.
func (t *trial) run(d dispatch.Delivery) (dispatch.Result, int) {
	for n := 1; ; n++ {
		r := t.Run(t.ctx, d, t.Timeout)
		if r.Outcome != dispatch.Deferred || n == tries || !t.wait() {
			return r, n
		}
	}
}

// wait waits for the next cycle and reports whether there is one.
func (t *trial) wait() bool {
	timer := time.NewTimer(t.Pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.ctx.Done():
		return false
	}
}

// found passes on a finding about a judged event, unless the context has ended.
func (t *trial) found(f Finding) {
	if t.ctx.Err() == nil && slices.Contains(t.Judged, f.Event) {
		t.Found(f)
	}
}
