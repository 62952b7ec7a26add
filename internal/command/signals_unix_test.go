//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/daemon"
)

func raise(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

func TestAttended(t *testing.T) {
	abandoned := errors.New("abandoned")
	for name, tt := range map[string]struct {
		patience time.Duration
		raised   []syscall.Signal
		hangs    bool // on an output that is never read
		want     error
	}{
		"SIGTERM":                         {time.Hour, []syscall.Signal{syscall.SIGTERM}, false, context.Canceled},
		"SIGINT":                          {time.Hour, []syscall.Signal{syscall.SIGINT}, false, context.Canceled},
		"SIGHUP":                          {time.Hour, []syscall.Signal{syscall.SIGHUP}, false, context.Canceled},
		"SIGPIPE":                         {time.Hour, []syscall.Signal{syscall.SIGPIPE}, false, errOutputClosed},
		"SIGTERM while it hangs":          {time.Millisecond, []syscall.Signal{syscall.SIGTERM}, true, abandoned},
		"a second signal while it hangs":  {time.Hour, []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}, true, daemon.ErrSecondSignal},
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
