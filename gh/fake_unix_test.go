//go:build unix

package gh

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fake is a gh made of a shell script in a folder of its own.
type fake struct {
	t   *testing.T
	dir string
	log bytes.Buffer
	*Client
}

// newFake makes a gh of script, which finds its folder in $D. The client's
// timeout and the time it waits for a held pipe are so long that a test in
// which either runs out cannot pass.
func newFake(t *testing.T, script string) *fake {
	t.Helper()
	f := &fake{t: t, dir: t.TempDir()}
	f.script(script)
	f.Client = New(Options{
		Binary:  filepath.Join(f.dir, "gh"),
		Timeout: time.Hour,
		Logger: slog.New(slog.NewTextHandler(&f.log, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		})),
	})
	f.drain = time.Hour
	return f
}

// answering makes a gh that prints what it is told to and logs its arguments,
// a line each and an empty line after the last.
func answering(t *testing.T, stdout, stderr string, code int) *fake {
	t.Helper()
	f := newFake(t, `printf '%s\n' "$@" "" >>"$D/argv"; cat "$D/stdout"; cat "$D/stderr" >&2; exit "$(cat "$D/code")"`)
	f.answer(stdout, stderr, code)
	return f
}

func (f *fake) script(script string) {
	f.t.Helper()
	f.write("gh", "#!/bin/sh\nD='"+f.dir+"'\n"+script+"\n")
}

func (f *fake) answer(stdout, stderr string, code int) {
	f.t.Helper()
	f.write("stdout", stdout)
	f.write("stderr", stderr)
	f.write("code", strconv.Itoa(code))
}

func (f *fake) write(name, content string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o755); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fake) read(name string) string {
	f.t.Helper()
	content, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(content)
}

// calls is the arguments of each call so far, joined by " | ".
func (f *fake) calls() []string {
	f.t.Helper()
	var calls []string
	for call := range strings.SplitSeq(strings.TrimSuffix(f.read("argv"), "\n\n"), "\n\n") {
		calls = append(calls, strings.ReplaceAll(call, "\n", " | "))
	}
	return calls
}

// fifo makes a named pipe for the script to write to.
func (f *fake) fifo(name string) string {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// wantAllDead reads a named pipe that every process of the script held open
// for writing: it ends when the last of them is dead.
func wantAllDead(t *testing.T, r io.Reader) {
	t.Helper()
	if _, err := io.ReadAll(r); err != nil {
		t.Errorf("waiting for the script's processes to die: %v", err)
	}
}

// killLater ends the process whose id the script wrote to the file name, if it
// came that far.
func (f *fake) killLater(name string) {
	f.t.Cleanup(func() {
		content, err := os.ReadFile(filepath.Join(f.dir, name))
		if err != nil {
			return
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
		if err == nil && pid > 1 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
}

func (f *fake) issues() ([]Issue, error) {
	issues, _, err := f.Issues(f.t.Context(), repo, Filter{Limit: 5})
	return issues, err
}

func wantText(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error = %v\n       want %s", err, want)
	}
}
