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

// Options are what a [Store] is told by its caller. The zero value serves.
type Options struct {
	// Now stamps what the store itself writes; nil is time.Now.
	Now func() time.Time
	// Logger gets what is worth a warning and is nobody's error; nil is silence.
	Logger *slog.Logger
	// OnCorrupt hears of each record that was moved aside: its path, the one it
	// has now, and why it could not be read. It is called from inside Open, Get, Update or Flush
	// and must not call the store.
	OnCorrupt func(path, movedTo, ref string, cause error)
	// ReadOnly is for a dry run: nothing on disk is changed, updates are kept
	// in memory only, and a corrupt record counts as recovered where it lies.
	ReadOnly bool
}

// Store is all records, on disk and, but for those of ended sessions, in
// memory. It is safe for use by several goroutines.
type Store struct {
	tree tree
	opts Options

	mu      sync.Mutex // guards what follows; taken after an entry's, never before
	entries map[string]*entry
	scopes  map[string][]*entry
	ordered []*entry // all, by ref; nil when it must be made again
	dirty   map[*entry]error
	// attention are the entries whose records wait for a person, so that looking
	// for them does not depend on how many records there are.
	attention map[*entry]bool
	// obstacles are the paths, relative to the folder of all records, that
	// could not be read: nothing can be said about the items there.
	obstacles map[string]error
	order     int // the highest Order of a pending delivery so far
	// noted is set when retry notes may lie about that no marker tells of.
	noted bool
	// home is the folder of all records, nil in a store that is ReadOnly. It is
	// kept open to tell it from another one at its place: the number of one
	// that is gone could be given to the next.
	home *os.File

	healing sync.Mutex // held while obstacles are tried again; taken before any other
	// taken are the notes that were taken and could not be removed; it belongs
	// to the caller of TakeNotes.
	taken map[takenNote]time.Time

	// What follows belongs to the caller of Flush.
	keep time.Duration // for which ended sessions are kept, 0 for ever
	tidy tidying
	// folders are those of repositories as they were seen last.
	folders map[string]fs.FileInfo
}

// entry is one item's place in the store.
type entry struct {
	item ref.Item

	mu    sync.Mutex
	gone  bool // given up, since nothing is known or it is over: look for the place anew
	known bool // rec holds the record
	// rec is replaced and what it holds never changed: readers have it, too.
	rec Record
	// onDisk is false when rec has yet to be written: its last write failed,
	// or it was never tried.
	onDisk bool
}

// Open reads all records below root, the state root, which is made when it is
// missing. It sets corrupt records aside and removes what a crash left of
// earlier writes. The error says that no record could be kept at all.
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

// now is the time in UTC, in whole seconds as people read them.
func (s *Store) now() time.Time { return s.opts.Now().UTC().Truncate(time.Second) }

// Get returns the record of ref as it is now, a blank one when the item is not
// known, and whether it is. It is to be read: what its slices hold is changed
// by [Store.Update] only, which leaves a record that was given out as it was.
//
// An error says that the record, if there is one, cannot be reached: nothing
// is known of the item then, and nothing may be started for it. The next Get
// tries again.
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

// Update changes the record of ref, or makes one, and writes it at once when
// change altered it. Nothing happens when change returns an error, which
// Update then returns as it is; change must not call the store.
//
// When the record cannot be reached change is not called. When it cannot be
// written, the error says so and the new state is kept in memory: Get shows
// it, and [Store.Flush] and every further Update try to write it. So a caller
// that must not act on what is not on disk calls Update first.
func (s *Store) Update(ref string, change func(*Record) error) error {
	e, err := s.acquire(ref)
	if err != nil {
		return err
	}
	defer e.mu.Unlock()
	before, onDisk := e.rec, e.onDisk
	if !e.known {
		before, onDisk = newRecord(e.item), true // nothing to write while it stays blank
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

// Flush tries again what could not be written and what could not be read, and
// writes every record anew when the folder of all records is not the one that
// it was: removed, or replaced by a disk that was mounted there. It also removes
// what [Store.SetKeep] does not keep. Call it once in each cycle, from one
// goroutine; it costs next to nothing when all is well. The error is about
// records that are still not written.
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
	failed := map[string]bool{} // scopes: one try in each folder says enough of it
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

// rewrite writes the entry's record when it is not on disk.
func (s *Store) rewrite(e *entry) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.onDisk {
		return nil
	}
	return s.write(e)
}

// Dirty is the number of records whose present state is in memory only.
func (s *Store) Dirty() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dirty)
}

// OnDisk reports whether the record of ref is stored as Get shows it, so that
// whoever acts on it would find it after a crash. It is true of an item that is
// not known, and of every one in a store that is ReadOnly.
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

// acquire finds the place of ref, locks it and reads the record when it is not
// in memory. What could not be read before is tried again first when ref
// could lie there.
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
	// Not with the entry locked: what is found there is taken in.
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

// fill puts a record into its entry, whose lock is held.
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

// number gives the new ones among pending their place in the order of all.
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

// write stores the entry's record; its lock is held. A failure is remembered.
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

// UnwrittenError says that the present state of a record is in memory only.
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

// locked is the place of item with its lock held.
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

// forget gives up the place of an item that is not known; its lock is held. What
// people write can name any number of items.
func (s *Store) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.gone = true
	delete(s.entries, e.item.String())
}
