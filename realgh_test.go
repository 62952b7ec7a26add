//go:build unix

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/ghdouble"
)

// TestRealGH runs the scenarios of testdata/realgh. In them gh is the real one,
// and what it talks to is a double of GitHub's API, one for each scenario, which
// the command "ghdouble" changes.
func TestRealGH(t *testing.T) {
	gh := realGH(t)
	commands := scriptCommands()
	delete(commands, "calls") // is about the scripted gh
	maps.Copy(commands, map[string]func(*testscript.TestScript, bool, []string){"ghdouble": changeDouble})
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "realgh"),
		Setup:               func(env *testscript.Env) error { return setupRealGH(env, gh) },
		Cmds:                commands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
	})
}

// realGH is the real gh's path; the gh that stands first on PATH is the
// scripted one.
func realGH(t *testing.T) string {
	t.Helper()
	scripted, err := exec.LookPath("gh")
	if err != nil {
		t.Fatal(err)
	}
	return ghdouble.RealGH(t, filepath.Dir(scripted))
}

// setupRealGH starts a double and puts the real gh first on the scenario's PATH.
func setupRealGH(env *testscript.Env, gh string) error {
	s, err := ghdouble.New()
	if err != nil {
		return err
	}
	env.Defer(func() {
		if err := s.Close(); err != nil {
			env.T().Log(err)
		}
	})
	env.Values[doubleKey{}] = s
	for _, variable := range s.Env() {
		name, value, _ := strings.Cut(variable, "=")
		env.Setenv(name, value)
	}
	bin := filepath.Join(env.WorkDir, ".bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	if err := os.Symlink(gh, filepath.Join(bin, "gh")); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	for name, value := range map[string]string{
		"THE_LOOP_STATE_ROOT": "state", "XDG_CONFIG_HOME": "config", handlerDir: "handler",
	} {
		env.Setenv(name, filepath.Join(env.WorkDir, value))
	}
	return nil
}

// doubleKey is where a scenario keeps its double.
type doubleKey struct{}

// changeDouble changes the scenario's double, or asks it:
//
//	ghdouble load FILE         the world, or a part of it
//	ghdouble count N [MATCH]   exactly N requests so far match
//	ghdouble COMMAND …         see ghdouble.Server.Command
func changeDouble(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := ts.Value(doubleKey{}).(*ghdouble.Server)
	if neg || len(args) == 0 || !ok {
		ts.Fatalf("usage: ghdouble COMMAND …")
	}
	switch {
	case args[0] == "load" && len(args) == 2:
		ts.Check(s.LoadJSON([]byte(ts.ReadFile(args[1]))))
	case args[0] == "count" && len(args) > 1:
		got, err := s.Command(append([]string{"count"}, args[2:]...)...)
		ts.Check(err)
		if got = strings.TrimSpace(got); got != args[1] {
			log, err := s.Command(append([]string{"requests"}, args[2:]...)...)
			ts.Check(err)
			ts.Fatalf("%s requests, want %s:\n%s", got, args[1], log)
		}
	default:
		out, err := s.Command(args...)
		ts.Check(err)
		ts.Logf("%s", out)
	}
}
