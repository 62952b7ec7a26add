package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

const testRef = "github:octo/repo#5"

// open opens a store whose corruptions are collected.
func open(t testing.TB, root string, told *[]corruption) *Store {
	t.Helper()
	s, err := Open(root, Options{
		Now: func() time.Time { return day(10) },
		OnCorrupt: func(path, movedTo, ref string, _ error) {
			if told != nil {
				*told = append(*told, corruption{path, movedTo, ref})
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func activate(t testing.TB, s *Store, ref string, seen ...string) {
	t.Helper()
	err := s.Update(ref, func(r *Record) error {
		r.SetState(StateActive, day(9))
		r.MarkSeen(seen...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, s *Store, ref string) Record {
	t.Helper()
	rec, known, err := s.Get(ref)
	if err != nil || !known {
		t.Fatalf("Get(%s) known = %v, err = %v", ref, known, err)
	}
	return rec
}

// tempTree is a state root with the record of testRef holding content.
func tempTree(t testing.TB, content string) (root, path string) {
	t.Helper()
	root = t.TempDir()
	path = filepath.Join(root, "items", "github.com", "octo", "repo", "5.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, path, content)
	return root, path
}

func TestStoreKeepsRecords(t *testing.T) {
	root := filepath.Join(t.TempDir(), "state")
	s := open(t, root, nil)
	rec, known, err := s.Get(testRef)
	if err != nil || known {
		t.Fatalf("Get() of an unknown item: known = %v, err = %v", known, err)
	}
	if rec.State != StateNone || rec.Session != Name(mustRef(t, testRef)) {
		t.Errorf("blank record = %+v", rec)
	}
	activate(t, s, testRef, "IC_1", "IC_2")
	activate(t, s, "github:ghe.example/octo/repo#5")
	ported := "github:localhost:8443/octo/repo#5"
	activate(t, s, ported)
	want := get(t, s, testRef)

	again := open(t, root, nil)
	if rec := get(t, again, ported); rec.Host != "localhost:8443" || inMemory(again) != 3 {
		t.Errorf("record = %+v, one of %d", rec, inMemory(again))
	}
	got := get(t, again, testRef)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	wantFiles := []string{
		"items/", "items/ghe.example/", "items/ghe.example/octo/", "items/ghe.example/octo/repo/",
		"items/ghe.example/octo/repo/5.json",
		"items/github.com/", "items/github.com/octo/", "items/github.com/octo/repo/", "items/github.com/octo/repo/5.json",
	}
	local := "items/" + hostFolder("localhost:8443") + "/"
	wantFiles = append(wantFiles, local, local+"octo/", local+"octo/repo/", local+"octo/repo/5.json")
	if diff := cmp.Diff(wantFiles, filetest.List(t, root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, name := range wantFiles {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

func TestUpdateWritesOnlyChanges(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	path := s.tree.path(mustRef(t, testRef))
	if err := s.Update(testRef, func(*Record) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a blank record was written: %v", err)
	}
	activate(t, s, testRef, "IC_1")
	// A mark that a write would wipe out.
	filetest.Write(t, path, "mark")
	activate(t, s, testRef, "IC_1")
	if got := filetest.Read(t, path); got != "mark" {
		t.Errorf("an unchanged record was written: %s", got)
	}
	activate(t, s, testRef, "IC_2")
	if got := filetest.Read(t, path); !strings.Contains(got, "IC_2") {
		t.Errorf("a changed record was not written: %s", got)
	}
}

func TestUpdateRefuses(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	activate(t, s, testRef, "IC_1")
	before := get(t, s, testRef)
	own := errors.New("not now")
	for name, tt := range map[string]struct {
		ref    string
		change func(*Record) error
		want   error
	}{
		"its own error":   {testRef, func(r *Record) error { r.MarkSeen("IC_9"); return own }, own},
		"another ref":     {testRef, func(r *Record) error { r.Ref = "github:octo/repo#6"; return nil }, nil},
		"another owner":   {testRef, func(r *Record) error { r.Owner = "evil"; return nil }, nil},
		"unknown state":   {testRef, func(r *Record) error { r.State = "asleep"; return nil }, nil},
		"a path for name": {testRef, func(r *Record) error { r.Session = "../x"; return nil }, nil},
		"no ref":          {"github:../../x#1", func(*Record) error { return nil }, nil},
	} {
		err := s.Update(tt.ref, tt.change)
		if err == nil || tt.want != nil && err != tt.want {
			t.Errorf("%s: Update() = %v, want an error (%v)", name, err, tt.want)
		}
	}
	if diff := cmp.Diff(before, get(t, s, testRef)); diff != "" {
		t.Errorf("the record changed (-want +got):\n%s", diff)
	}
}

// A reader has the slices of the store itself.
func TestRecordGivenOutStaysAsItWas(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	activate(t, s, testRef, "IC_1", "IC_2")
	pend := func(r *Record) error {
		r.Pending = []Pending{{ID: "one", Event: EventComment}, {ID: "two", Event: EventComment}}
		return nil
	}
	if err := s.Update(testRef, pend); err != nil {
		t.Fatal(err)
	}
	rec := get(t, s, testRef)
	err := s.Update(testRef, func(r *Record) error {
		r.Seen[0] = "changed"
		r.PendingByID("two").Attempts = 3
		r.RemovePending("one")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rec.Seen, []string{"IC_1", "IC_2"}) || len(rec.Pending) != 2 || rec.Pending[1].Attempts != 0 {
		t.Errorf("the record that was given out became %+v", rec)
	}
	now := get(t, s, testRef)
	now.MarkSeen("IC_3")
	other := get(t, s, testRef)
	other.MarkSeen("IC_4")
	if got := now.Seen[len(now.Seen)-1]; got != "IC_3" {
		t.Errorf("an append by another reader made it %q", got)
	}
}

func TestNewerRecordIsLeftAlone(t *testing.T) {
	content := `{"version": 4, "ref": "github:octo/repo#5", "state": {}}`
	root, path := tempTree(t, content)
	s := open(t, root, nil)
	for range 2 {
		_, _, err := s.Get(testRef)
		if newer := (*NewerError)(nil); !errors.As(err, &newer) || newer.Version != 4 {
			t.Errorf("Get() = %v, want a NewerError", err)
		}
		err = s.Update(testRef, func(*Record) error { t.Error("change was called"); return nil })
		if newer := (*NewerError)(nil); !errors.As(err, &newer) {
			t.Errorf("Update() = %v, want a NewerError", err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Errorf("Flush() = %v", err)
	}
	if got := filetest.Read(t, path); got != content || inMemory(s) != 0 {
		t.Errorf("file = %q, %d records", got, inMemory(s))
	}
}

func TestReadOnlyStoreChangesNothing(t *testing.T) {
	root, path := tempTree(t, "broken")
	filetest.Write(t, filepath.Join(filepath.Dir(path), ".5.json123"), "x")
	before := filetest.List(t, root)
	s, err := Open(root, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if rec := get(t, s, testRef); !rec.Recovered {
		t.Errorf("record = %+v, want it recovered", rec)
	}
	activate(t, s, "github:octo/other#1")
	if rec := get(t, s, "github:octo/other#1"); rec.State != StateActive {
		t.Errorf("an update is not kept in memory: %+v", rec)
	}
	if err := s.Flush(); err != nil || s.Dirty() != 0 {
		t.Errorf("Flush() = %v, Dirty() = %d", err, s.Dirty())
	}
	if diff := cmp.Diff(before, filetest.List(t, root)); diff != "" {
		t.Errorf("files changed (-want +got):\n%s", diff)
	}
	if _, err := Open(filepath.Join(root, "nowhere"), Options{ReadOnly: true}); err != nil {
		t.Errorf("Open() of a state root that does not exist yet = %v", err)
	}
}

func TestIteration(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	for _, ref := range []string{
		"github:octo/repo#10", "github:octo/repo#9", "github:octo/a#1", "github:ghe.example/octo/repo#3",
	} {
		activate(t, s, ref)
	}
	err := s.Update("github:octo/repo#11", func(r *Record) error { r.SetState(StateClosed, day(1)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	refs := func(seq func(func(Record) bool)) (list []string) {
		for rec := range seq {
			list = append(list, rec.Ref)
			if _, _, err := s.Get(rec.Ref); err != nil { // a loop may call the store
				t.Error(err)
			}
		}
		return list
	}
	for name, tt := range map[string]struct {
		got, want []string
	}{
		"all": {refs(s.All()), []string{
			"github:ghe.example/octo/repo#3", "github:octo/a#1", "github:octo/repo#9", "github:octo/repo#10", "github:octo/repo#11",
		}},
		"active": {refs(s.InState(StateActive)), []string{
			"github:ghe.example/octo/repo#3", "github:octo/a#1", "github:octo/repo#9", "github:octo/repo#10",
		}},
		"two states": {refs(s.InState(StateClosed, StateClosing)), []string{"github:octo/repo#11"}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for range s.All() {
		break
	}
}

func TestConcurrentUse(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	const writers, comments = 8, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for c := range comments {
				id := fmt.Sprintf("IC_%d_%d", w, c)
				if err := s.Update(testRef, func(r *Record) error { r.MarkSeen(id); return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, errs := ReadAll(root); len(errs) > 0 {
				t.Errorf("ReadAll() while it is written: %v", errs)
			}
			for rec := range s.All() {
				if rec.Ref != testRef {
					t.Errorf("ref = %s", rec.Ref)
				}
			}
		}
	})
	wg.Wait()
	close(stop)
	readers.Wait()
	if got := len(get(t, open(t, root, nil), testRef).Seen); got != writers*comments {
		t.Errorf("%d comments on disk, want %d", got, writers*comments)
	}
}
