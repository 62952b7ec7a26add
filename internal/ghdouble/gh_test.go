package ghdouble_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"the-loop/internal/ghdouble"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long gh may take on a loaded machine.
const patience = time.Minute

// run is the result of one gh.
type run struct {
	exit           int
	stdout, stderr string
}

// gh runs the real gh against the double. The variables in env come last.
func gh(ctx context.Context, t *testing.T, s *ghdouble.Server, env []string, args ...string) run {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, ghdouble.RealGH(t), args...)
	cmd.Env = append(append(os.Environ(), s.Env()...), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatalf("gh %s did not end within %v", strings.Join(args, " "), patience)
	}
	return run{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// ok runs gh and expects success and an empty stderr.
func ok(t *testing.T, s *ghdouble.Server, args ...string) string {
	t.Helper()
	got := gh(t.Context(), t, s, nil, args...)
	if got.exit != 0 || got.stderr != "" {
		t.Fatalf("gh %s: exit %d, stderr %q", strings.Join(args, " "), got.exit, got.stderr)
	}
	return got.stdout
}

// decode reads all JSON values of an output.
func decode[T any](t *testing.T, output string) []T {
	t.Helper()
	var all []T
	for dec := json.NewDecoder(strings.NewReader(output)); ; {
		var value T
		switch err := dec.Decode(&value); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatalf("%v in %.300q", err, output)
		}
		all = append(all, value)
	}
}

// one reads an output of exactly one JSON value.
func one[T any](t *testing.T, output string) T {
	t.Helper()
	all := decode[T](t, output)
	if len(all) != 1 {
		t.Fatalf("%d JSON values, want 1: %.300q", len(all), output)
	}
	return all[0]
}
