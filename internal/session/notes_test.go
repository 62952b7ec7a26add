package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

func takeNotes(t *testing.T, s *Store) []string {
	t.Helper()
	var refs []string
	err := s.TakeNotes(func(ref string, _ Note) error { refs = append(refs, ref); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

func TestRetryNotes(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	refs := []string{"github:ghe.example/octo/repo#2", "github:octo/repo#5", "github:octo/repo#12"}
	for _, ref := range refs {
		activate(t, s, ref)
	}
	before := filetest.List(t, root)
	if got := takeNotes(t, s); got != nil {
		t.Errorf("notes = %q, want none", got)
	}
	for _, ref := range []string{refs[2], refs[0], refs[1], refs[1]} {
		if err := LeaveRetryNote(root, ref); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(s.tree.path(mustRef(t, refs[1])) + ".retry"); err != nil {
		t.Errorf("no note beside the record: %v", err)
	}
	if got := takeNotes(t, s); !slices.Equal(got, refs) {
		t.Errorf("notes = %q, want %q", got, refs)
	}
	if got := takeNotes(t, s); got != nil {
		t.Errorf("notes the second time = %q, want none", got)
	}
	if diff := cmp.Diff(before, filetest.List(t, root)); diff != "" {
		t.Errorf("files left (-want +got):\n%s", diff)
	}
}

func TestRetryNoteForNobody(t *testing.T) {
	root := t.TempDir()
	open(t, root, nil)
	if err := LeaveRetryNote(root, testRef); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("LeaveRetryNote() = %v, want fs.ErrNotExist", err)
	}
	if err := LeaveRetryNote(root, "octo/repo"); err == nil {
		t.Error("LeaveRetryNote() of no ref = nil")
	}
	if diff := cmp.Diff([]string{"items/"}, filetest.List(t, root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestRetryNotesSurvive(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	activate(t, s, testRef)
	if err := LeaveRetryNote(root, testRef); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("disk full")
	if err := s.TakeNotes(func(string, Note) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("TakeNotes() = %v, want the error of take", err)
	}
	// The marker is gone by now; a restart finds the note, and so does the
	// store that failed with it.
	if got := takeNotes(t, open(t, root, nil)); !slices.Equal(got, []string{testRef}) {
		t.Errorf("notes after a restart = %q", got)
	}
	if err := LeaveRetryNote(root, testRef); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "items", retryMarker)); err != nil {
		t.Fatal(err)
	}
	if got := takeNotes(t, s); !slices.Equal(got, []string{testRef}) {
		t.Errorf("notes = %q, want the one whose taking failed", got)
	}
}

// Every note that was left is taken, whatever the two do at the same time.
func TestRetryNotesRace(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	var refs []string
	for n := range 40 {
		ref := mustRef(t, testRef).Item(n + 1).String()
		activate(t, s, ref)
		refs = append(refs, ref)
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(refs, 10) {
		wg.Go(func() {
			for _, ref := range part {
				if err := LeaveRetryNote(root, ref); err != nil {
					t.Error(err)
				}
			}
		})
	}
	left := make(chan struct{})
	go func() { wg.Wait(); close(left) }()
	taken := map[string]bool{}
	for last := false; !last; {
		select {
		case <-left:
			last = true
		default:
		}
		for _, ref := range takeNotes(t, s) {
			taken[ref] = true
		}
	}
	for _, ref := range refs {
		if !taken[ref] {
			t.Errorf("the note for %s was never taken", ref)
		}
	}
}
