package session

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"the-loop/internal/ref"
)

// load reads the records at or below a path, which is that of a folder or of
// one record, and returns what could not be read. Records that are in memory
// already are newer than the disk's. Those of ended sessions stay on disk.
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

// admit takes in one record that was read. It returns what stands in the way
// of knowing the item.
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

// replaceCorrupt moves a corrupt record aside and puts a recovered one in its
// place. It returns err when that is of another kind, and why the file could
// not be moved: then nothing is safe to assume, and the item stays out of
// reach.
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

// recover takes in an item of which only a file set aside is left: the
// program ended between the move and the write of the new record.
func (s *Store) recover(item ref.Item) {
	e := s.locked(item)
	defer e.mu.Unlock()
	if !e.known {
		s.replaceLost(e, s.now())
	}
}

// replaceLost makes the item known with a recovered record. When that cannot
// be written it is remembered, as any other record.
func (s *Store) replaceLost(e *entry, now time.Time) {
	s.fill(e, recoveredRecord(e.item, now), false)
	if err := s.write(e); err != nil {
		s.opts.Logger.Warn("session record could not be written", "ref", e.item.String(), "error", err)
	}
}

// sweep removes what a crash left of earlier writes.
func (s *Store) sweep(l listing) {
	if len(l.leftovers) == 0 || s.opts.ReadOnly {
		return
	}
	folder, err := s.tree.folder(l.repo)
	if err != nil {
		return // the next start tries again; the files are only in the way of tidiness
	}
	defer folder.Close()
	for _, name := range l.leftovers {
		folder.Remove(name)
	}
}

// ensure reads the record of an item that is not in memory. The disk is asked
// each time: the file can have come into reach, or got out of it.
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

// retryObstacles reads again what lies behind the obstacles that concern the
// caller. It returns the error of one that still stands.
func (s *Store) retryObstacles(concerns func(path string) bool) error {
	if len(s.standing(concerns)) == 0 {
		return nil
	}
	// One goroutine at a time, and an obstacle stands until all that lies
	// behind it is in memory: who asks meanwhile must not find nothing there.
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
