//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

// TestHomeLost: whatever happens to the folder of all records, or to one below
// it, Flush brings every record back, the ones that did not change too.
func TestHomeLost(t *testing.T) {
	refs := []string{testRef, "github:octo/b#1"}
	items := func(root string) string { return filepath.Join(root, itemsFolder) }
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, lose := range map[string]func(t *testing.T, root string){
		"removed":         func(t *testing.T, root string) { must(t, os.RemoveAll(items(root))) },
		"the whole root":  func(t *testing.T, root string) { must(t, os.RemoveAll(root)) },
		"moved away":      func(t *testing.T, root string) { must(t, os.Rename(items(root), items(root)+".old")) },
		"a host's folder": func(t *testing.T, root string) { must(t, os.RemoveAll(filepath.Join(items(root), "github.com"))) },
		"an owner's folder": func(t *testing.T, root string) {
			must(t, os.RemoveAll(filepath.Join(items(root), "github.com", "octo")))
		},
		"a repository's folder": func(t *testing.T, root string) {
			must(t, os.RemoveAll(filepath.Join(items(root), "github.com", "octo", "b")))
		},
		"an empty folder for one": func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(items(root), "github.com", "octo", "b"), filepath.Join(root, "b.old")))
			must(t, os.Mkdir(filepath.Join(items(root), "github.com", "octo", "b"), 0o700))
		},
		"an empty folder": func(t *testing.T, root string) { must(t, os.RemoveAll(root)); must(t, os.MkdirAll(items(root), 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			s := open(t, root, nil)
			for _, ref := range refs {
				must(t, s.Update(ref, func(r *Record) error { r.Title = ref; return nil }))
			}
			must(t, s.Flush())
			lose(t, root)
			must(t, s.Flush())
			if s.Dirty() != 0 {
				t.Errorf("%d records are not written", s.Dirty())
			}
			again := open(t, root, nil)
			for _, ref := range refs {
				if diff := cmp.Diff(get(t, s, ref), get(t, again, ref)); diff != "" {
					t.Errorf("%s (-before +after):\n%s", ref, diff)
				}
			}
		})
	}
}

// TestHomeObstructed: while something else is in the way, nothing counts as
// written, and all of it is once the way is free.
func TestHomeObstructed(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	s := open(t, root, nil)
	if err := s.Update(testRef, func(r *Record) error { r.Title = "one"; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, root, "in the way")
	if err := s.Flush(); err == nil {
		t.Error("Flush says that all is well")
	}
	if err := s.Update(testRef, func(r *Record) error { r.Title = "two"; return nil }); err == nil || s.OnDisk(testRef) {
		t.Errorf("Update = %v, OnDisk = %v", err, s.OnDisk(testRef))
	}
	if err := os.Remove(root); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil || !s.OnDisk(testRef) {
		t.Errorf("Flush = %v, OnDisk = %v", err, s.OnDisk(testRef))
	}
	if got := get(t, open(t, root, nil), testRef).Title; got != "two" {
		t.Errorf("title %q, want two", got)
	}
}
