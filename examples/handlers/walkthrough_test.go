//go:build unix

package handlers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/ghdouble"
	"the-loop/internal/scripttest"
)

// TestRealGHWalkthrough runs docs/walkthrough.md over the real gh.
func TestRealGHWalkthrough(t *testing.T) {
	needTools(t, "tmux", "git")
	scripted, err := exec.LookPath("gh")
	if err != nil {
		t.Fatal(err)
	}
	gh := ghdouble.RealGH(t, filepath.Dir(scripted))
	s := ghdouble.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "walkthrough"),
		Setup: func(env *testscript.Env) error {
			for _, variable := range s.Env() {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			for name, value := range map[string]string{
				"THE_LOOP_CONFIG": filepath.Join(env.WorkDir, "config.yaml"), "THE_LOOP_STATE_ROOT": filepath.Join(env.WorkDir, "state"),
				"GIT_AUTHOR_NAME": "octo", "GIT_AUTHOR_EMAIL": "octo@example.com",
				"GIT_COMMITTER_NAME": "octo", "GIT_COMMITTER_EMAIL": "octo@example.com",
				"TMUX_TMPDIR": ownTmux(t), "GORACE": "atexit_sleep_ms=0",
			} {
				env.Setenv(name, value)
			}
			return walkthrough(env, gh)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waitfor": scripttest.Commands()["waitfor"],
			"ghdouble": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 || args[0] != "load" {
					ts.Fatalf("usage: ghdouble load FILE")
				}
				ts.Check(s.LoadJSON([]byte(ts.ReadFile(args[1]))))
			},
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// walkthrough copies the page's files to the scenario's places and puts the real gh first
// on its PATH.
func walkthrough(env *testscript.Env, gh string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	page, err := os.ReadFile("../../docs/walkthrough.md")
	if err != nil {
		return err
	}
	if err := scripttest.FirstOnPath(env, "gh", gh); err != nil {
		return err
	}
	places := strings.NewReplacer("/usr/local/lib/the-loop", here, "/srv/", env.WorkDir+"/",
		"polling:\n", "polling:\n  pace: false\n") // the test's short interval would use up the quota
	for language, file := range map[string]string{"sh": "agent.sh", "yaml": "config.yaml", "text": "done"} {
		m := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindSubmatch(page)
		if m == nil {
			return fmt.Errorf("docs/walkthrough.md has no block of %s", language)
		}
		if err := os.WriteFile(filepath.Join(env.WorkDir, file), []byte(places.Replace(string(m[1]))), 0o700); err != nil {
			return err
		}
	}
	return nil
}
