package poller

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// ItemError is an item that failed and has not been processed since.
type ItemError struct {
	Ref   string
	Error string    // of the last try, one line that is safe to print
	Since time.Time // end of the first failed cycle
}

// visits are the results of a cycle's items, by ref.
type visits struct {
	failed map[string]string // the error
	done   map[string]bool
	putOff map[string]bool
}

func newVisits() visits {
	return visits{failed: map[string]string{}, done: map[string]bool{}, putOff: map[string]bool{}}
}

// failing holds the items whose last try failed. It is safe for concurrent use.
type failing struct {
	mu    sync.Mutex
	items map[string]ItemError
}

// record takes over the results of the cycle that ends now. It forgets items that
// were processed and items that no source lists any more, according to gone.
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

// lastError returns the item's error of an earlier cycle, "" for none.
func (f *failing) lastError(ref string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.items[ref].Error
}

// list returns all failing items, the longest failing first.
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
