//go:build unix

package dispatch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/session"

	"the-loop/internal/filetest"
)

// A log that is started anew is the same file, so that whoever holds it open
// does not write to a nameless one.
func TestTrimKeepsTheFile(t *testing.T) {
	l := &logs{stateRoot: t.TempDir(), limit: 100}
	f, err := l.open("x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	io.WriteString(f, "lost\n"+strings.Repeat("a", 99)+"\n")
	if err := l.trimNext(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "after\n")
	path := filepath.Join(l.stateRoot, "logs", "x.log")
	if got := filetest.Read(t, path); got != "after\n" {
		t.Errorf("log = %q", got)
	}
	if got, want := filetest.Read(t, path+".1"), strings.Repeat("a", 99)+"\n"; got != want {
		t.Errorf("old log = %q, want %q", got, want)
	}
	if err := l.trimNext(); err != nil || filetest.Read(t, path) != "after\n" {
		t.Errorf("a log that is not full was started anew: %v", err)
	}
}

// The last line of a handler may stand in the old log by the time that it fails.
func TestLastLineOfALogStartedAnew(t *testing.T) {
	l := &logs{stateRoot: t.TempDir(), limit: 100}
	f, err := l.open("x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	io.WriteString(f, "--- spawn\n")
	from := int64(len("--- spawn\n"))
	want := func(want string) {
		t.Helper()
		if got, err := l.lastLine("x", from); got != want || err != nil {
			t.Errorf("last line = %q, %v; want %q", got, err, want)
		}
	}
	io.WriteString(f, strings.Repeat("a", 99)+"\nlast words\n")
	want("last words")
	if err := l.trimNext(); err != nil {
		t.Fatal(err)
	}
	want("last words")
	io.WriteString(f, "more\n")
	want("more")
}

// Of very many logs, each has its turn.
func TestTrimTakesTurns(t *testing.T) {
	l := &logs{stateRoot: t.TempDir(), limit: 10}
	folder := filepath.Join(l.stateRoot, session.LogsFolder)
	if err := os.Mkdir(folder, folderMode); err != nil {
		t.Fatal(err)
	}
	for i := range logsAtOnce + 200 {
		filetest.Write(t, filepath.Join(folder, fmt.Sprintf("%d.log", i)), "more than the limit")
	}
	for _, want := range []int{logsAtOnce, logsAtOnce + 200} {
		if err := l.trimNext(); err != nil {
			t.Fatal(err)
		}
		old, err := filepath.Glob(filepath.Join(folder, "*.log.1"))
		if err != nil || len(old) != want {
			t.Errorf("%d logs were started anew, want %d", len(old), want)
		}
	}
	filetest.Write(t, filepath.Join(folder, "0.log"), "more than the limit")
	for range 2 {
		if err := l.trimNext(); err != nil {
			t.Fatal(err)
		}
	}
	if got := filetest.Read(t, filepath.Join(folder, "0.log")); got != "" {
		t.Errorf("in the second round the log is still %q", got)
	}
}

func TestTrimFollowsNoLink(t *testing.T) {
	l := &logs{stateRoot: t.TempDir(), limit: 10}
	outside := filepath.Join(t.TempDir(), "outside")
	filetest.Write(t, outside, strings.Repeat("x", 50))
	if err := os.Mkdir(filepath.Join(l.stateRoot, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(l.stateRoot, "logs", "x.log")); err != nil {
		t.Fatal(err)
	}
	if f, err := l.open("x"); err == nil {
		f.Close()
		t.Error("a link was opened")
	}
	if err := l.trimNext(); err == nil {
		t.Error("trimNext() = nil, want it to complain about the link")
	}
	if got := filetest.Read(t, outside); len(got) != 50 {
		t.Errorf("outside = %q", got)
	}
}

func TestFloodIsBounded(t *testing.T) {
	b, th := newBench(t), newTheatre(t)
	result := b.begin(testDelivery(th, ""))
	p := th.enter()
	p.mustDo("flood 1000000")
	p.exits(0)
	expect(t, result, Delivered, "")
	log := filepath.Join(b.root, "logs", "repo-5-x.log")
	for _, name := range []string{log, log + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > b.logs.limit || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if got := filetest.List(t, filepath.Dir(log)); len(got) != 2 {
		t.Errorf("files = %q", got)
	}
}

// A handler is worth more than its log.
func TestLogThatCannotBeOpened(t *testing.T) {
	b, th := newBench(t), newTheatre(t)
	filetest.Write(t, filepath.Join(b.root, "logs"), "in the way")
	result := b.begin(testDelivery(th, ""))
	p := th.enter()
	p.mustDo("print nowhere", "flood 1000000")
	p.exits(0)
	expect(t, result, Delivered, "")
	if !strings.Contains(b.warnings.String(), "handler output is not kept") {
		t.Errorf("warnings = %q", b.warnings.String())
	}
}
