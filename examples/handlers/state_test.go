//go:build unix

package handlers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/fakegh"
)

// wrap runs a wrapper for the events in turn, around a handler that keeps its stdin. It
// returns gh's changes, the output and the last exit code. answer is the scripted gh's
// answer to each call.
func wrap(t *testing.T, dir, script, handler, answer string, events ...string) (sent []string, printed string, code int) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("state", script))
	if err != nil {
		t.Fatal(err)
	}
	lines := "api POST ghe.example.com/octo/a/*: " + answer + "\napi DELETE ghe.example.com/octo/a/*: " + answer
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		cmd := exec.Command(path, "sh", "-c", handler)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader("the event\n")
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), fakegh.DirVariable + "=" + dir, "THE_LOOP_EVENT=" + event, "THE_LOOP_HOST=ghe.example.com",
			"THE_LOOP_OWNER=octo", "THE_LOOP_REPO=a", "THE_LOOP_NUMBER=7",
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		printed, code = printed+string(out), cmd.ProcessState.ExitCode()
	}
	text, _ := os.ReadFile(filepath.Join(dir, "sent.log"))
	return strings.Split(strings.TrimSpace(string(text)), "\n"), printed, code
}

func wrappers() map[string][]string {
	return map[string][]string{
		"label.sh": {
			`POST ghe.example.com/octo/a/issues/7/labels {"labels":["working"]}`,
			`POST ghe.example.com/octo/a/issues/7/labels {"labels":["done"]}`,
			`DELETE ghe.example.com/octo/a/issues/7/labels/working`,
		},
		"reaction.sh": {
			`POST ghe.example.com/octo/a/issues/7/reactions content=eyes`,
			`POST ghe.example.com/octo/a/issues/7/reactions content=rocket`,
			`POST ghe.example.com/octo/a/issues/7/reactions content=eyes`,
			`DELETE ghe.example.com/octo/a/issues/7/reactions/41`,
		},
	}
}

// A wrapper shows the state at the start and replaces it at the end. A comment changes
// nothing. The handler gets the event.
func TestWrappersShowTheState(t *testing.T) {
	for script, want := range wrappers() {
		dir := t.TempDir()
		sent, printed, code := wrap(t, dir, script, "cat >>stdin", `{"id":41}`, "spawn", "comment", "close")
		if diff := cmp.Diff(want, sent); diff != "" || code != 0 || printed != "" {
			t.Errorf("%s: exit code %d, printed %q, sent (-want +got):\n%s", script, code, printed, diff)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "stdin")); string(got) != strings.Repeat("the event\n", 3) {
			t.Errorf("%s: the handler got %q", script, got)
		}
	}
}

// The handler alone decides the result of a delivery: if it fails, the wrapper shows
// nothing; if gh fails, the wrapper makes the delivery all the same.
func TestWrappersDecideNothing(t *testing.T) {
	for script := range wrappers() {
		if sent, _, code := wrap(t, t.TempDir(), script, "exit 75", "{}", "spawn"); code != 75 || !slices.Equal(sent, []string{""}) {
			t.Errorf("%s: exit code %d and sent %q around a handler that exits with 75", script, code, sent)
		}
		if _, printed, code := wrap(t, t.TempDir(), script, "exit 0", "502", "spawn", "close"); code != 0 || !strings.Contains(printed, "could not be added") {
			t.Errorf("%s: exit code %d while gh fails, printed %q", script, code, printed)
		}
	}
}
