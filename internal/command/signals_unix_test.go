//go:build unix

package command

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/config"
)

func raise(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// TestSignalsBeforeTheDaemonIsOpen: a signal that comes while the records are
// read neither kills the daemon nor is forgotten.
func TestSignalsBeforeTheDaemonIsOpen(t *testing.T) {
	s := newDaemonStage(t)
	load := config.Options{File: s.flags()[2], Explicit: true, Getenv: os.Getenv}
	load.Overrides.StateRoot = s.flags()[4]
	cfg, err := config.Load(load)
	if err != nil {
		t.Fatal(err)
	}
	open := func() (*daemon, error) {
		raise(t, syscall.SIGHUP)
		raise(t, syscall.SIGTERM)
		return openDaemon(cfg, load, slog.New(slog.DiscardHandler))
	}
	if err := supervise(t.Context(), open, runOptions{}); err != nil {
		t.Errorf("got %v, want an orderly end", err)
	}
	s.await(t, "poller.stopped")
}

// TestSecondSignalBeforeTheDaemonIsOpen does not wait for the opening.
func TestSecondSignalBeforeTheDaemonIsOpen(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	open := func() (*daemon, error) {
		raise(t, syscall.SIGTERM)
		raise(t, syscall.SIGINT)
		<-release
		return nil, errors.New("never opened")
	}
	if err := supervise(t.Context(), open, runOptions{}); !errors.Is(err, errSecondSignal) {
		t.Errorf("got %v, want %v", err, errSecondSignal)
	}
}

func TestAttended(t *testing.T) {
	abandoned := errors.New("abandoned")
	for name, tt := range map[string]struct {
		patience time.Duration
		raised   []syscall.Signal
		hangs    bool // in an output that nobody reads
		want     error
	}{
		"SIGTERM":                         {time.Hour, []syscall.Signal{syscall.SIGTERM}, false, context.Canceled},
		"SIGINT":                          {time.Hour, []syscall.Signal{syscall.SIGINT}, false, context.Canceled},
		"SIGHUP":                          {time.Hour, []syscall.Signal{syscall.SIGHUP}, false, context.Canceled},
		"SIGPIPE":                         {time.Hour, []syscall.Signal{syscall.SIGPIPE}, false, errOutputClosed},
		"SIGTERM while it hangs":          {time.Millisecond, []syscall.Signal{syscall.SIGTERM}, true, abandoned},
		"a second signal while it hangs":  {time.Hour, []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}, true, errSecondSignal},
		"the output closed as it hangs":   {time.Millisecond, []syscall.Signal{syscall.SIGPIPE}, true, abandoned},
		"no signal at all, and its error": {time.Hour, nil, false, os.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			got := attended(t.Context(), tt.patience, abandoned, func(ctx context.Context) error {
				for _, s := range tt.raised {
					raise(t, s)
				}
				switch {
				case len(tt.raised) == 0:
					return os.ErrClosed
				case tt.hangs:
					<-release
				}
				<-ctx.Done()
				return ctx.Err()
			})
			if !errors.Is(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
