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

// tries is how often a delivery is made that keeps asking for the next cycle.
const tries = 10

// Options are the handlers and how they are tried.
type Options struct {
	// Handlers are the configured ones; an event without one is not tried.
	Handlers map[session.Event]argvtemplate.Template
	// Judged are the events that get findings; the others are run to set and clear
	// the stage.
	Judged []session.Event
	// Repo is the one that the items belong to, in lower case.
	Repo ref.Repo
	// Timeout is for one run; a handler that needs longer is killed.
	Timeout time.Duration
	// Pause is the wait before a delivery that exited with 75 is made again.
	Pause time.Duration
	// Run makes one delivery.
	Run func(context.Context, dispatch.Delivery, time.Duration) dispatch.Result
	// Found gets each finding when it is made.
	Found func(Finding)
}

// Run tries the handlers on three sessions: one that lives as it should, one whose
// handlers are killed in the middle, and one that was never started. The error is
// that of the context.
func Run(ctx context.Context, o Options) error {
	t := &trial{Options: o, ctx: ctx, took: map[session.Event]time.Duration{}}
	for _, act := range []func(*trial) error{(*trial).life, (*trial).cut, (*trial).absent} {
		if err := act(t); err != nil {
			return err
		}
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

// life is a session from its start to its end, each delivery made twice.
func (t *trial) life() error {
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
	return nil
}

// cut is a session each handler of which is killed at its deadline once.
func (t *trial) cut() error {
	s := t.session(firstNumber + 1)
	if t.took[session.EventSpawn] == 0 && t.has(session.EventSpawn) {
		return nil // no session can be started
	}
	t.killed(s.spawn())
	t.killed(s.comment("cut", "Please have a look."))
	t.killed(s.update("cut"))
	t.killed(s.close())
	return nil
}

// absent is a session that was never started.
func (t *trial) absent() error {
	s := t.session(firstNumber + 2)
	t.toNone(s.comment("absent", "Is anybody there?"))
	t.toNone(s.update("absent"))
	t.closeOfNone(s.close())
	return nil
}

func (t *trial) has(e session.Event) bool { return len(t.Handlers[e]) > 0 }

// run makes a delivery until it does not ask for the next cycle any more, and
// returns how often it was made.
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

// found passes on a finding about a judged event, unless the test is being stopped.
func (t *trial) found(f Finding) {
	if t.ctx.Err() == nil && slices.Contains(t.Judged, f.Event) {
		t.Found(f)
	}
}
