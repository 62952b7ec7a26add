package session

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/timetext"
)

const (
	// tidyEvery is the number of cycles between two searches for ended sessions.
	tidyEvery = 60
	// pruneAtOnce is the number of records removed in a cycle.
	pruneAtOnce = 50
)

// tidying is the state of the care for ended sessions between two cycles.
type tidying struct {
	cycles  int
	queue   []ref.Item // to be removed
	cutoff  time.Time  // the sessions in the queue ended before it
	removed int        // since the queue was built
	told    string
}

// SetKeep sets the time for which records and logs of ended sessions are kept; 0 means
// for ever. Each call of [Store.Flush] removes a few older ones; use SetKeep from the
// same goroutine.
func (s *Store) SetKeep(d time.Duration) {
	if s.keep != d {
		s.keep, s.tidy = d, tidying{told: s.tidy.told}
	}
}

// careForEnded moves records of ended sessions out of memory and removes old ones.
func (s *Store) careForEnded() {
	if s.opts.ReadOnly {
		return
	}
	if s.tidy.cycles%tidyEvery == 0 && len(s.tidy.queue) == 0 {
		s.retire()
		s.tidy.cutoff = s.cutoff()
		s.tidy.queue, s.tidy.removed = s.tooOld(s.tidy.cutoff), 0
	}
	s.tidy.cycles++
	if len(s.tidy.queue) > 0 {
		s.tellOnce("old sessions could not be removed, tried again later", s.pruneNext())
	}
}

// pruneNext removes the next few records of the queue.
func (s *Store) pruneNext() error {
	turn := s.tidy.queue[:min(pruneAtOnce, len(s.tidy.queue))]
	s.tidy.queue = s.tidy.queue[len(turn):]
	if err := s.prune(turn); err != nil {
		s.tidy.queue = nil // rebuilt after tidyEvery cycles
		return err
	}
	if len(s.tidy.queue) > 0 {
		return nil
	}
	s.opts.Logger.Info("records and logs of sessions that ended long ago were removed",
		"sessions", s.tidy.removed, "ended_before", timetext.UTC(s.tidy.cutoff))
	return s.unlistTooOld()
}

// tellOnce warns of an error unless it is the same as last time.
func (s *Store) tellOnce(message string, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != s.tidy.told {
		s.opts.Logger.Warn(message, "error", err)
	}
	s.tidy.told = text
}

// cutoff returns the time before which a session must have ended to be removed, zero if
// all are kept.
func (s *Store) cutoff() time.Time {
	if s.keep <= 0 {
		return time.Time{}
	}
	return s.now().Add(-s.keep)
}

// outlived reports whether the session ended before cutoff and has nothing left to do.
func (r *Record) outlived(cutoff time.Time) bool {
	return r.State == StateClosed && len(r.Pending) == 0 && !r.SinceAt.IsZero() && r.SinceAt.Before(cutoff)
}

// tooOld lists the items whose sessions must be removed, folder by folder.
func (s *Store) tooOld(cutoff time.Time) []ref.Item {
	if cutoff.IsZero() {
		return nil
	}
	var refs []ref.Item
	for folder, records := range s.tree.readEnded() {
		repo, ok := repoOfFolder(folder)
		for number, e := range records {
			if ok && e.since != 0 && e.since < cutoff.Unix() {
				refs = append(refs, repo.Item(number))
			}
		}
	}
	for _, e := range s.inOrder() {
		e.mu.Lock()
		if e.known && !e.gone && e.onDisk && e.rec.outlived(cutoff) {
			refs = append(refs, e.item)
		}
		e.mu.Unlock()
	}
	slices.SortFunc(refs, compareRefs)
	return slices.Compact(refs)
}

// unlistTooOld takes removed records out of the list of ended sessions.
func (s *Store) unlistTooOld() error {
	cutoff := s.tidy.cutoff.Unix()
	list, changed := s.tree.readEnded(), false
	for _, records := range list {
		for number, e := range records {
			if e.since != 0 && e.since < cutoff {
				delete(records, number)
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	return s.tree.writeEnded(list)
}

// prune removes the records, which must be in the order of their folders.
func (s *Store) prune(refs []ref.Item) error {
	var errs []error
	for len(refs) > 0 {
		n := slices.IndexFunc(refs, func(r ref.Item) bool { return repoFolder(r.Repo) != repoFolder(refs[0].Repo) })
		if n < 0 {
			n = len(refs)
		}
		errs = append(errs, s.pruneFolder(refs[:n]))
		refs = refs[n:]
	}
	return errors.Join(errs...)
}

func (s *Store) pruneFolder(refs []ref.Item) error {
	folder, err := s.tree.folder(refs[0].Repo)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	aside, err := filesAside(folder)
	if err != nil {
		return err
	}
	for _, item := range refs {
		if err := s.pruneOne(folder, item, aside[item.Number]); err != nil {
			return err
		}
	}
	return nil
}

// filesAside returns the files beside records, by number. They must go before the
// record, which would otherwise be recovered from them.
func filesAside(folder *os.Root) (map[int][]string, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	aside := map[int][]string{}
	for _, name := range names {
		if kind, number := classify(name); kind == fileCorrupt || kind == fileNote {
			aside[number] = append(aside[number], name)
		}
	}
	return aside, err
}

// pruneOne removes all files of one item, the record last, unless its session has come
// back.
func (s *Store) pruneOne(folder *os.Root, item ref.Item, aside []string) error {
	e := s.locked(item)
	defer e.mu.Unlock()
	if err := s.ensure(e); err != nil {
		return nil // reported when the item is asked for
	}
	if !e.known {
		s.forget(e)
		return nil
	}
	if !e.rec.outlived(s.tidy.cutoff) {
		return nil
	}
	if err := removeLogs(s.tree.stateRoot, e.rec.Session); err != nil {
		return err
	}
	for _, name := range append(aside, recordFile(item.Number)) {
		if err := folder.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	s.release(e)
	s.tidy.removed++
	return nil
}

// retire moves the records of ended sessions out of memory once there are many.
func (s *Store) retire() {
	var over []*entry
	for _, e := range s.inOrder() {
		e.mu.Lock()
		if e.known && !e.gone && e.onDisk && e.rec.over() {
			over = append(over, e)
		}
		e.mu.Unlock()
	}
	if len(over) < endedBatch {
		return
	}
	list := s.tree.readEnded()
	if list == nil {
		list = endedList{}
	}
	for _, e := range over {
		s.retireOne(e, list)
	}
	s.tellOnce("the list of ended sessions could not be written", s.tree.writeEnded(list))
}

func (s *Store) retireOne(e *entry, list endedList) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone || !e.onDisk || !e.rec.over() {
		return
	}
	info, err := os.Lstat(s.tree.path(e.item))
	if err != nil || time.Since(info.ModTime()) < endedAge {
		return
	}
	list.add(repoFolder(e.item.Repo), e.rec.ended(info))
	s.release(e)
}

// listEnded rewrites the list of ended sessions if it differs much from the records on
// disk; it can compare them only after a reading of all records, with path "". fresh
// holds the ended sessions that were not on the list. listEnded returns those of them
// that are not on it now either: they stay in memory, where they are found once they
// are too old.
func (s *Store) listEnded(path string, before endedList, listings []listing, fresh endedList) []ref.Item {
	list, added := endedList{}, 0
	var young []ref.Item
	for folder, records := range fresh {
		repo, _ := repoOfFolder(folder)
		for number, e := range records {
			if time.Since(time.Unix(0, e.modified)) < endedAge {
				young = append(young, repo.Item(number))
				continue
			}
			list.add(folder, e)
			added++
		}
	}
	for _, l := range listings {
		for _, e := range l.ended {
			list.add(repoFolder(l.repo), e)
		}
	}
	stale := before.len() - (list.len() - added)
	switch {
	case s.opts.ReadOnly:
		return nil // nothing is removed; records are read when asked for
	case stale+added < endedBatch || path != "":
		return fresh.refs()
	}
	s.tellOnce("the list of ended sessions could not be written", s.tree.writeEnded(list))
	return young
}

// release drops a record from memory that stays on disk or is gone from there. The
// caller holds the entry's lock.
func (s *Store) release(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.gone = true
	delete(s.entries, e.item.String())
	delete(s.attention, e)
	scope := e.item.Scope()
	s.scopes[scope] = slices.DeleteFunc(s.scopes[scope], func(other *entry) bool { return other == e })
	if len(s.scopes[scope]) == 0 {
		delete(s.scopes, scope)
	}
	s.ordered = nil
}
