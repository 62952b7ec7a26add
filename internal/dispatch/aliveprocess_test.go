//go:build unix

package dispatch

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/session"
)

func TestAnswersOfAliveHandlers(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   Answer
	}{{"exit 0", Lives}, {"exit 1", Gone}, {"exit 75", Unknown}, {"kill -9 $$", Unknown}, {"read x", Gone}} {
		d := New(Options{StateRoot: t.TempDir()})
		got := make(chan Answer, 1)
		d.Ask(session.Target{Session: "a"}, handlerOf(t, "/bin/sh", "-c", tt.script), func(a Answer, _ string) { got <- a })
		if a := <-got; a != tt.want {
			t.Errorf("%q: answer = %d, want %d", tt.script, a, tt.want)
		}
		d.Stop(t.Context())
	}
	d := New(Options{StateRoot: t.TempDir()})
	reasons := make(chan string, 1)
	d.Ask(session.Target{Session: "a"}, handlerOf(t, "/no/such"), func(_ Answer, reason string) { reasons <- reason })
	if reason := <-reasons; reason == "" {
		t.Error("a handler that cannot be run gives no reason")
	}
	d.Stop(t.Context())
}

// TestAliveHandlerIsKilled: at its timeout and at a stop the whole group goes, and
// what a handler leaves behind goes with its end.
func TestAliveHandlerIsKilled(t *testing.T) {
	const child = "sleep 100 & echo $! >pid; "
	for _, tt := range []struct {
		name, script string
		timeout      time.Duration
		stop         bool
		reason       string
	}{
		{name: "timeout", script: child + "wait", timeout: 2 * time.Second, reason: "timed out after 2s"},
		{name: "stop", script: child + "wait", stop: true},
		{name: "end", script: child + "exit 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			pidFile := filepath.Join(dir, "pid")
			d := New(Options{StateRoot: dir, AskTimeout: tt.timeout})
			got := make(chan string, 1)
			d.Ask(session.Target{Session: "a"}, handlerOf(t, "/bin/sh", "-c", "cd '"+dir+"'; "+tt.script),
				func(_ Answer, reason string) { got <- reason })
			pid := readPid(t, pidFile)
			if !tt.stop {
				if reason := <-got; reason != tt.reason {
					t.Errorf("reason = %q, want %q", reason, tt.reason)
				}
			}
			d.Stop(t.Context())
			waitGone(t, pid)
		})
	}
}

func readPid(t *testing.T, path string) int {
	t.Helper()
	for {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		<-time.After(time.Millisecond)
	}
}

// waitGone ends when the process has: the test's own deadline bounds it.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for syscall.Kill(pid, 0) == nil {
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return // it ended, and init has not looked yet
		}
		<-time.After(time.Millisecond)
	}
}
