package session

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"the-loop/internal/ref"

	"the-loop/internal/filetest"
)

// endedSessions is how many sessions a busy installation has had.
const endedSessions = 100_000

// manyEnded is a state root with as many ended sessions, and a hundred live
// ones, in fifty repositories.
func manyEnded(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	t := tree{root}
	for i := range endedSessions + 100 {
		item, err := ref.New("", "octo", fmt.Sprintf("repo-%d", i%50), i+1)
		if err != nil {
			b.Fatal(err)
		}
		r := newRecord(item)
		r.Kind, r.Title, r.Author = "issue", "A title as long as titles usually are", "somebody"
		r.URL = fmt.Sprintf("https://github.com/octo/%s/issues/%d", item.Name, item.Number)
		r.SetState(StateClosed, day(1))
		if i >= endedSessions {
			r.SetState(StateActive, day(1))
		}
		r.Generation, r.ReadTo, r.LastDeliveryAt = 1, day(2), day(3)
		for j := range 20 {
			r.Seen = append(r.Seen, fmt.Sprintf("IC_kwDOABCDEF%08d", i*20+j))
		}
		data, err := r.Encode()
		if err != nil {
			b.Fatal(err)
		}
		folder, err := t.madeFolder(item.Repo)
		if err != nil {
			b.Fatal(err)
		}
		folder.Close()
		path := filepath.Join(root, "items", recordPath(item))
		filetest.Write(b, path, string(data))
		if err := os.Chtimes(path, day(3), day(3)); err != nil {
			b.Fatal(err)
		}
	}
	return root
}

// BenchmarkEndedOpen is the start of a daemon that has had many sessions, and
// what they cost it in memory.
func BenchmarkEndedOpen(b *testing.B) {
	root := manyEnded(b)
	if _, err := Open(root, Options{}); err != nil { // leaves the list
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s *Store
	for b.Loop() {
		opened, err := Open(root, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s = opened
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB-held")
	runtime.KeepAlive(s)
}

// BenchmarkEndedCycle is what they cost in a quiet cycle.
func BenchmarkEndedCycle(b *testing.B) {
	s, err := Open(manyEnded(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.Flush(); err != nil {
			b.Fatal(err)
		}
		live := 0
		for range s.Live() {
			live++
		}
		for range s.InState(StateClosing) {
			live++
		}
		for range s.All() {
		}
		if live != 100 {
			b.Fatal(live)
		}
	}
}

// BenchmarkEndedList is what 'sessions list' reads, with the list of ended
// sessions that a daemon leaves.
func BenchmarkEndedList(b *testing.B) {
	root := manyEnded(b)
	if _, err := Open(root, Options{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if records, errs := ReadList(root, true); len(records) != endedSessions+100 || errs != nil {
			b.Fatalf("%d records, %v", len(records), errs)
		}
	}
}

func BenchmarkEndedReadAll(b *testing.B) {
	root := manyEnded(b)
	for b.Loop() {
		if records, errs := ReadAll(root); len(records) != endedSessions+100 || errs != nil {
			b.Fatalf("%d records, %v", len(records), errs)
		}
	}
}
