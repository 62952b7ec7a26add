//go:build unix

package gh

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTimeoutKillsTheWholeGroup(t *testing.T) {
	f := newFake(t, `trap "" TERM INT HUP; exec 3>"$D/alive"; sleep 600 & (sleep 600 & sleep 600) & echo '[]'; wait`)
	f.timeout = time.Second
	alive, err := os.OpenFile(f.fifo("alive"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()

	_, err = f.issues()
	wantText(t, err, "gh issue timed out after 1s")
	var e *Error
	if !errors.As(err, &e) || !e.Timeout || e.Class != Transient || e.ExitCode != 0 {
		t.Errorf("error = %+v, want a transient timeout", e)
	}
	wantAllDead(t, alive)
}

func TestTimeoutDoesNotWaitForTheOutput(t *testing.T) {
	f := newFake(t, setsid(t, "false")+`echo '[]'; exec sleep 600`)
	f.timeout = time.Second
	f.killLater("pid")
	_, err := f.issues() // the hour of the drain would not pass
	wantText(t, err, "gh issue timed out after 1s")
}

// setsid begins a script: a process that has left the group, so that no signal
// to the group can reach it, holds the output. Once condition is false it
// writes a line to the named pipe "ready". Its id is in the file "pid".
func setsid(t *testing.T, condition string) string {
	t.Helper()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this system")
	}
	return `mkfifo "$D/left"
		setsid sh -c 'echo $$ >"$1/pid"; echo >"$1/left"
			while ` + condition + `; do :; done; echo ready >"$1/ready"; exec sleep 600' sh "$D" $$ 3>&- &
		read line <"$D/left"
	`
}

func TestCancelIsPrompt(t *testing.T) {
	tests := []struct {
		name, script string
	}{
		{"gh ignores every signal", `trap "" TERM INT HUP; echo ready >"$D/ready"; sleep 600 & sleep 600`},
		{"a process left the group", setsid(t, "false") + `sleep 600`},
		{"gh has exited, a process that left the group holds the output",
			setsid(t, `kill -0 "$2" 2>/dev/null`) + `echo '[]'; echo $$ >"$D/leader"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, `exec 3>"$D/alive"; `+tt.script)
			if strings.Contains(tt.script, "setsid") {
				f.killLater("pid")
			}
			alive, err := os.OpenFile(f.fifo("alive"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer alive.Close()
			ready := f.fifo("ready")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error)
			go func() {
				_, _, err := f.Issues(ctx, repo, Filter{})
				ended <- err
			}()
			r, err := os.Open(ready) // until the script opens it
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if _, err := bufio.NewReader(r).ReadString('\n'); err != nil {
				t.Fatal(err)
			}

			cancel()
			err = <-ended // an hour's wait would not pass
			wantText(t, err, "gh issue was interrupted: context canceled")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v is not context.Canceled", err)
			}
			if got := ClassOf(err); got != Transient {
				t.Errorf("class = %v, want %v", got, Transient)
			}
			wantAllDead(t, alive)
		})
	}
}

func TestEndedContextStartsNothing(t *testing.T) {
	f := newFake(t, `: >"$D/started"`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := f.Issues(ctx, repo, Filter{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
	if _, err := os.Stat(f.dir + "/started"); err == nil {
		t.Error("gh was started")
	}
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, _, err = f.Issues(expired, repo, Filter{})
	wantText(t, err, "gh issue was interrupted: context deadline exceeded")
}

// A child that gh leaves behind with its output is killed, and the answer
// counts (gaia-react/gaia 2004).
func TestChildLeftBehind(t *testing.T) {
	f := newFake(t, `exec 3>"$D/alive"; trap "" TERM; sleep 600 & (sleep 600 &) ; echo '[]'`)
	alive, err := os.OpenFile(f.fifo("alive"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	got, err := f.issues() // the hour of the drain would not pass
	if err != nil || len(got) != 0 {
		t.Errorf("Issues() = %v, %v, want none", got, err)
	}
	wantAllDead(t, alive)
}

func TestChildOutsideTheGroupHoldsTheOutput(t *testing.T) {
	f := newFake(t, setsid(t, "false")+`read ready <"$D/ready"; echo '[]'`)
	f.fifo("ready")
	f.killLater("pid")
	f.drain = 10 * time.Millisecond
	got, err := f.issues()
	if err != nil || len(got) != 0 {
		t.Errorf("Issues() = %v, %v, want none", got, err)
	}
}

func TestOutput(t *testing.T) {
	const flood = "gh issue printed more than 1 MiB"
	tests := []struct {
		name, script, err string
	}{
		{"endless output", `exec cat /dev/zero`, flood},
		{"one byte too much", `head -c 1048577 /dev/zero`, flood},
		{"exactly the cap", `printf '[]'; head -c 1048574 /dev/zero | tr '\0' ' '`, ""},
		{"much on stderr", `head -c 3000000 /dev/zero | tr '\0' x >&2; echo '[]'`, ""},
		{"stdout closed early", `echo '[]'; exec >&-; echo warning >&2`, ""},
		{"a warning on stderr", `echo 'A new release is available' >&2; echo '[]'`, ""},
		{"stdin is empty", `read line && echo "$line"; echo '[]'`, ""},
		{"killed", `kill -KILL $$`, "gh issue list --repo was killed by signal: killed and printed nothing on stderr"},
		{"terminated, having said something", `echo '[]'; echo has disabled issues >&2; kill -TERM $$`,
			"gh issue list --repo was killed by signal: terminated: has disabled issues"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, tt.script)
			f.most = mebibyte
			got, err := f.issues()
			if tt.err != "" {
				wantText(t, err, tt.err)
				if class := ClassOf(err); class != Transient {
					t.Errorf("class = %v, want %v", class, Transient)
				}
				return
			}
			if err != nil || len(got) != 0 {
				t.Errorf("Issues() = %v, %v, want none", got, err)
			}
		})
	}
}

func TestEndlessOutput(t *testing.T) {
	_, err := newFake(t, `exec cat /dev/zero`).issues()
	wantText(t, err, "gh issue printed more than 64 MiB")
}

func TestMuchOnStderrIsCut(t *testing.T) {
	f := newFake(t, `echo "the 'octo/repo-b' repository has disabled issues" >&2; head -c 3000000 /dev/zero | tr '\0' x >&2; exit 1`)
	_, err := f.issues()
	if got := ClassOf(err); got != IssuesDisabled {
		t.Errorf("class = %v, want %v", got, IssuesDisabled)
	}
	if n := len([]rune(err.Error())); n != maxErrorText {
		t.Errorf("the text has %d characters, want %d", n, maxErrorText)
	}
}

func TestEnvironmentOfTheChild(t *testing.T) {
	for _, name := range []string{"GH_DEBUG", "DEBUG", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_REPO", "GH_HOST"} {
		t.Setenv(name, "operator's")
	}
	t.Setenv("GH_PAGER", "less")
	t.Setenv("GH_TOKEN", "kept")
	t.Setenv("GH_CONFIG_DIR", "/kept")
	f := newFake(t, `env >"$D/env"; echo '[]'`)
	if _, err := f.issues(); err != nil {
		t.Fatal(err)
	}
	env := strings.Split(f.read("env"), "\n")
	got := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		got[name] = value
	}
	want := map[string]string{
		"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "GH_SPINNER_DISABLED": "1",
		"GH_TELEMETRY": "false", "DO_NOT_TRACK": "1", "NO_COLOR": "1", "GH_PAGER": "cat",
		"GH_TOKEN": "kept", "GH_CONFIG_DIR": "/kept", "PATH": os.Getenv("PATH"),
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s = %q, want %q", name, got[name], value)
		}
	}
	for _, name := range []string{"GH_DEBUG", "DEBUG", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_REPO", "GH_HOST"} {
		if value, ok := got[name]; ok {
			t.Errorf("%s = %q, want it removed", name, value)
		}
	}
}

func TestEachCallIsLogged(t *testing.T) {
	f := answering(t, "", "oops", 3)
	f.issues()
	line, err := f.log.ReadString('\n')
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	for _, want := range []string{"level=DEBUG", `msg="gh call"`, "issue list --repo github.com/octo/repo-b", "duration=", `ended="exit status 3"`} {
		if !strings.Contains(line, want) {
			t.Errorf("log line %q lacks %q", line, want)
		}
	}
}
