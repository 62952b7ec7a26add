package session

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"the-loop/internal/counted"
	"the-loop/internal/ref"
)

// Options configure a [Store]. The zero value is usable.
type Options struct {
	// Now stamps the store's own entries; nil means time.Now.
	Now func() time.Time
	// Logger gets warnings that no caller gets as errors; nil discards them.
	Logger *slog.Logger
	// OnCorrupt is called for each record that was moved aside, with its old and new
	// path and the reason. It runs inside Open, Get, Update or Flush and must not call
	// the store.
	OnCorrupt func(path, movedTo, ref string, cause error)
	// ReadOnly is for a dry run: the store changes nothing on disk, keeps updates in
	// memory only, and treats a corrupt record as recovered without moving it.
	ReadOnly bool
}

// Store holds all records on disk and, except those of ended sessions, in memory. It is
// safe for concurrent use.
type Store struct {
	tree tree
	opts Options

	mu      sync.Mutex // guards the fields below; locked after an entry's mutex, never before
	entries map[string]*entry
	scopes  map[string][]*entry
	ordered []*entry // all, by ref; nil if it must be rebuilt
	dirty   map[*entry]error
	// attention holds the entries whose records wait for a person, so that finding them
	// takes no search of all records.
	attention map[*entry]bool
	// obstacles holds unreadable paths, relative to the folder of all records. The items
	// there are unknown.
	obstacles map[string]error
	order     int // the highest Order of a pending delivery so far
	// noted is set if there may be notes without a marker.
	noted bool
	// home is the folder of all records, nil in a ReadOnly store. It is kept open so that
	// its inode cannot be reused: that is how a replaced folder is noticed.
	home *os.File

	healing sync.Mutex // held while obstacles are retried; locked before any other
	// taken holds the notes that were taken and could not be removed. It belongs to the
	// caller of TakeNotes.
	taken map[takenNote]time.Time

	// The fields below belong to the caller of Flush.
	keep time.Duration // for which ended sessions are kept, 0 for ever
	tidy tidying
	// folders holds the repositories' folders as last seen.
	folders map[string]fs.FileInfo
}

// entry is one item's place in the store.
type entry struct {
	item ref.Item

	mu    sync.Mutex
	gone  bool // dropped, because the item is unknown or ended: find the place again
	known bool // rec holds the record
	// rec is only ever replaced, never changed: readers share it.
	rec Record
	// onDisk is false while rec is not written: its last write failed or was not tried yet.
	onDisk bool
}

// Open reads all records below root, the state root, and creates it if it is missing. It
// sets corrupt records aside and removes temporary files that a crash left behind. An
// error means that no record can be kept at all.
func Open(root string, opts Options) (*Store, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{
		tree: tree{root}, opts: opts,
		entries: map[string]*entry{}, scopes: map[string][]*entry{},
		dirty: map[*entry]error{}, attention: map[*entry]bool{}, taken: map[takenNote]time.Time{},
	}
	if !opts.ReadOnly {
		if err := s.takeHome(); err != nil {
			return nil, fmt.Errorf("session records: %w", err)
		}
	}
	s.obstacles = s.load("")
	if err := s.obstacles[""]; err != nil {
		return nil, fmt.Errorf("session records: %w", err)
	}
	return s, nil
}

// now is the time in UTC, in whole seconds because people read it.
func (s *Store) now() time.Time { return s.opts.Now().UTC().Truncate(time.Second) }

// Get returns the present record of ref, a blank one for an unknown item, and whether
// the item is known. Treat the record as read-only. [Store.Update] does not change
// records that Get has returned.
//
// An error means that a record may exist but cannot be reached. The caller must not
// start anything for the item then. The next Get tries again.
func (s *Store) Get(ref string) (Record, bool, error) {
	e, err := s.acquire(ref)
	if err != nil {
		return Record{}, false, err
	}
	defer e.mu.Unlock()
	if !e.known {
		s.forget(e)
		return newRecord(e.item), false, nil
	}
	return e.rec.shared(), true, nil
}

// Update changes the record of ref, or creates it, and writes it at once if change
// altered it. If change returns an error, Update changes nothing and returns it
// unwrapped. change must not call the store.
//
// If the record cannot be reached, Update fails without calling change. If it cannot be
// written, Update fails, too, but keeps the new state in memory: Get returns it, and
// [Store.Flush] and every further Update try to write it. A caller that must only act
// on stored state therefore calls Update first.
func (s *Store) Update(ref string, change func(*Record) error) error {
	e, err := s.acquire(ref)
	if err != nil {
		return err
	}
	defer e.mu.Unlock()
	before, onDisk := e.rec, e.onDisk
	if !e.known {
		before, onDisk = newRecord(e.item), true // no need to write a blank record
	}
	after := before.clone()
	if err := change(&after); err != nil {
		return err
	}
	s.number(after.Pending)
	after.Version = formatOf(after.State)
	if err := after.check(e.item); err != nil {
		return fmt.Errorf("record of %s: %w", e.item, err)
	}
	same, err := equal(before, after)
	if err != nil {
		return err
	}
	if same && onDisk {
		return nil
	}
	s.fill(e, after.clone(), false)
	return s.write(e)
}

func equal(a, b Record) (bool, error) {
	x, err := a.Encode()
	if err != nil {
		return false, err
	}
	y, err := b.Encode()
	return bytes.Equal(x, y), err
}

// Flush retries failed writes and reads. If the folder of all records was removed or
// replaced, for instance by a mounted disk, it writes every record again. It also
// removes records that [Store.SetKeep] does not keep. Call it once a cycle, from one
// goroutine; it costs next to nothing when all is well. An error means that some
// records are still unwritten.
func (s *Store) Flush() error {
	if err := s.followHome(); err != nil {
		return fmt.Errorf("session records: %w", err)
	}
	s.followFolders()
	s.careForEnded()
	s.retryObstacles(func(string) bool { return true })
	s.mu.Lock()
	var waiting []*entry
	for e := range s.dirty {
		waiting = append(waiting, e)
	}
	s.mu.Unlock()
	slices.SortFunc(waiting, byRef)
	var first error
	failed := map[string]bool{} // by scope: one attempt in each folder is enough
	for _, e := range waiting {
		if scope := e.item.Scope(); !failed[scope] {
			if err := s.rewrite(e); err != nil {
				failed[scope] = true
				first = cmp.Or(first, err)
			}
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%s not written yet: %w", counted.Of(s.Dirty(), "session record is", "session records are"), first)
}

// rewrite writes the entry's record if it is not on disk.
func (s *Store) rewrite(e *entry) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.onDisk {
		return nil
	}
	return s.write(e)
}

// Dirty counts the records whose present state is only in memory.
func (s *Store) Dirty() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dirty)
}

// OnDisk reports whether the record of ref is stored as Get returns it, and would
// therefore survive a crash. It is true for unknown items, and for all items of a
// ReadOnly store.
func (s *Store) OnDisk(ref string) bool {
	s.mu.Lock()
	e := s.entries[ref]
	s.mu.Unlock()
	if e == nil || s.opts.ReadOnly {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.known || e.onDisk
}

// acquire finds the entry of ref, locks it and reads the record if it is not in memory.
// It first retries obstacles behind which ref could lie.
func (s *Store) acquire(ref string) (*entry, error) {
	e, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	if e.known && !e.gone {
		return e, nil
	}
	e.mu.Unlock()
	// The entry must be unlocked: retrying fills entries.
	err = s.retryObstacles(func(path string) bool { return liesIn(e.item, path) })
	e = s.locked(e.item)
	if err == nil {
		err = s.ensure(e)
	}
	if err != nil {
		e.mu.Unlock()
		return nil, fmt.Errorf("record of %s: %w", e.item, err)
	}
	return e, nil
}

func (s *Store) find(name string) (*entry, error) {
	s.mu.Lock()
	e := s.entries[name]
	s.mu.Unlock()
	if e != nil {
		return e, nil
	}
	item, err := ref.Parse(name)
	if err != nil {
		return nil, err
	}
	return s.entry(item), nil
}

// fill puts a record into its entry. The caller holds the entry's lock.
func (s *Store) fill(e *entry, rec Record, onDisk bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !e.known {
		scope := e.item.Scope()
		s.scopes[scope] = append(s.scopes[scope], e)
		s.ordered = nil
	}
	e.rec, e.known, e.onDisk = rec, true, onDisk
	for _, p := range rec.Pending {
		s.order = max(s.order, p.Order)
	}
	delete(s.attention, e)
	if rec.Standing() {
		s.attention[e] = true
	}
}

// number gives new pending deliveries their place in the order of all.
func (s *Store) number(pending []Pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range pending {
		if pending[i].Order == 0 {
			s.order++
			pending[i].Order = s.order
		}
	}
}

// write stores the entry's record and remembers a failure. The caller holds the entry's
// lock.
func (s *Store) write(e *entry) error {
	if s.opts.ReadOnly {
		return nil
	}
	data, err := e.rec.Encode()
	if err == nil {
		err = s.tree.write(e.item, data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.onDisk = err == nil
	if err != nil {
		s.dirty[e] = err
		return &UnwrittenError{Ref: e.item.String(), Err: err}
	}
	delete(s.dirty, e)
	return nil
}

// UnwrittenError means that the present state of a record is only in memory.
type UnwrittenError struct {
	Ref string
	Err error
}

func (e *UnwrittenError) Error() string { return fmt.Sprintf("write record of %s: %v", e.Ref, e.Err) }
func (e *UnwrittenError) Unwrap() error { return e.Err }

func (s *Store) entry(item ref.Item) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := item.String()
	e := s.entries[name]
	if e == nil {
		e = &entry{item: item}
		s.entries[name] = e
	}
	return e
}

// locked returns the entry of item, locked.
func (s *Store) locked(item ref.Item) *entry {
	for {
		e := s.entry(item)
		e.mu.Lock()
		if !e.gone {
			return e
		}
		e.mu.Unlock()
	}
}

// forget drops the entry of an unknown item: texts of strangers can name any number of
// them. The caller holds the entry's lock.
func (s *Store) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.gone = true
	delete(s.entries, e.item.String())
}
