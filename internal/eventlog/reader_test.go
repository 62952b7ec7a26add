package eventlog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/eventlog"
)

// followed is a log on disk with a reader.
type followed struct {
	t    *testing.T
	path string
	*eventlog.Reader
}

func follow(t *testing.T) followed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	r := eventlog.NewReader(path)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return followed{t, path, r}
}

// backup returns the name of a file rotated at that second.
func (f followed) backup(second int) string {
	return filepath.Join(filepath.Dir(f.path), fmt.Sprintf("events-2026-11-30T10-00-%02d.000.jsonl", second))
}

func (f followed) put(path, text string) {
	f.t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f followed) rotate(second int) {
	f.t.Helper()
	if err := os.Rename(f.path, f.backup(second)); err != nil {
		f.t.Fatal(err)
	}
}

// want reads with a method of the reader and compares the lines.
func (f followed) want(read func(func([]byte) error) error, want ...string) {
	f.t.Helper()
	var got []string
	err := read(func(line []byte) error {
		got = append(got, string(line))
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func (f followed) all(call func([]byte) error) error { return f.All(time.Time{}, call) }

func TestReaderReadsTheOldestFirst(t *testing.T) {
	f := follow(t)
	f.put(f.backup(2), "b1\nb2\n")
	f.put(f.backup(1), "a1\n\r\na2\r\n\n")
	f.put(f.path, "c1\nc2")
	// A file of another log.
	f.put(filepath.Join(filepath.Dir(f.path), "events-old.jsonl"), "x\n")
	f.put(f.backup(3)+".gz", "x\n")
	f.put(filepath.Join(filepath.Dir(f.path), "other-2026-11-30T10-00-01.000.jsonl"), "x\n")
	f.want(f.all, "a1", "a2", "b1", "b2", "c1")
	if got := string(f.Rest()); got != "c2" {
		t.Errorf("Rest = %q, want c2", got)
	}
	f.want(f.Next)
	f.put(f.path, "-is whole\nc3\n")
	f.want(f.Next, "c2-is whole", "c3")
	if !f.Exists() || len(f.Rest()) > 0 {
		t.Errorf("Exists = %t, Rest = %q", f.Exists(), f.Rest())
	}
}

func TestReaderLeavesOutWhatIsTooOld(t *testing.T) {
	f := follow(t)
	for i := range 3 {
		f.put(f.backup(i), fmt.Sprintln("backup", i))
		at := time.Date(2026, 11, 30, 10, 0, i, 0, time.UTC)
		if err := os.Chtimes(f.backup(i), at, at); err != nil {
			t.Fatal(err)
		}
	}
	f.want(func(call func([]byte) error) error {
		return f.All(time.Date(2026, 11, 30, 10, 0, 1, 0, time.UTC), call)
	}, "backup 1", "backup 2")
	f.put(f.path, "new\n")
	f.want(f.Next, "new")
}

func TestReaderWaitsForTheLog(t *testing.T) {
	f := follow(t)
	f.want(f.all)
	if f.Exists() {
		t.Error("Exists = true without a file")
	}
	f.put(f.path, "a")
	f.want(f.Next)
	f.put(f.path, "1\n")
	f.want(f.Next, "a1")

	missing := eventlog.NewReader(filepath.Join(t.TempDir(), "no", "folder", "events.jsonl"))
	if err := missing.Next(func([]byte) error { return errors.New("a line") }); err != nil {
		t.Errorf("Next without a folder: %v", err)
	}
}

func TestReaderGoesOnAcrossRotation(t *testing.T) {
	f := follow(t)
	f.put(f.path, "a1\n")
	f.want(f.all, "a1")

	f.put(f.path, "a2\n")
	f.rotate(1)
	f.put(f.path, "b1\n")
	f.want(f.Next, "a2", "b1")

	// Renamed, before the new file exists.
	f.put(f.path, "b2\n")
	f.rotate(2)
	f.want(f.Next, "b2")
	f.put(f.backup(2), "b3\n") // by a process that still has it open
	f.want(f.Next, "b3")
	f.put(f.path, "c1\n")
	f.want(f.Next, "c1")

	// Three rotations between two reads, and half a line in each file.
	for i, text := range []string{"c2\nc3", "d1\nd2", "e1\n"} {
		f.put(f.path, text)
		f.rotate(3 + i)
	}
	f.put(f.path, "f1\n")
	f.want(f.Next, "c2", "c3", "d1", "d2", "e1", "f1")
	f.want(f.Next)

	// Rotated to a foreign name, and removed.
	f.put(f.path, "f2\n")
	if err := os.Rename(f.path, f.path+".1"); err != nil {
		t.Fatal(err)
	}
	f.put(f.path, "g1\n")
	f.want(f.Next, "f2", "g1")
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	f.put(f.path, "h1\n")
	f.want(f.Next, "h1")
}

func TestReaderNoticesTruncation(t *testing.T) {
	f := follow(t)
	f.put(f.path, "a1\na2\nhalf")
	f.want(f.all, "a1", "a2")
	if err := os.Truncate(f.path, 0); err != nil {
		t.Fatal(err)
	}
	f.put(f.path, "b1\n")
	f.want(f.Next, "b1")
}

func TestReaderLast(t *testing.T) {
	f := follow(t)
	f.put(f.backup(1), "a1\na2\nx\na3\n")
	f.put(f.backup(2), "b1\nx\nb2\n")
	f.put(f.path, "c1\nx\nc2\nc3")
	last := func(n int) func(func([]byte) error) error {
		return func(call func([]byte) error) error {
			return f.Last(n, func(line []byte) bool { return string(line) != "x" }, call)
		}
	}
	f.want(last(5), "a3", "b1", "b2", "c1", "c2")
	f.put(f.path, "\nc4\n")
	f.want(f.Next, "c3", "c4")

	for n, want := range map[int][]string{
		0: nil, 1: {"c4"}, 4: {"c1", "c2", "c3", "c4"}, 100: {"a1", "a2", "a3", "b1", "b2", "c1", "c2", "c3", "c4"},
	} {
		f.Reader = eventlog.NewReader(f.path)
		f.want(last(n), want...)
		f.want(f.Next)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReaderStopsAtAnErrorOfItsCaller(t *testing.T) {
	f := follow(t)
	f.put(f.backup(1), "a1\n")
	f.put(f.path, "b1\nb2\n")
	full := errors.New("disk full")
	var got []string
	err := f.All(time.Time{}, func(line []byte) error {
		got = append(got, string(line))
		if string(line) == "b1" {
			return full
		}
		return nil
	})
	if err != full || fmt.Sprint(got) != "[a1 b1]" {
		t.Errorf("All = %v after %v", err, got)
	}
}

func TestReaderBoundsALine(t *testing.T) {
	f := follow(t)
	f.put(f.path, strings.Repeat("x", 3<<20)+"\nb\n")
	var got []int
	if err := f.all(func(line []byte) error { got = append(got, len(line)); return nil }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint([]int{1 << 20, 1}) {
		t.Errorf("lengths of the lines: %v", got)
	}
}

func TestReaderRefusesWhatIsNoFile(t *testing.T) {
	folder := t.TempDir()
	r := eventlog.NewReader(folder)
	err := r.All(time.Time{}, func([]byte) error { return nil })
	if err == nil || !strings.HasSuffix(err.Error(), folder+": it is not a regular file") {
		t.Errorf("All of a folder: %v", err)
	}
}

// A reader runs beside the daemon's own log through many rotations.
func TestReaderOfALogThatIsWritten(t *testing.T) {
	f := follow(t)
	log := open(t, eventlog.Options{Path: f.path, MaxSizeMB: 1})
	f.want(f.all)
	text := strings.Repeat("y", 300<<10)
	var got []string
	for i := range 20 {
		log.Write(eventlog.ItemError(fmt.Sprint(i), text))
		if i%3 != 2 && i != 19 { // the reader misses some rotations
			continue
		}
		err := f.Next(func(line []byte) error {
			stored, err := eventlog.Parse(line)
			got = append(got, stored.Text("ref"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprint(i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("a\nb\n\nc", 1)
	f.Add("\r\n\r\r\n", 2)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		if len(text) > 10_000 {
			return
		}
		cut = max(0, min(cut, len(text)))
		log := follow(t)
		var got []string
		take := func(line []byte) error { got = append(got, string(line)); return nil }
		log.put(log.path, text[:cut])
		err := log.all(take)
		log.put(log.path, text[cut:])
		if err = errors.Join(err, log.Next(take)); err != nil {
			t.Fatal(err)
		}
		var want []string
		for line := range strings.SplitSeq(text[:strings.LastIndexByte(text, '\n')+1], "\n") {
			if line = strings.TrimSuffix(line, "\r"); line != "" {
				want = append(want, line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q cut at %d (-want +got):\n%s", text, cut, diff)
		}
	})
}
