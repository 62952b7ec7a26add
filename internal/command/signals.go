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

// attendedPatience is how long a command may go on after its stop signal. It may
// hang on an output that is never read.
const attendedPatience = time.Second

// errOutputClosed says that the reader of the output has gone; see [app.fail].
var errOutputClosed = fmt.Errorf("the output was closed: %w", syscall.EPIPE)

// attended runs the work of a command in the foreground. SIGINT, SIGTERM, SIGHUP or
// the end of the output's reader ends the work's context. The work may then go on
// for as long as patience; after that attended returns abandoned without it. A
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

// notifyStop sends the signals that end a command to c. It leaves SIGHUP alone if
// nohup has the process ignore it.
func notifyStop(c chan<- os.Signal) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
}
