package eventlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"the-loop/internal/eventlog"
)

func TestMain(m *testing.M) {
	// lumberjack keeps one goroutine for each logger until the process ends.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

func open(t *testing.T, o eventlog.Options) *eventlog.Log {
	t.Helper()
	o.Now = func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }
	log := eventlog.Open(o)
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return log
}

// refs returns the ref of each event in the file. A line that is no event fails the test.
func refs(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		t.Errorf("%s does not end with a newline", path)
	}
	var got []string
	for line := range bytes.Lines(data) {
		stored, err := eventlog.Parse(line)
		if err != nil {
			t.Errorf("%s: line %.80q: %v", path, line, err)
		}
		got = append(got, stored.Text("ref"))
	}
	return got
}

func item(ref string) eventlog.Event { return eventlog.ItemError(ref, "boom") }

func wantRefs(t *testing.T, path string, want ...string) {
	t.Helper()
	if got := refs(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "events.jsonl")
	log := open(t, eventlog.Options{Path: path})
	wantRefs(t, path)
	log.Write(eventlog.Event{})
	log.Write(item("a"))
	log.Write(item("b"))
	want := fmt.Sprintf(`{"ts":"2026-11-30T10:00:00.000Z","event":"poll.item_error","level":"error","pid":%d,"ref":"a","error":"boom"}`+"\n", os.Getpid())
	if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), want) {
		t.Errorf("got %s, %v; want it to begin with %s", data, err, want)
	}
	wantRefs(t, path, "a", "b")
	checkMode(t, path, 0o600)
	checkMode(t, filepath.Dir(path), 0o700)

	again := open(t, eventlog.Options{Path: path})
	again.Write(item("c"))
	wantRefs(t, path, "a", "b", "c")
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	again.Write(item("d"))
	wantRefs(t, path, "a", "b", "c")
}

func checkMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: mode %v, %v; want %v", path, info.Mode().Perm(), err, want)
	}
}

func TestModeOfAFileThatWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, eventlog.Options{Path: path})
	checkMode(t, path, 0o600)
}

func TestHalfAnEventIsNotContinued(t *testing.T) {
	const half = `{"ts":"2026-11-30T10:0`
	for _, c := range []struct {
		name  string
		write func(*testing.T, string)
	}{
		{"by the owner", func(t *testing.T, path string) { open(t, eventlog.Options{Path: path}).Write(item("a")) }},
		{"by another", func(t *testing.T, path string) {
			if err := eventlog.Append(path, item("a")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.jsonl")
			if err := os.WriteFile(path, []byte(half), 0o600); err != nil {
				t.Fatal(err)
			}
			c.write(t, path)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(data), "\n")
			if len(lines) != 3 || lines[0] != half || !strings.Contains(lines[1], `"ref":"a"`) || lines[2] != "" {
				t.Errorf("got lines %q", lines)
			}
		})
	}
}

func TestDisabledLogs(t *testing.T) {
	for name, log := range map[string]*eventlog.Log{"nil": nil, "no path": eventlog.Open(eventlog.Options{})} {
		log.Write(item("a"))
		if err := log.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}

// big returns an event of about 100 kB.
func big(ref string) eventlog.Event {
	return eventlog.ItemError(ref, strings.Repeat("x", 100_000))
}

func backups(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(strings.TrimSuffix(path, ".jsonl") + "-*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	log := open(t, eventlog.Options{Path: path, MaxSizeMB: 1, MaxBackups: 2})
	const events = 35 // ten in each file
	for i := range events {
		log.Write(big(fmt.Sprint(i)))
	}
	if got := refs(t, path); len(got) == 0 || got[len(got)-1] != fmt.Sprint(events-1) {
		t.Errorf("the file ends with %v", got)
	}
	checkMode(t, path, 0o600)
	// lumberjack removes the oldest in the background.
	waitFor(t, func() bool { return len(backups(t, path)) == 2 })
	for _, name := range backups(t, path) {
		checkMode(t, name, 0o600)
		if info, err := os.Stat(name); err != nil || info.Size() > 1<<20 || len(refs(t, name)) != 10 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(2 * time.Minute)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it never came")
		}
	}
}

// The line of a rejected poller must survive both before and after a rotation.
func TestAppendBesideAnOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	log := open(t, eventlog.Options{Path: path, MaxSizeMB: 1})
	add := func(ref string) {
		t.Helper()
		if err := eventlog.Append(path, item(ref)); err != nil {
			t.Fatal(err)
		}
	}
	log.Write(item("a"))
	add("b")
	log.Write(item("c"))
	wantRefs(t, path, "a", "b", "c")
	for len(backups(t, path)) == 0 {
		log.Write(big("big"))
	}
	add("d")
	log.Write(item("e"))
	add("f")
	log.Write(item("g"))
	wantRefs(t, path, "big", "d", "e", "f", "g")
}

// Lines of other processes count towards the size.
func TestAppendedLinesCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	log := open(t, eventlog.Options{Path: path, MaxSizeMB: 1})
	log.Write(item("a"))
	for range 11 {
		if err := eventlog.Append(path, big("b")); err != nil {
			t.Fatal(err)
		}
	}
	log.Write(item("c"))
	wantRefs(t, path, "c")
}

func TestFileMovedOrRemovedByHand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "events.jsonl")
	log := open(t, eventlog.Options{Path: path})
	log.Write(item("a"))
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	log.Write(item("b"))
	wantRefs(t, path, "b")
	wantRefs(t, path+".old", "a")
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	log.Write(item("c"))
	wantRefs(t, path, "c")
	checkMode(t, filepath.Dir(path), 0o700)
}

func TestConcurrentWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	log := open(t, eventlog.Options{Path: path})
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for range 50 {
				log.Write(item("owner"))
				if i == 0 {
					if err := eventlog.Append(path, item("other")); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writers.Wait()
	if got := len(refs(t, path)); got != 450 {
		t.Errorf("%d events, want 450", got)
	}
}

func warnings(t *testing.T) (*slog.Logger, func() int) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, nil)), func() int {
		t.Helper()
		return strings.Count(b.String(), "level=WARN")
	}
}

func TestFailingWriteWarnsOnce(t *testing.T) {
	logger, count := warnings(t)
	dir := filepath.Join(t.TempDir(), "state")
	path := filepath.Join(dir, "events.jsonl")
	block := func() { // a file in place of the folder
		t.Helper()
		if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	block()
	log := open(t, eventlog.Options{Path: path, Logger: logger})
	check := func(want int) {
		t.Helper()
		if got := count(); got != want {
			t.Errorf("%d warnings, want %d", got, want)
		}
	}
	check(1)
	log.Write(item("a"))
	log.Write(item("b"))
	check(1)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	log.Write(item("c"))
	wantRefs(t, path, "c")
	check(1)
	block()
	log.Write(item("d"))
	log.Write(item("e"))
	check(2)
}

// full accepts its first bytes and then reports a full disk.
type full struct {
	bytes.Buffer
	room int
}

func (f *full) Write(p []byte) (int, error) {
	if f.room < len(p) {
		n, _ := f.Buffer.Write(p[:f.room])
		f.room = 0
		return n, errors.New("no space left on device")
	}
	f.room -= len(p)
	return f.Buffer.Write(p)
}

func (*full) Close() error { return nil }

func TestNewWritesToAnything(t *testing.T) {
	logger, count := warnings(t)
	out := &full{room: 150}
	log := eventlog.New(out, logger, nil)
	log.Write(item("a"))
	log.Write(item("b"))
	log.Write(item("c"))
	if got := strings.Count(out.String(), "\n"); got != 1 || count() != 1 {
		t.Errorf("%d lines, %d warnings; want one of each", got, count())
	}
}

// /dev/full accepts no byte, and a pipe would block the open.
func TestOnlyRegularFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	for _, path := range []string{"/dev/full", t.TempDir()} {
		logger, count := warnings(t)
		log := open(t, eventlog.Options{Path: path, Logger: logger})
		log.Write(item("a"))
		if count() != 1 {
			t.Errorf("%s: %d warnings, want one", path, count())
		}
		if err := eventlog.Append(path, item("a")); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: Append = %v, want an error of one line", path, err)
		}
	}
}

func TestAppendCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "events.jsonl")
	for _, e := range []eventlog.Event{{}, item("a"), item("b")} {
		if err := eventlog.Append(path, e); err != nil {
			t.Fatal(err)
		}
	}
	wantRefs(t, path, "a", "b")
	checkMode(t, path, 0o600)
	checkMode(t, filepath.Dir(path), 0o700)
}
