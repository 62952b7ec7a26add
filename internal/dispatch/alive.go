package dispatch

import (
	"fmt"
	"os/exec"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/procgroup"
	"the-loop/internal/session"
)

const (
	// askTimeout bounds one run of an alive handler unless the options say otherwise.
	askTimeout = 10 * time.Second
	// maxAsked is how many alive handlers run at once. They take no delivery slots.
	maxAsked = 4
)

// Answer is an alive handler's verdict on a session.
type Answer int

// The answers. Unknown proves nothing. Busy means that no handler ran, because a
// delivery of the session was running or waiting for a slot.
const (
	Unknown Answer = iota
	Lives
	Gone
	Busy
)

// Asked receives the answer of an alive handler and, for Unknown, the reason. Unless
// the answer is Busy, no delivery of the session starts until it returns. It may
// call Submit.
type Asked func(answer Answer, reason string)

// Ask runs a session's alive handler once fewer than maxAsked others run. If the
// dispatcher stops first, done is never called.
func (d *Dispatcher) Ask(t session.Target, handler argvtemplate.Template, done Asked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopping {
		return
	}
	d.begin()
	d.workers.Go(func() {
		defer func() {
			d.mu.Lock()
			d.end()
			d.mu.Unlock()
		}()
		select {
		case d.asking <- struct{}{}:
		case <-d.ending.stop:
			return
		}
		defer func() { <-d.asking }()
		d.ask(t, handler, done)
	})
}

func (d *Dispatcher) ask(t session.Target, handler argvtemplate.Template, done Asked) {
	q, stopping := d.claim(t)
	switch {
	case stopping:
		return
	case q == nil:
		done(Busy, "")
		return
	}
	defer d.release(q)
	x := Delivery{Event: eventAlive, Target: t, Handler: handler}
	d.guard("asking whether a session lives", x, func() {
		answer, reason, stopped := d.testOnlyAlive(x)
		if !stopped {
			done(answer, reason)
		}
	})
}

// eventAlive is the value of THE_LOOP_EVENT for an alive handler.
const eventAlive session.Event = "alive"

// claim reserves a session that has nothing to do, or only a held delivery. It
// returns nil for any other.
func (d *Dispatcher) claim(t session.Target) (taken *queue, stopping bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.queues[t.Session]
	switch {
	case d.stopping, q != nil && (q.running != "" || !q.held):
		return nil, d.stopping
	case q == nil:
		q = newQueue(t)
		d.queues[q.session] = q
		d.begin()
	}
	q.running = string(eventAlive)
	return q, false
}

// release gives a claimed session back.
func (d *Dispatcher) release(q *queue) {
	d.mu.Lock()
	q.running = ""
	if !d.stopping {
		d.settleQueue(q)
		d.startReady()
		d.mu.Unlock()
		return
	}
	dropped, reason := d.abandon(q)
	d.mu.Unlock()
	d.drop(dropped, reason)
}

// runAlive runs an alive handler. It kills the process group at the timeout, at a
// stop and after the handler's exit: no child of an alive handler may outlive it.
func (d *Dispatcher) runAlive(x Delivery) (answer Answer, reason string, stopped bool) {
	argv := x.argv(d.opts.StateRoot)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = x.environ(d.opts.Env, d.opts.StateRoot)
	procgroup.Set(cmd)
	if err := cmd.Start(); err != nil {
		return Unknown, "could not be run: " + told(err), false
	}
	ended := make(chan struct{})
	go func() { // ends with the process
		defer close(ended)
		cmd.Wait() // ProcessState holds the result
	}()
	select {
	case <-ended:
	case <-time.After(d.opts.AskTimeout):
		reason = fmt.Sprintf("timed out after %s", d.opts.AskTimeout)
	case <-d.ending.stop:
		stopped = true
	}
	procgroup.Kill(cmd.Process)
	if reason != "" || stopped {
		select {
		case <-ended:
		case <-time.After(abandonAfter):
		}
		return Unknown, reason, stopped
	}
	switch code := cmd.ProcessState.ExitCode(); code {
	case 0:
		return Lives, "", false
	case 1:
		return Gone, "", false
	}
	return Unknown, "ended with " + cmd.ProcessState.String(), false
}
