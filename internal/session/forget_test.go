package session

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// TestUnknownItemsTakeNoRoom: a pull request can link to any number of items
// that nobody has a record of, and each is asked about in every cycle.
func TestUnknownItemsTakeNoRoom(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	activate(t, s, testRef)
	for n := range 100 {
		if _, known, err := s.Get(fmt.Sprint("github:octo/repo#", 100+n)); known || err != nil {
			t.Fatalf("known = %t, err = %v", known, err)
		}
	}
	if got := len(s.entries); got != 1 {
		t.Errorf("the store has %d entries for one record", got)
	}
}

// TestForgettingBesideUpdates: an item that is looked up while its first record
// is being made ends up in one place, with every change in it.
func TestForgettingBesideUpdates(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	const items, each = 20, 5
	var all sync.WaitGroup
	for n := range items * each {
		ref := fmt.Sprint("github:octo/repo#", 1+n%items)
		all.Go(func() {
			if _, _, err := s.Get(ref); err != nil {
				t.Error(err)
			}
			if err := s.Update(ref, func(r *Record) error { r.MarkSeen(fmt.Sprint("c", n)); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, store := range []*Store{s, open(t, root, nil)} {
		if got := inMemory(store); got != items {
			t.Errorf("%d records, want %d", got, items)
		}
		for rec := range store.All() {
			var want []string
			for n := rec.Number - 1; n < items*each; n += items {
				want = append(want, fmt.Sprint("c", n))
			}
			if slices.Sort(want); len(rec.Seen) != each || !slices.Equal(slices.Sorted(slices.Values(rec.Seen)), want) {
				t.Errorf("%s has seen %v, want %v", rec.Ref, rec.Seen, want)
			}
		}
	}
}
