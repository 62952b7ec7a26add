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

// hurryPatience is how long the daemon may take to kill what it started: a
// process that hangs in the kernel is given up after five seconds.
const hurryPatience = 6 * time.Second

// ErrSecondSignal ends the process without waiting for anything.
var ErrSecondSignal = errors.New("stopped at once by a second signal")

// supervisor carries signals to a daemon, also while it is being opened.
type supervisor struct {
	cancel   context.CancelFunc // of the daemon's work
	hurry    context.CancelFunc // of its patience with handlers
	d        *daemon            // nil until it is open
	hangup   bool               // a SIGHUP came before that
	stopping os.Signal          // the first stop request, nil before it
	hurrying bool
	notes    sync.WaitGroup // of what tells others about a stop request
}

// supervise opens the daemon and runs it. Signals are taken before the lock is
// had. The first SIGINT or SIGTERM ends the daemon's context. The second one
// kills the handlers that still run, and nothing else is waited for then; a third
// one does not even wait for that. Nothing that can block stands between a
// signal and this.
func supervise(ctx context.Context, open func() (*daemon, error), o Options) error {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	patient, hurry := context.WithCancel(context.WithoutCancel(ctx))
	defer hurry()

	s := &supervisor{cancel: cancel, hurry: hurry}
	opened, done := make(chan *daemon, 1), make(chan error, 1)
	go func() {
		d, err := open()
		if err == nil {
			opened <- d
			err = d.run(ctx, patient, o)
		}
		done <- err
	}()
	var over <-chan time.Time
	for {
		select {
		case s.d = <-opened:
			s.catchUp()
		case got := <-signals:
			if s.take(got) {
				return ErrSecondSignal
			}
			if s.hurrying && over == nil {
				over = time.After(hurryPatience)
			}
		case <-over:
			return ErrSecondSignal
		case err := <-done:
			s.notes.Wait()
			if s.hurrying {
				return ErrSecondSignal
			}
			return err
		}
	}
}

// take obeys a signal and reports whether the process is to end this moment.
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
		// The daemon may hang somewhere else: its handlers end all the same.
		killed, cancel := context.WithCancel(context.Background())
		cancel()
		s.notes.Go(func() { s.d.dispatch.Stop(killed) })
	}
	return false
}

// catchUp tells the daemon of the signals that came before it was open.
func (s *supervisor) catchUp() {
	if s.hangup {
		s.d.hungUp()
	}
	if s.stopping != nil {
		s.notes.Go(func() { s.d.stopping(s.stopping) })
	}
}
