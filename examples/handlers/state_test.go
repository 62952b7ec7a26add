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
)

// standInGH is a gh that knows the calls of the wrappers and no others. It writes
// each to "calls", and fails while there is a file "down".
const standInGH = `#!/bin/sh
[ "$1 $2 $3 $4" = "api --hostname ghe.example.com --method" ] || { echo "unexpected: gh $*" >&2; exit 1; }
shift 4
body=
case " $* " in *" --input - "*) body=" $(cat)" ;; esac
echo "$*$body" >>calls
[ ! -e down ] || { echo "HTTP 502" >&2; exit 1; }
case " $* " in *" --jq .id "*) echo 41 ;; esac
`

// wrap runs a wrapper for the events in turn, around a handler that keeps its stdin,
// and returns the calls of gh, what was printed, and the last exit code.
func wrap(t *testing.T, dir, script, handler string, events ...string) (calls []string, printed string, code int) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("state", script))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(standInGH), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		cmd := exec.Command(path, "sh", "-c", handler)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader("the event\n")
		cmd.Env = []string{
			"PATH=" + dir + ":" + os.Getenv("PATH"), "THE_LOOP_EVENT=" + event, "THE_LOOP_HOST=ghe.example.com",
			"THE_LOOP_OWNER=octo", "THE_LOOP_REPO=a", "THE_LOOP_NUMBER=7",
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		printed, code = printed+string(out), cmd.ProcessState.ExitCode()
	}
	text, _ := os.ReadFile(filepath.Join(dir, "calls"))
	return strings.Split(strings.TrimSpace(string(text)), "\n"), printed, code
}

func wrappers() map[string][]string {
	return map[string][]string{
		"label.sh": {
			`POST --silent --input - repos/octo/a/issues/7/labels {"labels":["working"]}`,
			`POST --silent --input - repos/octo/a/issues/7/labels {"labels":["done"]}`,
			`DELETE --silent repos/octo/a/issues/7/labels/working`,
		},
		"reaction.sh": {
			`POST --jq .id -f content=eyes repos/octo/a/issues/7/reactions`,
			`POST --jq .id -f content=rocket repos/octo/a/issues/7/reactions`,
			`POST --jq .id -f content=eyes repos/octo/a/issues/7/reactions`,
			`DELETE --silent repos/octo/a/issues/7/reactions/41`,
		},
	}
}

// The state is shown at the start and swapped at the end; a comment changes nothing,
// and the handler has the event.
func TestWrappersShowTheState(t *testing.T) {
	for script, want := range wrappers() {
		dir := t.TempDir()
		calls, printed, code := wrap(t, dir, script, "cat >>stdin", "spawn", "comment", "close")
		if diff := cmp.Diff(want, calls); diff != "" || code != 0 || printed != "" {
			t.Errorf("%s: exit code %d, printed %q, calls (-want +got):\n%s", script, code, printed, diff)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "stdin")); string(got) != strings.Repeat("the event\n", 3) {
			t.Errorf("%s: the handler got %q", script, got)
		}
	}
}

// The handler alone decides how a delivery ends: where it does not succeed, nothing is
// shown, and where gh fails, the delivery is made nevertheless.
func TestWrappersDecideNothing(t *testing.T) {
	for script := range wrappers() {
		if calls, _, code := wrap(t, t.TempDir(), script, "exit 75", "spawn"); code != 75 || !slices.Equal(calls, []string{""}) {
			t.Errorf("%s: exit code %d and calls %q around a handler that exits with 75", script, code, calls)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "down"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, printed, code := wrap(t, dir, script, "exit 0", "spawn", "close"); code != 0 || !strings.Contains(printed, "could not be added") {
			t.Errorf("%s: exit code %d while gh fails, printed %q", script, code, printed)
		}
	}
}
