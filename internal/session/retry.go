package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"the-loop/internal/ownfile"
)

// retryMarker, in the folder of all records, says that somewhere a note has
// been left. No host name begins with a dot.
//
// A note is left before the marker, and the marker is removed before the notes
// are looked for: so a note is either found in the search that its marker, or
// an earlier one, set off, or its marker comes after that search and sets off
// the next one. The marker says nothing else, so it cannot lose anything.
const retryMarker = ".retry"

// LeaveRetryNote asks the daemon that owns the records below root to arm
// again what was given up for ref. It is for another process: it takes no
// lock and touches no record. The error wraps [fs.ErrNotExist] when the item
// has no record.
func LeaveRetryNote(root, ref string) error {
	parsed, err := ParseRef(ref)
	if err != nil {
		return err
	}
	t := tree{root}
	if err := t.leaveNote(parsed); err != nil {
		return fmt.Errorf("retry note for %s: %w", parsed, err)
	}
	return nil
}

func (t tree) leaveNote(ref Ref) error {
	folder, err := t.folder(ref)
	if err != nil {
		return err
	}
	defer folder.Close()
	if _, err := folder.Lstat(ref.file()); err != nil {
		return err
	}
	if err := touch(folder, ref.note()); err != nil {
		return err
	}
	items, err := t.items()
	if err != nil {
		return err
	}
	defer items.Close()
	return touch(items, retryMarker)
}

// note is the name of the note beside the record.
func (r Ref) note() string { return fmt.Sprint(r.Number, retrySuffix) }

// touch makes the file, or gives it a new time: its being there is the message.
func touch(folder *os.Root, name string) error {
	f, err := ownfile.OpenIn(folder, name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, time.Now().UTC().Format(time.RFC3339))
	return errors.Join(err, f.Close())
}

// TakeRetryNotes calls take with the ref of each item for which a note was
// left, and removes the note once take has returned nil: a crash, or an error
// of take, leaves the note for the next time. It is to be called once in each
// cycle, by one goroutine, and costs one look at one file when there is no
// note. take may call the store.
func (s *Store) TakeRetryNotes(take func(ref string) error) error {
	if s.opts.ReadOnly {
		return nil
	}
	marked := s.tree.unmark()
	if noted := s.expectNotes(false); !noted && !marked {
		return nil
	}
	listings, _ := s.tree.walk("", nil)
	slices.SortFunc(listings, func(a, b listing) int { return compareRefs(a.ref, b.ref) })
	var errs []error
	for _, l := range listings {
		slices.Sort(l.notes)
		for _, number := range l.notes {
			if err := s.takeNote(l.ref.with(number), take); err != nil {
				s.expectNotes(true)
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// expectNotes says whether the next look for notes needs no marker, and
// returns what was said before.
func (s *Store) expectNotes(next bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.noted
	s.noted = next
	return before
}

func (s *Store) takeNote(ref Ref, take func(string) error) error {
	folder, err := s.tree.folder(ref)
	if err != nil {
		return fmt.Errorf("retry note for %s: %w", ref, err)
	}
	defer folder.Close()
	info, err := folder.Lstat(ref.note())
	if err != nil {
		return nil // taken back
	}
	if at, ok := s.taken[ref]; !ok || !at.Equal(info.ModTime()) {
		if _, known, err := s.Get(ref.String()); err != nil {
			return err
		} else if known {
			if err := take(ref.String()); err != nil {
				return fmt.Errorf("retry note for %s: %w", ref, err)
			}
		}
	}
	// A note that cannot be removed counts once all the same.
	s.taken[ref] = info.ModTime()
	if err := folder.Remove(ref.note()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("retry note for %s: %w", ref, err)
	}
	delete(s.taken, ref)
	return nil
}

// unmark removes the marker and reports whether there was one.
func (t tree) unmark() bool {
	if _, err := os.Lstat(filepath.Join(t.stateRoot, itemsFolder, retryMarker)); err != nil {
		return false
	}
	items, err := t.items()
	if err != nil {
		return false
	}
	defer items.Close()
	items.Remove(retryMarker) // one that stays sets off a search each time, no more
	return true
}
