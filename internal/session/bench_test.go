package session

import (
	"fmt"
	"path/filepath"
	"testing"

	"the-loop/internal/ref"

	"the-loop/internal/filetest"
)

// manyRecords is a state root with 10,000 records of the usual size, spread
// over as many repositories.
func manyRecords(b *testing.B, repositories int) string {
	b.Helper()
	root := b.TempDir()
	t := tree{root}
	for i := range 10_000 {
		item, err := ref.New("", "octo", fmt.Sprintf("repo-%d", i%repositories), i+1)
		if err != nil {
			b.Fatal(err)
		}
		r := newRecord(item)
		r.Kind, r.Title, r.Author = "issue", "A title as long as titles usually are", "somebody"
		r.URL = fmt.Sprintf("https://github.com/octo/%s/issues/%d", item.Name, item.Number)
		r.SetState(StateActive, day(1))
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
		filetest.Write(b, filepath.Join(root, "items", recordPath(item)), string(data))
	}
	return root
}

func BenchmarkOpen(b *testing.B) {
	for _, repositories := range []int{1, 50, 500, 10_000} {
		b.Run(fmt.Sprintf("repositories=%d", repositories), func(b *testing.B) {
			root := manyRecords(b, repositories)
			for b.Loop() {
				s, err := Open(root, Options{})
				if err != nil || inMemory(s) != 10_000 {
					b.Fatalf("%d records, %v", inMemory(s), err)
				}
			}
		})
	}
}

func BenchmarkReadAll(b *testing.B) {
	for _, repositories := range []int{1, 50, 500, 10_000} {
		b.Run(fmt.Sprintf("repositories=%d", repositories), func(b *testing.B) {
			root := manyRecords(b, repositories)
			for b.Loop() {
				if records, errs := ReadAll(root); len(records) != 10_000 || errs != nil {
					b.Fatalf("%d records, %v", len(records), errs)
				}
			}
		})
	}
}

func BenchmarkUpdate(b *testing.B) {
	s := open(b, b.TempDir(), nil)
	n := 0
	for b.Loop() {
		n++
		err := s.Update(testRef, func(r *Record) error { r.Generation = n; return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQuietCycle is what a cycle over 10,000 known, quiet items costs.
func BenchmarkQuietCycle(b *testing.B) {
	s, err := Open(manyRecords(b, 50), Options{})
	if err != nil {
		b.Fatal(err)
	}
	var refs []string
	for r := range s.All() {
		refs = append(refs, r.Ref)
	}
	for b.Loop() {
		if err := s.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := s.TakeNotes(func(string, Note) error { return nil }); err != nil {
			b.Fatal(err)
		}
		for _, item := range refs {
			if _, known, err := s.Get(item); !known || err != nil {
				b.Fatal(known, err)
			}
		}
		for range s.InState(StateActive) {
		}
	}
}
