//go:build unix

package daemon

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

func raise(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// TestSignalsBeforeTheDaemonIsOpen: a signal that arrives while the daemon reads
// the records neither kills it nor gets lost.
func TestSignalsBeforeTheDaemonIsOpen(t *testing.T) {
	s := newDaemonStage(t)
	o := s.options(t, 0)
	opening := func() (*daemon, error) {
		raise(t, syscall.SIGHUP)
		raise(t, syscall.SIGTERM)
		return open(o)
	}
	if _, err := supervise(t.Context(), opening); err != nil {
		t.Errorf("got %v, want an orderly end", err)
	}
	s.await(t, "poller.stopped")
}

// TestSecondSignalBeforeTheDaemonIsOpen: the process ends without waiting for the
// daemon to open.
func TestSecondSignalBeforeTheDaemonIsOpen(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	opening := func() (*daemon, error) {
		raise(t, syscall.SIGTERM)
		raise(t, syscall.SIGINT)
		<-release
		return nil, errors.New("never opened")
	}
	if _, err := supervise(t.Context(), opening); !errors.Is(err, ErrSecondSignal) {
		t.Errorf("got %v, want %v", err, ErrSecondSignal)
	}
}
