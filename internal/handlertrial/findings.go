package handlertrial

import (
	"fmt"
	"strings"
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// Level says how much a finding matters.
type Level string

// The levels. Error means that a daemon cannot rely on the handler.
const (
	OK      Level = "ok"
	Warning Level = "warning"
	Error   Level = "error"
)

// Finding is the result of one check.
type Finding struct {
	Event   session.Event
	Check   string // the trial's action, such as "killed at its deadline"
	Level   Level
	Message string // the handler's reaction
	Fix     string // the advice, "" for none
}

// first judges an ordinary delivery. It returns false when the delivery failed.
func (t *trial) first(d dispatch.Delivery) bool {
	if !t.has(d.Event) {
		t.found(Finding{Event: d.Event, Check: "no handler", Level: absentLevel(d.Event), Message: withoutHandler(d.Event), Fix: absentFix(d.Event)})
		return true
	}
	r, n := t.run(d)
	t.judge(d, "an ordinary event", r, n, firstFix(d.Event, r, t.Timeout))
	if r.Outcome == dispatch.Delivered {
		t.took[d.Event] = max(r.Duration, time.Millisecond)
	}
	return r.Outcome == dispatch.Delivered
}

func absentLevel(e session.Event) Level {
	if e == session.EventSpawn {
		return Warning
	}
	return OK
}

func absentFix(e session.Event) string {
	if e == session.EventSpawn {
		return "set routing.handlers.spawn to the command that starts a session"
	}
	return ""
}

func withoutHandler(e session.Event) string {
	if e == session.EventSpawn {
		return "none is configured, so no session begins"
	}
	if e == session.EventUpdate {
		return "none is configured, so pull requests are not asked about"
	}
	return "none is configured, so the event is only recorded"
}

func firstFix(e session.Event, r dispatch.Result, timeout time.Duration) string {
	switch {
	case r.StartedAt.IsZero():
		return "make it an executable file that begins with #! or is a program, and write its absolute path"
	case timedOut(r, timeout):
		return "start in the background whatever takes long, and exit with 0; or give it more time with --timeout"
	case e == session.EventSpawn:
		return "exit with 0 once the session is started, with 75 while it cannot be; any other code spends one of polling.maxRetries attempts"
	}
	return "exit with 0 once the event is dealt with, with 75 while it cannot be; any other code spends one of polling.maxRetries attempts"
}

func timedOut(r dispatch.Result, timeout time.Duration) bool {
	return r.Outcome == dispatch.Failed && !r.StartedAt.IsZero() && r.Duration >= timeout
}

// also makes a further delivery that should succeed.
func (t *trial) also(d dispatch.Delivery, check, fix string) {
	if !t.has(d.Event) {
		return
	}
	r, n := t.run(d)
	t.judge(d, check, r, n, fix)
}

// again repeats a delivery, as a daemon does after a crash.
func (t *trial) again(d dispatch.Delivery) {
	t.also(d, "the same delivery again",
		"exit with 0 when the delivery of this THE_LOOP_DELIVERY_ID is done already: a crash of the daemon repeats it")
}

func (t *trial) large(d dispatch.Delivery) {
	t.also(d, "64 KiB of text",
		"read the event from stdin and pass it on in a file: no argument and no variable of a program can hold so much")
}

// killed kills a handler in the middle of its work and then repeats the delivery.
func (t *trial) killed(d dispatch.Delivery) {
	if !t.has(d.Event) || t.took[d.Event] == 0 {
		return
	}
	deadline := max(t.took[d.Event]/2, time.Millisecond)
	cut := t.Run(t.ctx, d, deadline)
	check := "again after a kill at its deadline"
	if !timedOut(cut, deadline) {
		check = "again, since it ended before its deadline of " + rounded(deadline)
	}
	const fix = "expect to be killed anywhere: write a file under another name and rename it, and look for what is half done before doing it again"
	r, n := t.run(d)
	if r.Outcome == dispatch.Failed && t.secondAttempt(d) {
		t.found(Finding{Event: d.Event, Check: check, Level: Warning, Message: message(r, n) + "; the next attempt exited 0", Fix: fix})
		return
	}
	t.judge(d, check, r, n, fix)
}

// secondAttempt repeats a failed delivery, as the next cycle does, and reports whether it
// succeeded.
func (t *trial) secondAttempt(d dispatch.Delivery) bool {
	d.Attempt = 2
	r, _ := t.run(d)
	return r.Outcome == dispatch.Delivered
}

// toNone delivers a comment or an update to a session that does not exist. A handler may
// start the agent for it, so exit code 0 only raises a doubt.
func (t *trial) toNone(d dispatch.Delivery) {
	if !t.has(d.Event) {
		return
	}
	r, n := t.run(d)
	f := Finding{Event: d.Event, Check: "a session that is not there", Level: OK, Message: message(r, n)}
	switch {
	case r.Outcome == dispatch.Delivered:
		f.Level = Warning
		f.Fix = "fail when there is no session to hand the event to, unless the handler itself starts one: after exit code 0 it counts as delivered"
	case r.Outcome == dispatch.Deferred:
		f.Level = Error
		f.Fix = "exit with 1 when there is no session: 75 makes the event wait for ever, and all that come after it"
	case timedOut(r, t.Timeout):
		f.Level = Error
		f.Fix = "exit with 1 at once when there is no session, instead of waiting for one"
	}
	t.found(f)
}

func (t *trial) closeOfNone(d dispatch.Delivery) {
	t.also(d, "a session that is not there",
		"exit with 0 when there is nothing to end: a close can come for a session whose spawn never succeeded")
}

// judge reports the finding for a delivery that should succeed.
func (t *trial) judge(d dispatch.Delivery, check string, r dispatch.Result, n int, fix string) {
	f := Finding{Event: d.Event, Check: check, Level: OK, Message: message(r, n)}
	switch r.Outcome {
	case dispatch.Delivered:
	case dispatch.Deferred:
		f.Level = Error
		f.Fix = "exit with 75 only for what passes: until this delivery succeeds, all later events of the session wait"
	default:
		f.Level, f.Fix = Error, fix
	}
	t.found(f)
}

// message describes how a delivery ended. It leaves out the log's path, which the caller
// shows once.
func message(r dispatch.Result, n int) string {
	if r.Outcome == dispatch.Delivered {
		text := "exited 0 after " + rounded(r.Duration)
		if n > 1 {
			text += fmt.Sprintf(", having exited 75 %s before", times(n-1))
		}
		return text
	}
	reason, _, _ := strings.Cut(r.Reason, "; log: ")
	reason = strings.TrimPrefix(reason, string(r.Delivery.Event)+" handler ")
	if n > 1 {
		return fmt.Sprintf("%s, %s in a row", reason, times(n))
	}
	return reason
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func rounded(d time.Duration) string {
	if d < time.Millisecond {
		return "1ms"
	}
	return d.Round(time.Millisecond).String()
}
