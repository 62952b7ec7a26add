package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

const manyOver = endedBatch + 20

func overRef(n int) string { return fmt.Sprintf("github:octo/repo#%d", n) }

// pastSessions is a state root with the records of ended sessions 1 to
// manyOver, the last of which gave a delivery up, and with the live one of
// octo/b#1. Their files are old enough to be listed.
func pastSessions(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	s := open(t, root, nil)
	for n := 1; n <= manyOver; n++ {
		update(t, s, overRef(n), func(r *Record) {
			r.Kind, r.Title, r.LastDeliveryAt = "issue", fmt.Sprintf("%d \"quoted\"\ttab \U0001F41B", n), day(8)
			r.SetState(StateClosed, day(9))
			r.MarkSeen("IC_1", "IC_2")
			if n == manyOver {
				r.GaveUp = []GaveUp{{DeliveryID: "close-x", Event: EventClose}}
			}
		})
		age(t, root, overRef(n))
	}
	activate(t, s, "github:octo/b#1")
	age(t, root, "github:octo/b#1")
	return root
}

func update(t *testing.T, s *Store, ref string, change func(*Record)) {
	t.Helper()
	if err := s.Update(ref, func(r *Record) error { change(r); return nil }); err != nil {
		t.Fatal(err)
	}
}

func fileOf(t *testing.T, root, ref string) string {
	t.Helper()
	return RecordPath(root, mustRef(t, ref))
}

// age makes the record's file older than what may still change within its time.
func age(t *testing.T, root, ref string) {
	t.Helper()
	old := time.Now().Add(-2 * endedAge)
	if err := os.Chtimes(fileOf(t, root, ref), old, old); err != nil {
		t.Fatal(err)
	}
}

// inMemory counts the records that the store holds.
func inMemory(s *Store) int {
	n := 0
	for range s.All() {
		n++
	}
	return n
}

// A start reads the records of ended sessions once; the next one reads the list.
func TestEndedStayOnDisk(t *testing.T) {
	root := pastSessions(t)
	for range 2 {
		s := open(t, root, nil)
		if got := inMemory(s); got != 2 {
			t.Errorf("%d records in memory, want the live one and the one that gave up", got)
		}
		if rec := get(t, s, overRef(7)); rec.State != StateClosed || len(rec.Seen) != 2 {
			t.Errorf("the record of an ended session is %+v", rec)
		}
	}
	whole, errs := ReadAll(root)
	list, listErrs := ReadList(root, true)
	if len(whole) != manyOver+1 || len(errs)+len(listErrs) > 0 {
		t.Fatalf("%d records, %v, %v", len(whole), errs, listErrs)
	}
	for i := range whole {
		if whole[i].over() {
			whole[i].Seen = nil
		}
	}
	if diff := cmp.Diff(whole, list); diff != "" {
		t.Errorf("the list differs (-whole +list):\n%s", diff)
	}
	if live, _ := ReadList(root, false); len(live) != 2 {
		t.Errorf("%d records without the ended ones, want 2", len(live))
	}
}

// Whatever has become of the list or of a file, a record that is not over is found.
func TestEndedListIsNotBelieved(t *testing.T) {
	reopen := func(t *testing.T, root string) {
		path := fileOf(t, root, overRef(7))
		text := strings.Replace(filetest.Read(t, path), `"closed"`, `"active"`, 1)
		filetest.Write(t, path, text)
	}
	list := func(root string) string { return filepath.Join(root, itemsFolder, endedFile) }
	for name, c := range map[string]struct {
		happens func(t *testing.T, root string)
		want    int // records in memory
	}{
		"reopened by another program": {reopen, 3},
		"the list is cut off": {func(t *testing.T, root string) {
			text := filetest.Read(t, list(root))
			filetest.Write(t, list(root), text[:len(text)/2])
		}, 2},
		"the list is NUL": {func(t *testing.T, root string) { filetest.Write(t, list(root), "\x00\x00") }, 2},
		"no list": {func(t *testing.T, root string) {
			if err := os.Remove(list(root)); err != nil {
				t.Fatal(err)
			}
		}, 2},
		"the record is gone": {func(t *testing.T, root string) {
			if err := os.Remove(fileOf(t, root, overRef(7))); err != nil {
				t.Fatal(err)
			}
		}, 2},
		"copied without times": {func(t *testing.T, root string) {
			now := time.Now()
			for n := 1; n <= manyOver; n++ {
				if err := os.Chtimes(fileOf(t, root, overRef(n)), now, now); err != nil {
					t.Fatal(err)
				}
			}
		}, manyOver + 1},
	} {
		t.Run(name, func(t *testing.T) {
			root := pastSessions(t)
			open(t, root, nil)
			c.happens(t, root)
			s := open(t, root, nil)
			if got := inMemory(s); got != c.want {
				t.Errorf("%d records in memory, want %d", got, c.want)
			}
			if name == "reopened by another program" && get(t, s, overRef(7)).State != StateActive {
				t.Error("the session that lives again was not found")
			}
		})
	}
}

// A daemon that runs for months does not keep what ended meanwhile in memory.
func TestEndedLeaveMemory(t *testing.T) {
	root := pastSessions(t)
	s := open(t, root, nil)
	for n := 1; n < manyOver; n++ {
		get(t, s, overRef(n)) // in memory again
	}
	if got := inMemory(s); got != manyOver+1 {
		t.Fatalf("%d records in memory", got)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := inMemory(s); got != 2 {
		t.Errorf("%d records in memory, want 2", got)
	}
	update(t, s, overRef(3), func(r *Record) { r.SetState(StateActive, day(10)) })
	if got := get(t, open(t, root, nil), overRef(3)).State; got != StateActive {
		t.Errorf("the reopened session is %s on disk", got)
	}
}

func TestPrune(t *testing.T) {
	root := pastSessions(t)
	s := open(t, root, nil)
	s.SetKeep(0)
	flush(t, s, 3)
	if whole, _ := ReadAll(root); len(whole) != manyOver+1 {
		t.Fatalf("%d records are left, want all", len(whole))
	}
	young, reopened := overRef(1), overRef(2)
	update(t, s, young, func(r *Record) { r.SetState(StateActive, day(9)); r.SetState(StateClosed, day(10)) })
	update(t, s, reopened, func(r *Record) { r.SetState(StateActive, day(9)) })
	aside := fileOf(t, root, overRef(5)) + ".corrupt-20261130T010203Z"
	filetest.Write(t, aside, "")
	log := LogPath(root, Name(mustRef(t, overRef(5))))
	if err := os.Mkdir(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, log, "output\n")
	filetest.Write(t, log+OldLogSuffix, "old output\n")

	s.SetKeep(30 * time.Minute) // it is ten o'clock; they ended at nine
	flush(t, s, 1)
	if whole, _ := ReadAll(root); len(whole) != manyOver+1-(pruneAtOnce-2) {
		t.Errorf("%d records are left after one cycle, of %d that were looked at and 2 that came back", len(whole), pruneAtOnce)
	}
	flush(t, s, manyOver/pruneAtOnce+1)
	var left []string
	whole, _ := ReadAll(root)
	for _, r := range whole {
		left = append(left, r.Ref)
	}
	if want := []string{"github:octo/b#1", young, reopened}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	for _, path := range []string{aside, log, log + OldLogSuffix} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want it removed", path, err)
		}
	}
	if _, known, err := s.Get(overRef(5)); known || err != nil {
		t.Errorf("Get of a removed record: known %v, %v", known, err)
	}
	again := open(t, root, nil)
	if _, known, _ := again.Get(overRef(5)); known || inMemory(again) != 3 {
		t.Errorf("after a restart %d records, removed one known %v", inMemory(again), known)
	}
}

func flush(t *testing.T, s *Store, times int) {
	t.Helper()
	for range times {
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzParseEnded(f *testing.F) {
	e := endedRecord{number: 7, size: 1, modified: 2, since: 3, last: 0, kind: "issue", title: "a\tb\n\"c\""}
	list := endedList{}
	list.add(filepath.Join("github.com", "octo", "a"), e)
	f.Add(string(list.encode()))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		list := parseEnded(text)
		if list == nil {
			return
		}
		if diff := cmp.Diff(list, parseEnded(string(list.encode())), cmp.AllowUnexported(endedRecord{})); diff != "" {
			t.Errorf("the list is another one when it is read again:\n%s", diff)
		}
	})
}
