package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

// corruption is what OnCorrupt was told.
type corruption struct{ path, movedTo, ref string }

func TestCorruptRecords(t *testing.T) {
	whole, err := newRecord(mustRef(t, testRef)).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"no bytes":       "",
		"half an object": string(whole[:60]),
		"NULs":           strings.Repeat("\x00", 300),
		"wrong type":     `{"version": 1, "ref": 5}`,
		"wrong ref":      strings.ReplaceAll(string(whole), "#5", "#6"),
	} {
		t.Run(name, func(t *testing.T) {
			root, path := tempTree(t, content)
			var told []corruption
			s := open(t, root, &told)
			want := []corruption{{path, path + ".corrupt-20261130T100000Z", testRef}}
			if diff := cmp.Diff(want, told, cmp.AllowUnexported(corruption{})); diff != "" {
				t.Fatalf("told (-want +got):\n%s", diff)
			}
			if got := filetest.Read(t, told[0].movedTo); got != content {
				t.Errorf("set aside is %q, want %q", got, content)
			}
			rec := get(t, s, testRef)
			if !rec.Recovered || rec.State != StateActive || !rec.RecoveredAt.Equal(day(10)) {
				t.Errorf("record = %+v, want it active and recovered", rec)
			}
			// A restart before anybody looked: still known, and not told again.
			again := open(t, root, &told)
			if diff := cmp.Diff(rec, get(t, again, testRef)); diff != "" || len(told) != 1 {
				t.Errorf("after a restart, told %d times (-want +got):\n%s", len(told), diff)
			}
			if err := again.Update(testRef, func(r *Record) error { r.Recovered = false; return nil }); err != nil {
				t.Fatal(err)
			}
			if rec := get(t, open(t, root, &told), testRef); rec.Recovered || rec.RecoveredAt.IsZero() {
				t.Errorf("record = %+v, want it no longer recovered, with the time kept", rec)
			}
		})
	}
}

func TestSetAsideOverwritesNothing(t *testing.T) {
	root, path := tempTree(t, "third")
	aside := path + ".corrupt-20261130T100000Z"
	filetest.Write(t, aside, "first")
	filetest.Write(t, aside+"-2", "second")
	open(t, root, nil)
	for name, want := range map[string]string{aside: "first", aside + "-2": "second", aside + "-3": "third"} {
		if got := filetest.Read(t, name); got != want {
			t.Errorf("%s holds %q, want %q", filepath.Base(name), got, want)
		}
	}
}

// A crash between moving a record aside and writing the new one leaves only
// the former: the item must not be a new one.
func TestLostRecordIsKnown(t *testing.T) {
	root, path := tempTree(t, "")
	if err := os.Rename(path, path+".corrupt-20261129T080000Z"); err != nil {
		t.Fatal(err)
	}
	s := open(t, root, nil)
	if rec := get(t, s, testRef); !rec.Recovered || rec.State != StateActive {
		t.Errorf("record = %+v, want it active and recovered", rec)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the recovered record was not written: %v", err)
	}
}

func TestCorruptWhileRunning(t *testing.T) {
	root := t.TempDir()
	var told []corruption
	s := open(t, root, &told)
	path := s.tree.path(mustRef(t, testRef))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, path, "{")
	if rec := get(t, s, testRef); !rec.Recovered || len(told) != 1 {
		t.Errorf("record = %+v, told %v", rec, told)
	}
}

func TestLeftoversAreRemoved(t *testing.T) {
	root, path := tempTree(t, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	keep := []string{"notes.txt", ".hidden", ".5.json"}
	for _, name := range append(keep, ".5.json123", ".17.json9223372036854775807") {
		filetest.Write(t, filepath.Join(filepath.Dir(path), name), "x")
	}
	open(t, root, nil)
	slices.Sort(keep)
	if diff := cmp.Diff(keep, filetest.List(t, filepath.Dir(path))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
