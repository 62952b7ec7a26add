package dispatch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"time"

	"the-loop/internal/procgroup"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/internal/timetext"
)

const (
	exitTempFail = 75 // EX_TEMPFAIL of sysexits.h

	// lookEvery is the pause between two checks of a running handler's log size.
	lookEvery = 250 * time.Millisecond
	// groupEvery is the pause between two checks whether a terminated group is gone.
	groupEvery = 20 * time.Millisecond
	// abandonAfter bounds the wait for a killed process. One that hangs in the kernel
	// must not block a slot or the shutdown.
	abandonAfter = 5 * time.Second

	// maxReason and maxProgram limit foreign text in a result's reason, in characters.
	maxReason  = 300
	maxProgram = 100
)

// runner runs handlers.
type runner struct {
	stateRoot string
	env       []string
	logs      *logs
	logger    *slog.Logger
	now       func() time.Time
	grace     time.Duration // from the stop to TERM
	killAfter time.Duration // from TERM to KILL

	testOnlyAfter func(time.Duration) <-chan time.Time // time.After
}

// ending announces a shutdown to the watchers of running handlers: stop closes when
// it begins, hurry when the grace period is cut short.
type ending struct{ stop, hurry <-chan struct{} }

// process is a started handler.
type process struct {
	cmd  *exec.Cmd
	log  *os.File      // nil if it could not be opened
	from int64         // offset in the log at which its output begins
	done chan struct{} // closed once the handler has been reaped

	complained bool // a problem with the log has been reported
}

// run runs the handler and returns when it has ended or was abandoned.
func (r *runner) run(d Delivery, timeout time.Duration, e ending) Result {
	res := Result{Delivery: d, Outcome: Delivered}
	if len(d.Handler) == 0 {
		return res
	}
	began := r.now()
	p, err := r.start(d)
	if err != nil {
		res.Outcome = Failed
		if shortage(err) {
			res.Outcome = Deferred
		}
		res.Reason = r.tell(d, nil, "could not be run: "+told(err))
		return res
	}
	res.StartedAt = began.UTC()
	outcome, how := r.watch(p, d.Target.Session, timeout, e)
	res.Outcome, res.Duration = outcome, r.now().Sub(began)
	res.Reason = how
	if outcome == Failed || outcome == Deferred {
		res.Reason = r.tell(d, p, how)
	}
	p.note(r.now(), "%s after %s%s", outcome, res.Duration.Round(time.Millisecond), colon(how))
	r.lookAt(p, d.Target.Session)
	p.log.Close() // on a nil file this only returns an error
	return res
}

// tell describes a failed run in one line: the handler, its last line of output, and
// the path of its log.
func (r *runner) tell(d Delivery, p *process, how string) string {
	text := string(d.Event) + " handler " + how
	if p != nil {
		text += " (" + safetext.Redact(safetext.Strip(p.cmd.Args[0], maxProgram)) + ")"
		last, err := "", error(nil)
		if p.log != nil {
			last, err = r.logs.lastLine(d.Target.Session, p.from)
		}
		switch {
		case last != "":
			text += ": " + safetext.Redact(safetext.Strip(last, maxReason))
		case p.log != nil && err == nil:
			text += ", it printed nothing"
		}
		if p.log == nil {
			return text
		}
	}
	return text + "; log: " + session.LogPath(r.stateRoot, d.Target.Session)
}

// told makes an error safe to log: it may quote the operator's configuration, which
// could hold a credential.
func told(err error) string { return safetext.Redact(safetext.Strip(err.Error(), maxReason)) }

// shortage reports whether the system lacked the resources to start a process. That
// is not the handler's fault, and a few cycles of it must not use up the attempts of
// every session. ETXTBSY counts, too: the program is just being installed.
func shortage(err error) bool {
	if errors.Is(err, errNoEvent) {
		return true
	}
	for _, passing := range []syscall.Errno{
		syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ETXTBSY,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

func colon(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func (r *runner) start(d Delivery) (*process, error) {
	if !session.ValidName(d.Target.Session) { // used as a file name
		return nil, fmt.Errorf("%q is not the name of a session", d.Target.Session)
	}
	input, err := d.input()
	if err != nil {
		return nil, err
	}
	argv := d.argv(r.stateRoot)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = d.environ(r.env, r.stateRoot)
	// A file, not a pipe: the event stays whole even if the daemon dies now.
	event, err := eventFile(r.stateRoot, input)
	if err != nil {
		return nil, err
	}
	defer event.Close()
	cmd.Stdin = event
	procgroup.Set(cmd)
	p := &process{cmd: cmd, done: make(chan struct{})}
	if p.log, err = r.logs.open(d.Target.Session); err != nil {
		// A full disk must not use up the attempts of every delivery.
		r.logger.Warn("handler output is not kept", "session", d.Target.Session, "error", err)
	} else {
		cmd.Stdout, cmd.Stderr = p.log, p.log
	}
	p.note(r.now(), "%s %s attempt %d", d.Event, d.ID, d.Attempt)
	p.from = p.logged()
	if err := cmd.Start(); err != nil {
		p.note(r.now(), "%s", told(err))
		p.log.Close()
		return nil, err
	}
	go func() { // ends with the process; watch waits for it
		defer close(p.done)
		cmd.Wait() // ProcessState holds the result
	}()
	return p, nil
}

// watch waits for the handler's end, and enforces it at the timeout or a shutdown.
func (r *runner) watch(p *process, name string, timeout time.Duration, e ending) (Outcome, string) {
	deadline := r.testOnlyAfter(timeout)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var grace <-chan time.Time
	for stop := e.stop; ; {
		select {
		case <-p.done:
			return p.verdict()
		case <-deadline:
			return r.timeOut(p, timeout)
		case <-stop:
			stop = nil
			grace = r.testOnlyAfter(r.grace)
		case <-grace:
			return r.interrupt(p, e.hurry)
		case <-e.hurry:
			return r.interrupt(p, e.hurry)
		case <-look.C:
			r.lookAt(p, name)
		}
	}
}

// verdict interprets the exit of a handler that ended by itself.
func (p *process) verdict() (Outcome, string) {
	state := p.cmd.ProcessState
	switch code := state.ExitCode(); {
	case code == 0:
		return Delivered, ""
	case code == exitTempFail:
		return Deferred, fmt.Sprintf("exited %d, asking for the next cycle", code)
	case code > 0:
		return Failed, fmt.Sprintf("exited %d", code)
	}
	return Failed, "was ended by " + state.String() // "signal: killed"
}

func (r *runner) timeOut(p *process, timeout time.Duration) (Outcome, string) {
	if p.ended() {
		return p.verdict()
	}
	reason := fmt.Sprintf("timed out after %s", timeout)
	if !p.kill() {
		return Failed, reason + " and cannot be killed"
	}
	// The handler may have succeeded just before the kill, for instance while this
	// program was suspended. It must not run again then.
	if outcome, reason := p.verdict(); outcome != Failed {
		return outcome, reason
	}
	return Failed, reason
}

// interrupt ends the handler's process group: TERM, time to comply, then KILL for
// the rest. It waits for the whole group, not only its leader: the children may have
// to clean up, too.
func (r *runner) interrupt(p *process, hurry <-chan struct{}) (Outcome, string) {
	if p.ended() {
		return p.verdict()
	}
	procgroup.Terminate(p.cmd.Process)
	over := r.testOnlyAfter(r.killAfter)
	look := time.NewTicker(groupEvery)
	defer look.Stop()
	for living := true; living; {
		select {
		case <-over:
			living = false
		case <-hurry:
			living = false
		case <-look.C:
			living = !p.ended() || groupLives(p.cmd.Process)
		}
	}
	if !p.kill() {
		return Interrupted, "interrupted by the shutdown, and the handler cannot be killed"
	}
	if p.cmd.ProcessState.Success() {
		return Delivered, "" // a success must not run again
	}
	return Interrupted, "interrupted by the shutdown"
}

// kill kills the whole group, waits for its leader and reports whether it died.
func (p *process) kill() bool {
	procgroup.Kill(p.cmd.Process)
	select {
	case <-p.done:
		return true
	case <-time.After(abandonAfter):
		return false
	}
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// note writes a line of the daemon's own to the handler's log.
func (p *process) note(at time.Time, format string, args ...any) {
	if p.log != nil {
		fmt.Fprintf(p.log, ownLine+"%s %s\n", timetext.UTC(at), fmt.Sprintf(format, args...))
	}
}

// logged is the present size of the log in bytes.
func (p *process) logged() int64 {
	if p.log == nil {
		return 0
	}
	info, err := p.log.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// lookAt truncates the handler's log if it is full.
func (r *runner) lookAt(p *process, name string) {
	if p.log == nil {
		return
	}
	info, err := p.log.Stat()
	if err == nil && info.Size() >= r.logs.limit {
		err = r.logs.trim(name)
	}
	if err != nil && !p.complained {
		p.complained = true
		r.logger.Warn("handler log cannot be kept below its limit", "session", name, "error", err)
	}
}
