package poller

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// ItemError is an item that could not be processed, and stays so until it was.
type ItemError struct {
	Ref   string
	Error string    // of the last try, one line fit to be shown
	Since time.Time // the end of the first cycle that failed
}

// visits are what a cycle made of the items that it came to.
type visits struct {
	failed map[string]string // the error by ref
	done   map[string]bool
	putOff map[string]bool
}

func newVisits() visits {
	return visits{failed: map[string]string{}, done: map[string]bool{}, putOff: map[string]bool{}}
}

// failing are the items that failed when they were last tried. It may be asked
// beside a cycle.
type failing struct {
	mu    sync.Mutex
	items map[string]ItemError
}

// record takes in a cycle that ends now. An item is over when it was processed, or
// when no source lists it any more: gone says so.
func (f *failing) record(v visits, now time.Time, gone func(ref string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := map[string]ItemError{}
	for ref, item := range f.items {
		if !v.done[ref] && (v.putOff[ref] || !gone(ref)) {
			kept[ref] = item
		}
	}
	for ref, text := range v.failed {
		since := now
		if before, ok := f.items[ref]; ok {
			since = before.Since
		}
		kept[ref] = ItemError{Ref: ref, Error: text, Since: since}
	}
	f.items = kept
}

// lastError is why the item failed in an earlier cycle, "" when it did not.
func (f *failing) lastError(ref string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.items[ref].Error
}

// list is all of them, the longest failing first.
func (f *failing) list() []ItemError {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []ItemError
	for _, item := range f.items {
		out = append(out, item)
	}
	slices.SortFunc(out, func(a, b ItemError) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Ref, b.Ref))
	})
	return out
}
