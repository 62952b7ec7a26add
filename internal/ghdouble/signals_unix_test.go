//go:build unix

package ghdouble_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"the-loop/internal/ghdouble"
)

// TestSignals stops a gh that waits for an answer.
func TestSignals(t *testing.T) {
	t.Parallel()
	// Under nohup the tests ignore a hangup, and gh would inherit that.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := ghdouble.Start(t)
			s.Fail(ghdouble.Match{}, ghdouble.Fault{Name: "hang", GraphQL: ghdouble.Reply{Wire: ghdouble.Hang}})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, ghdouble.RealGH(t), "issue", "list", "--repo", "octo/a", "--json", "number")
			cmd.Env = append(os.Environ(), s.Env()...)
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			awaitErr := s.Await(ctx, ghdouble.Match{}, 1)
			if err := cmd.Process.Signal(sig); err != nil {
				t.Error(err)
			}
			waitErr := cmd.Wait()
			if awaitErr != nil || waitErr == nil || ctx.Err() != nil {
				t.Errorf("request %v, end %v, context %v", awaitErr, waitErr, ctx.Err())
			}
			if output.Len() > 0 {
				t.Errorf("gh left %q", output.String())
			}
		})
	}
}
