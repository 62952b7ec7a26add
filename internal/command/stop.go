package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/runlock"
)

func (a *app) stopCommand() *cli.Command {
	return &cli.Command{
		Name:  "stop",
		Usage: "ask the running poller to stop and wait until it has",
		Description: "Sends SIGTERM to the process that holds the lock and waits until the lock is free.\n" +
			"If it is already stopping, the command only waits. A poller on another machine or in\n" +
			"another container that shares the state root is left alone.",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "timeout", Value: 30 * time.Second, Usage: "wait for at most `D`"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if c.Duration("timeout") <= 0 {
				return usage{text: fmt.Sprintf("--timeout must be longer than 0s, got %s", c.Duration("timeout"))}
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return a.stop(c.Context, filepath.Join(root, runlock.FileName), c.Duration("timeout"))
		},
	}
}

func (a *app) stop(ctx context.Context, lock string, timeout time.Duration) error {
	state, err := runlock.Probe(lock)
	if err != nil {
		return err
	}
	if !state.Held {
		fmt.Fprintln(a.stdout, "the poller is not running")
		return nil
	}
	if !state.Stopping {
		if err := askHolder(lock, state); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := awaitFree(ctx, lock, state.PID); err != nil {
		if ctx.Err() == nil {
			return err
		}
		return hinted{
			fmt.Errorf("the poller (pid %d) is still running after %s", state.PID, timeout),
			fmt.Sprintf("it may be waiting for a handler: try again with a longer --timeout, or 'kill %d' once more to end it at once", state.PID),
		}
	}
	fmt.Fprintf(a.stdout, "stopped the poller (pid %d)\n", state.PID)
	return nil
}

// errElsewhere is the refusal to signal a holder that is not proven to be a process
// of this system: its pid may belong to another process here.
var errElsewhere = errors.New("the daemon that holds this state root is not of this machine or container: stop it there")

// askHolder signals the process that holds the lock. It takes a handle on the
// process first, where the system has such handles, and checks the lock again
// after that, so that a reused pid cannot mislead it.
func askHolder(lock string, state runlock.State) error {
	if !state.Proven {
		return errElsewhere
	}
	process, err := os.FindProcess(state.PID)
	if err != nil {
		return fmt.Errorf("asking pid %d to stop: %w", state.PID, err)
	}
	defer process.Release()
	now, err := runlock.Probe(lock)
	switch {
	case err != nil:
		return err
	case !now.Held || now.Stopping:
		return nil // it is stopping already, or has stopped
	case !now.Proven || now.PID != state.PID:
		return errElsewhere
	}
	if err := requestStop(process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("asking pid %d to stop: %w", state.PID, err)
	}
	return nil
}

// awaitFree returns when the process no longer holds the lock: the lock is free, or
// another process holds it.
func awaitFree(ctx context.Context, lock string, pid int) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		state, err := runlock.Probe(lock)
		if err != nil {
			return err
		}
		if !state.Held || (state.PID != 0 && state.PID != pid) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
