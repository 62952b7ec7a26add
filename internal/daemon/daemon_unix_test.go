//go:build unix

package daemon

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/config"
	"the-loop/internal/fakegh"
	"the-loop/internal/runlock"
)

// TestRunLeavesNoGoroutine, however the run ends; TestMain finds leaked ones. The
// gh of this test lists one issue, and the handler ends at once.
func TestRunLeavesNoGoroutine(t *testing.T) {
	for name, tt := range map[string]struct {
		cycles   int
		interval time.Duration
		stop     bool
	}{
		"one cycle":             {cycles: 1},
		"so many cycles":        {cycles: 3, interval: time.Millisecond},
		"until it is stopped":   {interval: time.Millisecond, stop: true},
		"stopped while waiting": {interval: time.Hour, stop: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newDaemonStage(t)
			o := s.options(t, tt.interval)
			o.Cycles = tt.cycles
			ended := make(chan error)
			go func() {
				_, err := Run(t.Context(), o)
				ended <- err
			}()
			if tt.stop {
				s.await(t, "poll.cycle")
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			s.await(t, "session.spawned")
		})
	}
}

// Two listings, of issues and of pull requests, fail in each of two cycles.
func TestOutcomeCountsEveryCycle(t *testing.T) {
	s := newDaemonStage(t)
	s.write(t, "script", "* list octo/a: 502")
	o := s.options(t, time.Millisecond)
	o.Cycles = 2
	got, err := Run(t.Context(), o)
	if want := (Outcome{Failed: 4}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestRunIsRefusedWhereAnotherOneRuns(t *testing.T) {
	s := newDaemonStage(t)
	o := s.options(t, time.Hour)
	first, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	_, err = Run(t.Context(), o)
	if held := (*runlock.HeldError)(nil); !errors.As(err, &held) {
		t.Errorf("got %v, want a HeldError", err)
	}
	s.await(t, "poller.blocked")
}

// daemonStage is a folder with a configuration and the script of a gh.
type daemonStage struct{ dir string }

func newDaemonStage(t *testing.T) daemonStage {
	t.Helper()
	s := daemonStage{t.TempDir()}
	t.Setenv(fakegh.DirVariable, s.dir)
	program, err := os.Executable()
	if err == nil {
		err = os.Symlink(program, filepath.Join(s.dir, "gh"))
	}
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "script", `issue list octo/a: #1
pr list octo/a: []
issue view octo/a#1: none
api user github.com: octocat
`)
	s.write(t, "config.yaml", `
polling:
  pace: false
  sources:
    - {provider: github, repos: [octo/a], ghBinary: `+filepath.Join(s.dir, "gh")+`}
routing:
  handlers: {spawn: [cat]}
`)
	return s
}

func (s daemonStage) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// options returns the options of a daemon. An interval of 0 keeps the configured
// one.
func (s daemonStage) options(t *testing.T, interval time.Duration) Options {
	t.Helper()
	load := config.Options{File: filepath.Join(s.dir, "config.yaml"), Explicit: true, Getenv: os.Getenv}
	load.Overrides.StateRoot = filepath.Join(s.dir, "state")
	if interval > 0 {
		load.Overrides.Interval = &interval
	}
	cfg, err := config.Load(load)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Config: cfg, Load: load, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), LogError: func() string { return "" },
	}
}

// await waits until the event log holds an event.
func (s daemonStage) await(t *testing.T, event string) {
	t.Helper()
	end := time.After(2 * time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		text, _ := os.ReadFile(filepath.Join(s.dir, "state", "events.jsonl"))
		if bytes.Contains(text, []byte(`"event":"`+event+`"`)) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("no %s in the event log:\n%s", event, text)
		}
	}
}
