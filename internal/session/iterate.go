package session

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"the-loop/internal/ref"
)

// All yields every record, ordered by host, owner, repository and number. Treat a record
// as read-only, like those of [Store.Get]. The loop may call the store.
func (s *Store) All() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		s.each(s.inOrder(), func(*Record) bool { return true }, yield)
	}
}

// InState is All for the records in one of the states.
func (s *Store) InState(states ...State) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		wanted := func(r *Record) bool { return slices.Contains(states, r.State) }
		s.each(s.inOrder(), wanted, yield)
	}
}

// Live is All for the records of live sessions, see [Record.Live].
func (s *Store) Live() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		s.each(s.inOrder(), (*Record).Live, yield)
	}
}

// Standing is All for the records that wait for a person, see [Record.Standing]. Its
// cost depends only on their number.
func (s *Store) Standing() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		s.mu.Lock()
		entries := slices.SortedFunc(maps.Keys(s.attention), byRef)
		s.mu.Unlock()
		s.each(entries, (*Record).Standing, yield)
	}
}

// each yields the records one at a time, each in its state at that moment.
func (s *Store) each(entries []*entry, wanted func(*Record) bool, yield func(Record) bool) {
	for _, e := range entries {
		e.mu.Lock()
		ok := !e.gone && wanted(&e.rec)
		var rec Record
		if ok {
			rec = e.rec.shared()
		}
		e.mu.Unlock()
		if ok && !yield(rec) {
			return
		}
	}
}

// inOrder returns every known entry. The slice is replaced when one is added, never
// changed in place.
func (s *Store) inOrder() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ordered == nil {
		for _, entries := range s.scopes {
			s.ordered = append(s.ordered, entries...)
		}
		slices.SortFunc(s.ordered, byRef)
	}
	return s.ordered
}

func byRef(a, b *entry) int { return compareRefs(a.item, b.item) }

func compareRefs(a, b ref.Item) int {
	return cmp.Or(compareRepos(a.Repo, b.Repo), cmp.Compare(a.Number, b.Number))
}

func compareRepos(a, b ref.Repo) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Name, b.Name))
}
