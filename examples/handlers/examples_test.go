//go:build unix

// Package handlers_test holds the examples to what they say: the tmux example
// runs in the real tmux under the real daemon, with the configuration of the
// README, and the recipes of the README run over stand-ins for their tools that
// know those tools' flags and no others.
//
// It imports internal/command to be the daemon, and what it needs to read the
// README as the daemon would.
package handlers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/command"
	"the-loop/internal/fakegh"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"the-loop":    func() { os.Exit(command.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
		"gh":          func() { os.Exit(fakegh.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"agent":       agent,
		"agent-inbox": func() { os.Exit(inbox(os.Args[1:])) },
		"kubectl":     func() { os.Exit(kubectl(os.Args[1:])) },
		"nomad":       func() { os.Exit(nomad(os.Args[1:])) },
		"systemctl":   func() { os.Exit(systemctl(os.Args[1:])) },
		"systemd-run": func() { os.Exit(systemdRun(os.Args[1:])) },
	})
}

// TestScript runs the tmux example from spawn to close.
func TestScript(t *testing.T) {
	needTools(t, "tmux", "git")
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				fakegh.DirVariable:    "gh",
				agentDir:              "agent",
				"THE_LOOP_CONFIG":     "config.yaml",
				"THE_LOOP_STATE_ROOT": "state",
			} {
				env.Setenv(name, filepath.Join(env.WorkDir, value))
			}
			env.Setenv("GORACE", "atexit_sleep_ms=0") // under -race each call of gh would take a second
			env.Setenv("TMUX_TMPDIR", ownTmux(t))
			return configure(t, env.WorkDir)
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"waitfor": waitFor},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// configure completes config.yaml with what the README says about tmux, put in
// the places of the test.
func configure(t *testing.T, work string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	block := strings.NewReplacer(
		"/usr/local/lib/the-loop", here,
		"/srv/src", filepath.Join(work, "src"),
	).Replace(recipe(t, "tmux/session.sh"))
	f, err := os.OpenFile(filepath.Join(work, "config.yaml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(block)
	return err
}

// needTools skips the test where a tool is missing, unless everything has to
// be tested.
func needTools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("THE_LOOP_REQUIRE_GH") != "" {
			t.Fatalf("%s is not installed, and THE_LOOP_REQUIRE_GH asks for every test", name)
		}
		t.Skipf("%s is not installed", name)
	}
}

// ownTmux is a folder for the sockets of tmux servers, none of which outlives
// the test. Its path is short: a socket's cannot be long.
func ownTmux(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "loop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill := exec.Command("tmux", "-L", "the-loop", "kill-server")
		kill.Env = append(os.Environ(), "TMUX_TMPDIR="+dir)
		kill.Run() // it fails when there is none, as it should be
		os.RemoveAll(dir)
	})
	return dir
}

// deadline bounds every wait: it is reached only by a failure.
const deadline = 2 * time.Minute

// waitFor waits until a file holds a match: waitfor FILE PATTERN.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE PATTERN")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(until(func() (bool, string) {
		text, err := os.ReadFile(name)
		return err == nil && pattern.Match(text), fmt.Sprintf("%q in %s, which holds:\n%s", args[1], args[0], text)
	}))
}

// until asks again and again, but not for ever. What it waits for is said by
// what it asks.
func until(done func() (bool, string)) error {
	end := time.After(deadline)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, what := done()
		if ok {
			return nil
		}
		select {
		case <-tick.C:
		case <-end:
			return fmt.Errorf("waited %s in vain for %s", deadline, what)
		}
	}
}
