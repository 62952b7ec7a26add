package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"the-loop/internal/daemon"
)

// attendedPatience is how long a command may go on after its stop signal. It
// may hang on an output that nobody reads.
const attendedPatience = time.Second

// errOutputClosed says that the reader of the output has gone; see [app.fail].
var errOutputClosed = fmt.Errorf("the output was closed: %w", syscall.EPIPE)

// attended runs the work of a command that somebody waits for. SIGINT, SIGTERM,
// SIGHUP or an output whose reader has gone ends its context. From then on it
// has patience left, after which attended returns abandoned and lets it be. A
// second signal ends the wait at once.
func attended(ctx context.Context, patience time.Duration, abandoned error, work func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 4)
	notifyStop(signals)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	var over <-chan time.Time
	closed := false
	for {
		select {
		case err := <-done:
			if closed {
				return errOutputClosed
			}
			return err
		case s := <-signals:
			switch {
			case s == syscall.SIGPIPE:
				closed = true
			case ctx.Err() != nil:
				return daemon.ErrSecondSignal
			}
			cancel()
			if over == nil {
				over = time.After(patience)
			}
		case <-over:
			return abandoned
		}
	}
}

// notifyStop has the signals that end a command sent to c, but leaves SIGHUP
// alone where nohup has it ignored.
func notifyStop(c chan<- os.Signal) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
}
