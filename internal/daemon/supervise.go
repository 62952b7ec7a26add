package daemon

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// hurryPatience is how long the daemon may take to kill its handlers after a
// second signal. A process that hangs in the kernel is given up after five
// seconds.
const hurryPatience = 6 * time.Second

// ErrSecondSignal reports that a second signal stopped the process at once.
var ErrSecondSignal = errors.New("stopped at once by a second signal")

// supervisor passes signals to a daemon, even while it is being opened. Only the
// goroutine of supervise uses it.
type supervisor struct {
	cancel   context.CancelFunc // ends the daemon's work
	hurry    context.CancelFunc // ends its patience with handlers
	d        *daemon            // nil until it is open
	hangup   bool               // a SIGHUP came before that
	stopping os.Signal          // the first stop request; nil before it
	hurrying bool               // a second signal came
	notes    sync.WaitGroup     // goroutines that pass a stop request on
}

// result is the end of a run.
type result struct {
	outcome Outcome
	err     error
}

// supervise opens the daemon and runs it. It takes signals before the lock is
// held. The first SIGINT or SIGTERM ends the daemon's context. The second one
// kills the handlers that still run and waits for nothing else; a third one does
// not even wait for that. Nothing that can block delays the answer to a signal.
func supervise(ctx context.Context, open func() (*daemon, error)) (Outcome, error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	patient, hurry := context.WithCancel(context.WithoutCancel(ctx))
	defer hurry()

	s := &supervisor{cancel: cancel, hurry: hurry}
	opened, done := make(chan *daemon, 1), make(chan result, 1)
	go func() {
		var end result
		d, err := open()
		if end.err = err; err == nil {
			opened <- d
			end.outcome, end.err = d.run(ctx, patient)
		}
		done <- end
	}()
	var over <-chan time.Time
	for {
		select {
		case s.d = <-opened:
			s.catchUp()
		case got := <-signals:
			if s.take(got) {
				return Outcome{}, ErrSecondSignal
			}
			if s.hurrying && over == nil {
				over = time.After(hurryPatience)
			}
		case <-over:
			return Outcome{}, ErrSecondSignal
		case end := <-done:
			s.notes.Wait()
			if s.hurrying {
				return Outcome{}, ErrSecondSignal
			}
			return end.outcome, end.err
		}
	}
}

// take obeys a signal. It returns true when the process must end this moment.
func (s *supervisor) take(got os.Signal) (now bool) {
	switch {
	case got == syscall.SIGHUP && s.d == nil:
		s.hangup = true
	case got == syscall.SIGHUP:
		s.d.hungUp()
	case s.stopping == nil:
		s.stopping = got
		s.cancel()
		if s.d != nil {
			s.notes.Go(func() { s.d.stopping(got) })
		}
	case s.hurrying || s.d == nil:
		return true
	default:
		s.hurrying = true
		s.hurry()
		// The daemon may hang elsewhere; its handlers must end all the same.
		killed, cancel := context.WithCancel(context.Background())
		cancel()
		s.notes.Go(func() { s.d.dispatch.Stop(killed) })
	}
	return false
}

// catchUp passes on the signals that came before the daemon was open.
func (s *supervisor) catchUp() {
	if s.hangup {
		s.d.hungUp()
	}
	if s.stopping != nil {
		s.notes.Go(func() { s.d.stopping(s.stopping) })
	}
}
