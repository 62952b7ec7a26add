//go:build unix

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRunLeavesNoGoroutine, however it ends: what is left is found by TestMain.
// The daemon runs in this process, over a gh that knows of one issue, whose
// session ends when its handler does.
func TestRunLeavesNoGoroutine(t *testing.T) {
	for name, tt := range map[string]struct {
		run  []string
		stop bool
	}{
		"one cycle":             {run: []string{"--once"}},
		"so many cycles":        {run: []string{"--cycles", "3", "--interval", "1ms"}},
		"until it is stopped":   {run: []string{"--interval", "1ms"}, stop: true},
		"stopped while waiting": {run: []string{"--interval", "1h"}, stop: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newDaemonStage(t)
			ended := make(chan int)
			var errors bytes.Buffer // read after the end
			go func() {
				ended <- Main(append(s.flags(), append([]string{"run"}, tt.run...)...), strings.NewReader(""), &bytes.Buffer{}, &errors)
			}()
			if tt.stop {
				s.await(t, "poll.cycle")
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			}
			if code := <-ended; code != 0 {
				t.Errorf("exit code %d\n%s", code, &errors)
			}
			s.await(t, "session.spawned")
		})
	}
}

// daemonStage is a folder with a configuration and a gh.
type daemonStage struct{ dir string }

func newDaemonStage(t *testing.T) daemonStage {
	t.Helper()
	s := daemonStage{t.TempDir()}
	s.write(t, "gh", 0o700, `#!/bin/sh
case "$1 $2" in
"issue list") echo '[{"number":1,"title":"One","labels":[{"name":"the-loop"}],"updatedAt":"2026-01-01T00:00:00Z","url":"https://github.com/octo/a/issues/1","author":{"login":"octocat"}}]' ;;
"issue view") echo '{"comments":[]}' ;;
"api --hostname") echo '{"login":"octocat","number":1,"state":"open","html_url":"https://github.com/octo/a/issues/1"}' ;;
*) echo '[]' ;;
esac
`)
	s.write(t, "config.yaml", 0o600, `
polling:
  pace: false
  sources:
    - {provider: github, repos: [octo/a], ghBinary: `+filepath.Join(s.dir, "gh")+`}
routing:
  handlers: {spawn: [cat]}
`)
	return s
}

func (s daemonStage) write(t *testing.T, name string, mode os.FileMode, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func (s daemonStage) flags() []string {
	return []string{"the-loop", "--config", filepath.Join(s.dir, "config.yaml"), "--state-root", filepath.Join(s.dir, "state")}
}

// await waits until the event log has an event.
func (s daemonStage) await(t *testing.T, event string) {
	t.Helper()
	end := time.After(30 * time.Second)
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
