//go:build unix

// Package handlers_test tests the examples as their pages describe them. The tmux example
// runs in the real tmux under the real daemon, with the configuration of the README. The
// README's recipes run over stand-ins for their tools, which know only flags that the
// real tools have.
//
// It imports internal/command to run the daemon, and the packages that read the README
// as the daemon would.
package handlers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/command"
	"the-loop/internal/fakegh"
	"the-loop/internal/scripttest"
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
			env.Setenv("GORACE", "atexit_sleep_ms=0") // under -race each call of gh would take a second longer
			env.Setenv("TMUX_TMPDIR", ownTmux(t))
			return configure(t, env.WorkDir)
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"waitfor": scripttest.Commands()["waitfor"]},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// configure completes config.yaml with the README's settings for tmux, adapted to the
// paths of the test.
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

// needTools skips the test if a tool is missing, unless every test must run.
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

// ownTmux returns a folder for the sockets of tmux servers and stops the servers at the
// end of the test. Its path is short, since a socket's path must be.
func ownTmux(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "loop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill := exec.Command("tmux", "-L", "the-loop", "kill-server")
		kill.Env = append(os.Environ(), "TMUX_TMPDIR="+dir)
		kill.Run() // fails when no server runs, as it should be
		os.RemoveAll(dir)
	})
	return dir
}
