//go:build unix

package session

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

// obstruct puts what is at path out of reach and returns the way back.
type obstruct func(t *testing.T, path string) (heal func())

func fileInTheWay(t *testing.T, path string) func() {
	t.Helper()
	if err := os.Rename(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, path, "in the way")
	return func() {
		if err := errors.Join(os.Remove(path), os.Rename(path+"~", path)); err != nil {
			t.Fatal(err)
		}
	}
}

func linkInTheWay(t *testing.T, path string) func() {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+"~"), os.Symlink(filepath.Base(path)+"~", path)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(os.Remove(path), os.Rename(path+"~", path)); err != nil {
			t.Fatal(err)
		}
	}
}

func folderInTheWay(t *testing.T, path string) func() {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+"~"), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(os.Remove(path), os.Rename(path+"~", path)); err != nil {
			t.Fatal(err)
		}
	}
}

func pipeInTheWay(t *testing.T, path string) func() {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+"~"), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(os.Remove(path), os.Rename(path+"~", path)); err != nil {
			t.Fatal(err)
		}
	}
}

func noPermission(t *testing.T, path string) func() {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	restore := func() {
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(restore)
	return restore
}

func TestUnreachableRecords(t *testing.T) {
	for name, tt := range map[string]struct {
		obstruct obstruct
		path     string // below items/github.com
	}{
		"a file where the host's folder should be":  {fileInTheWay, ""},
		"a file where the owner's folder should be": {fileInTheWay, "octo"},
		"a file where the folder should be":         {fileInTheWay, "octo/repo"},
		"a link where the folder should be":         {linkInTheWay, "octo/repo"},
		"a link where the owner's folder should be": {linkInTheWay, "octo"},
		"a folder where the record should be":       {folderInTheWay, "octo/repo/5.json"},
		"a link where the record should be":         {linkInTheWay, "octo/repo/5.json"},
		"a pipe where the record should be":         {pipeInTheWay, "octo/repo/5.json"},
		"no permission for the folder":              {noPermission, "octo/repo"},
		"no permission for the record":              {noPermission, "octo/repo/5.json"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			first := open(t, root, nil)
			activate(t, first, testRef, "IC_1")
			activate(t, first, "github:ghe.example/octo/repo#1")
			want := get(t, first, testRef)
			heal := tt.obstruct(t, filepath.Join(root, "items", "github.com", filepath.FromSlash(tt.path)))

			s := open(t, root, nil)
			if inMemory(s) != 1 {
				t.Errorf("%d records in reach, want 1", inMemory(s))
			}
			for range 2 {
				if _, known, err := s.Get(testRef); err == nil || known || strings.Contains(err.Error(), "\n") {
					t.Errorf("Get() known = %v, err = %v, want one line", known, err)
				}
				err := s.Update(testRef, func(*Record) error { t.Error("change was called"); return nil })
				if err == nil {
					t.Error("Update() = nil, want an error")
				}
				if err := s.Flush(); err != nil {
					t.Errorf("Flush() = %v", err)
				}
			}
			if _, errs := ReadAll(root); len(errs) != 1 {
				t.Errorf("ReadAll() errors = %v, want one", errs)
			}
			heal()
			if diff := cmp.Diff(want, get(t, s, testRef)); diff != "" {
				t.Errorf("after it healed (-want +got):\n%s", diff)
			}
		})
	}
}

// Closures go by the records in memory, so those of a healed folder must come
// back without anybody asking for them one by one.
func TestFlushFindsHealedFolders(t *testing.T) {
	root := t.TempDir()
	activate(t, open(t, root, nil), testRef)
	heal := fileInTheWay(t, filepath.Join(root, "items", "github.com", "octo"))
	s := open(t, root, nil)
	heal()
	if err := s.Flush(); err != nil || inMemory(s) != 1 {
		t.Errorf("Flush() = %v, %d records, want 1", err, inMemory(s))
	}
}

func TestOpenFailsWithoutAFolder(t *testing.T) {
	root := t.TempDir()
	filetest.Write(t, filepath.Join(root, "items"), "in the way")
	if _, err := Open(root, Options{}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("Open() = %v, want an error in one line", err)
	}
	if _, err := Open(filepath.Join(root, "items", "x"), Options{}); err == nil {
		t.Error("Open() below a file = nil, want an error")
	}
}

// A link must not lead out of the tree, and one inside of it must not show a
// record as another item's, which would have it moved aside.
func TestLinksAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	record := filepath.Join(outside, "repo", "5.json")
	if err := os.MkdirAll(filepath.Dir(record), 0o700); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, record, "not ours")
	root := t.TempDir()
	first := open(t, root, nil)
	activate(t, first, "github:real/repo#5")
	host := filepath.Join(root, "items", "github.com")
	for name, target := range map[string]string{"octo": outside, "inside": "real", "up": "../../.."} {
		if err := os.Symlink(target, filepath.Join(host, name)); err != nil {
			t.Fatal(err)
		}
	}
	var told []corruption
	s := open(t, root, &told)
	for _, ref := range []string{testRef, "github:inside/repo#5", "github:up/repo#1"} {
		if _, known, err := s.Get(ref); err == nil || known {
			t.Errorf("Get(%s) known = %v, err = %v", ref, known, err)
		}
		if err := s.Update(ref, func(r *Record) error { r.Title = "x"; return nil }); err == nil {
			t.Errorf("Update(%s) = nil", ref)
		}
		if err := LeaveRetryNote(root, ref); err == nil {
			t.Errorf("LeaveRetryNote(%s) = nil", ref)
		}
	}
	if got := filetest.Read(t, record); got != "not ours" || len(told) > 0 {
		t.Errorf("outside: %q, told %v", got, told)
	}
	if diff := cmp.Diff([]string{"repo/", "repo/5.json"}, filetest.List(t, outside)); diff != "" {
		t.Errorf("files outside (-want +got):\n%s", diff)
	}
	get(t, s, "github:real/repo#5")
}

func TestWhatCannotBeWrittenIsRemembered(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	activate(t, s, testRef, "IC_1")
	heal := fileInTheWay(t, filepath.Join(root, "items", "github.com", "octo", "repo"))

	mark := func(id string) error {
		return s.Update(testRef, func(r *Record) error { r.MarkSeen(id); return nil })
	}
	if err := mark("IC_2"); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("Update() = %v, want an error in one line", err)
	}
	if got := get(t, s, testRef); !got.HasSeen("IC_2") {
		t.Error("the new state is not remembered")
	}
	if err := mark("IC_2"); err == nil {
		t.Error("Update() without a change = nil, want the write's error")
	}
	if err := s.Flush(); err == nil || s.Dirty() != 1 {
		t.Errorf("Flush() = %v, Dirty() = %d, want an error and 1", err, s.Dirty())
	}
	heal()
	if err := s.Flush(); err != nil || s.Dirty() != 0 {
		t.Errorf("Flush() = %v, Dirty() = %d, want it written", err, s.Dirty())
	}
	if got := get(t, open(t, root, nil), testRef); !got.HasSeen("IC_2") {
		t.Error("after a restart: the new state was not written")
	}
}

func TestCorruptThatCannotBeMovedIsOutOfReach(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	root, path := tempTree(t, "{")
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
	var told []corruption
	s := open(t, root, &told)
	if _, known, err := s.Get(testRef); err == nil || known || len(told) > 0 {
		t.Errorf("Get() known = %v, err = %v, told %v", known, err, told)
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if rec := get(t, s, testRef); !rec.Recovered || len(told) != 1 {
		t.Errorf("record = %+v, told %v", rec, told)
	}
}

// fullDiskMain updates a record in a process that cannot write a byte to a
// file, which is what a full disk looks like.
func fullDiskMain(root string) int {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(root, Options{})
	if err != nil {
		return 3
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
		return 4
	}
	err = s.Update(testRef, func(r *Record) error { r.MarkSeen("IC_2"); return nil })
	if err == nil || s.Dirty() != 1 || s.Flush() == nil {
		return 5
	}
	return 0
}

func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	activate(t, s, testRef, "IC_1")
	path := s.tree.path(mustRef(t, testRef))
	before := filetest.Read(t, path)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(exe, "fulldisk", root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := filetest.Read(t, path); got != before {
		t.Errorf("the old file changed: %s", got)
	}
	if diff := cmp.Diff([]string{"5.json"}, filetest.List(t, filepath.Dir(path))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
