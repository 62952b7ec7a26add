package session

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"the-loop/internal/ref"
)

// load reads the records at or below the path of a folder or of one record, and returns
// the paths that could not be read. Records already in memory are newer than those on
// disk. Records of ended sessions stay on disk.
func (s *Store) load(path string) map[string]error {
	var over endedList
	if path == "" {
		over = s.tree.readEnded()
	}
	listings, obstacles := s.tree.walk(path, over)
	fresh := endedList{}
	for _, f := range s.tree.readAll(listings, false) {
		if f.ended != nil {
			fresh.add(repoFolder(f.item.Repo), *f.ended)
			continue
		}
		if err := s.admit(f); err != nil {
			obstacles[recordPath(f.item)] = err
		}
	}
	for _, item := range s.listEnded(path, over, listings, fresh) {
		if err := s.take(item); err != nil {
			obstacles[recordPath(item)] = err
		}
	}
	for _, l := range listings {
		for _, number := range l.lost {
			s.recover(l.repo.Item(number))
		}
		s.sweep(l)
		if len(l.notes) > 0 {
			s.expectNotes(true)
		}
	}
	return obstacles
}

// take reads one record into memory.
func (s *Store) take(item ref.Item) error {
	e := s.locked(item)
	defer e.mu.Unlock()
	return s.ensure(e)
}

// admit takes one record that was read into memory. Its error keeps the item out of
// reach.
func (s *Store) admit(f found) error {
	e := s.locked(f.item)
	defer e.mu.Unlock()
	switch {
	case e.known:
		return nil
	case f.err != nil:
		return s.replaceCorrupt(e, f.err)
	}
	s.fill(e, f.rec, true)
	return nil
}

// replaceCorrupt moves a corrupt record aside and puts a recovered one in its place. It
// returns err if that is of another kind. It also fails if the file cannot be moved:
// no assumption is safe then, and the item stays out of reach.
func (s *Store) replaceCorrupt(e *entry, err error) error {
	if corrupt := (*corruptError)(nil); !errors.As(err, &corrupt) {
		return err
	}
	now := s.now()
	path := s.tree.path(e.item)
	if !s.opts.ReadOnly {
		movedTo, moving := s.tree.setAside(e.item, now)
		if moving != nil {
			return fmt.Errorf("%w, and it cannot be moved aside: %w", err, moving)
		}
		s.opts.Logger.Warn("session record could not be read and was moved aside",
			"path", path, "moved_to", movedTo, "error", err)
		if s.opts.OnCorrupt != nil {
			s.opts.OnCorrupt(path, movedTo, e.item.String(), err)
		}
	}
	s.replaceLost(e, now)
	return nil
}

// recover takes in an item of which only a file set aside is left, because the program
// ended between the move and the write of the new record.
func (s *Store) recover(item ref.Item) {
	e := s.locked(item)
	defer e.mu.Unlock()
	if !e.known {
		s.replaceLost(e, s.now())
	}
}

// replaceLost makes the item known with a recovered record. If that cannot be written,
// it stays in memory like any other record.
func (s *Store) replaceLost(e *entry, now time.Time) {
	s.fill(e, recoveredRecord(e.item, now), false)
	if err := s.write(e); err != nil {
		s.opts.Logger.Warn("session record could not be written", "ref", e.item.String(), "error", err)
	}
}

// sweep removes temporary files that a crash left behind.
func (s *Store) sweep(l listing) {
	if len(l.leftovers) == 0 || s.opts.ReadOnly {
		return
	}
	folder, err := s.tree.folder(l.repo)
	if err != nil {
		return // the next start tries again; the files do no harm
	}
	defer folder.Close()
	for _, name := range l.leftovers {
		folder.Remove(name)
	}
}

// ensure reads the record of an item that is not in memory. It asks the disk each time,
// because the file can have come into reach or gone out of it.
func (s *Store) ensure(e *entry) error {
	if e.known {
		return nil
	}
	data, err := s.tree.read(e.item)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		var rec Record
		if rec, err = decodeRecord(data, e.item); err == nil {
			s.fill(e, rec, true)
			return nil
		}
		err = s.replaceCorrupt(e, err)
	}
	return err
}

// retryObstacles tries again to read behind the obstacles that concern the caller. It
// returns the error of one that remains.
func (s *Store) retryObstacles(concerns func(path string) bool) error {
	if len(s.standing(concerns)) == 0 {
		return nil
	}
	// One goroutine at a time. An obstacle remains until everything behind it is in
	// memory: a caller that asks meanwhile must not find nothing there.
	s.healing.Lock()
	defer s.healing.Unlock()
	for _, path := range s.standing(concerns) {
		left := s.load(path)
		s.mu.Lock()
		delete(s.obstacles, path)
		maps.Copy(s.obstacles, left)
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, err := range s.obstacles {
		if concerns(path) {
			return err
		}
	}
	return nil
}

// standing lists the obstacles that concern the caller.
func (s *Store) standing(concerns func(path string) bool) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	for path := range s.obstacles {
		if concerns(path) {
			paths = append(paths, path)
		}
	}
	return paths
}
