package session

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"the-loop/internal/ownfile"
	"the-loop/internal/ref"
	"the-loop/internal/timetext"
)

// retryMarker, in the folder of all records, says that some item has a note. No host name
// begins with a dot.
//
// A writer leaves the note first and the marker second. The daemon removes the marker
// first and searches for notes second. So the search finds a note, or the note's marker
// comes after the search and triggers the next one: no note is lost.
const retryMarker = ".retry"

// Note is a request from the command line about an item's session. It is the file
// N.json.NOTE beside the record.
type Note string

// The notes.
const (
	NoteRetry   Note = "retry" // arm given-up deliveries again
	NoteStop    Note = "stop"
	NotePause   Note = "pause"
	NoteResume  Note = "resume"
	NoteRestart Note = "restart"
)

func allNotes() []Note { return []Note{NoteRetry, NoteStop, NotePause, NoteResume, NoteRestart} }

func (n Note) known() bool { return slices.Contains(allNotes(), n) }

// leftNote is a note by the number of its item.
type leftNote struct {
	number int
	note   Note
}

// noteOf returns the note of a file that is one.
func noteOf(file string) Note { return Note(strings.TrimPrefix(filepath.Ext(file), ".")) }

// takenNote is a note that was taken and could not be removed.
type takenNote struct {
	item ref.Item
	note Note
}

// LeaveNote leaves a request for the daemon that owns the records below root. It is for
// other processes: it takes no lock and touches no record. If the item has no record,
// the error wraps [fs.ErrNotExist].
func LeaveNote(root, name string, note Note) error {
	parsed, err := ref.Parse(name)
	if err != nil {
		return err
	}
	t := tree{root}
	if err := t.leaveNote(parsed, note); err != nil {
		return fmt.Errorf("%s note for %s: %w", note, parsed, err)
	}
	return nil
}

// LeaveRetryNote asks the daemon to arm the item's given-up deliveries again.
func LeaveRetryNote(root, name string) error { return LeaveNote(root, name, NoteRetry) }

// LeftNotes returns the notes beside the record of item, oldest first. It leaves out
// unreadable ones.
func LeftNotes(root string, item ref.Item) []Note {
	folder, err := tree{root}.folder(item.Repo)
	if err != nil {
		return nil
	}
	defer folder.Close()
	return inOrderLeft(folder, item, allNotes())
}

func (t tree) leaveNote(item ref.Item, note Note) error {
	folder, err := t.folder(item.Repo)
	if err != nil {
		return err
	}
	defer folder.Close()
	if _, err := folder.Lstat(recordFile(item.Number)); err != nil {
		return err
	}
	if err := touch(folder, noteFile(item.Number, note)); err != nil {
		return err
	}
	items, err := t.items()
	if err != nil {
		return err
	}
	defer items.Close()
	return touch(items, retryMarker)
}

// inOrderLeft returns the notes that exist, oldest first.
func inOrderLeft(folder *os.Root, item ref.Item, notes []Note) []Note {
	times := map[Note]time.Time{}
	for _, n := range notes {
		if info, err := folder.Lstat(noteFile(item.Number, n)); err == nil {
			times[n] = info.ModTime()
		}
	}
	there := slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return times[n].IsZero() })
	slices.SortStableFunc(there, func(a, b Note) int { return times[a].Compare(times[b]) })
	return there
}

// touch makes the file or renews its time. Its existence is the message.
func touch(folder *os.Root, name string) error {
	f, err := ownfile.OpenIn(folder, name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, timetext.UTC(time.Now()))
	return errors.Join(err, f.Close())
}

// TakeNotes calls take with each note and its item's ref, and removes the note once take
// has returned nil. A crash or an error of take leaves the note, and later ones of the
// item, for the next time. Call TakeNotes once a cycle, from one goroutine. Without
// notes it only checks for one file. take may call the store.
func (s *Store) TakeNotes(take func(ref string, note Note) error) error {
	if s.opts.ReadOnly {
		return nil
	}
	marked := s.tree.unmark()
	if noted := s.expectNotes(false); !noted && !marked {
		return nil
	}
	listings, _ := s.tree.walk("", nil)
	slices.SortFunc(listings, func(a, b listing) int { return compareRepos(a.repo, b.repo) })
	var errs []error
	for _, l := range listings {
		byItem := map[int][]Note{}
		for _, n := range l.notes {
			byItem[n.number] = append(byItem[n.number], n.note)
		}
		for _, number := range slices.Sorted(maps.Keys(byItem)) {
			if err := s.takeNotes(l.repo.Item(number), byItem[number], take); err != nil {
				s.expectNotes(true)
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// expectNotes sets whether the next search for notes needs no marker, and returns the
// previous setting.
func (s *Store) expectNotes(next bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.noted
	s.noted = next
	return before
}

// takeNotes takes the notes of one item in the order in which they were left.
func (s *Store) takeNotes(item ref.Item, notes []Note, take func(string, Note) error) error {
	folder, err := s.tree.folder(item.Repo)
	if err != nil {
		return fmt.Errorf("notes for %s: %w", item, err)
	}
	defer folder.Close()
	for _, note := range inOrderLeft(folder, item, notes) {
		if err := s.takeNote(folder, takenNote{item, note}, take); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) takeNote(folder *os.Root, n takenNote, take func(string, Note) error) error {
	info, err := folder.Lstat(noteFile(n.item.Number, n.note))
	if err != nil {
		return nil // taken back
	}
	if at, ok := s.taken[n]; !ok || !at.Equal(info.ModTime()) {
		if _, known, err := s.Get(n.item.String()); err != nil {
			return err
		} else if known {
			if err := take(n.item.String(), n.note); err != nil {
				return fmt.Errorf("%s note for %s: %w", n.note, n.item, err)
			}
		}
	}
	// A note that cannot be removed still counts only once.
	s.taken[n] = info.ModTime()
	if err := folder.Remove(noteFile(n.item.Number, n.note)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s note for %s: %w", n.note, n.item, err)
	}
	delete(s.taken, n)
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
	items.Remove(retryMarker) // if it stays, it only triggers a search each time
	return true
}
