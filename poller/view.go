package poller

import "the-loop/internal/session"

// view combines the listings of all sources of a cycle: a repository may belong to
// several of them.
type view struct {
	passes []pass // one for each source asked so far, in order
	listed map[string]bool
}

// pass says what one source's listing proves about absent items.
type pass struct {
	// complete is set once the source has answered and its items were visited.
	complete bool
	// degraded holds the scopes whose listing proves nothing.
	degraded map[string]bool
}

func newView() view { return view{listed: map[string]bool{}} }

// begin opens the pass of the next source; complete closes it.
func (v *view) begin() { v.passes = append(v.passes, pass{}) }

func (v *view) complete(l Listing) {
	v.passes[len(v.passes)-1] = pass{complete: !l.Interrupted, degraded: l.Degraded()}
}

// first marks an item as listed and reports whether this is its first time in the
// cycle. A second visit in one cycle would use up the second look of [visit.unread],
// and a comment of the same second would never be read.
func (v *view) first(ref string) bool {
	first := !v.listed[ref]
	v.listed[ref] = true
	return first
}

// absent reports whether it is proven that no source lists the item: each source that
// watches it has answered in full. Absence from a failed or skipped scope proves
// nothing. owner is the first source that watches the item, nil for none.
func (v *view) absent(rec session.Record, sources []Source) (owner *Source, absent bool) {
	if v.listed[rec.Ref] {
		return nil, false
	}
	for i, src := range sources {
		scope, watched := src.Provider.Watches(rec.Ref, rec.Kind)
		if !watched {
			continue
		}
		if i >= len(v.passes) || !v.passes[i].complete || v.passes[i].degraded[scope] {
			return nil, false
		}
		if owner == nil {
			owner = &sources[i]
		}
	}
	return owner, true
}

// watcher is the first source that asks for the record's item, nil for none.
func watcher(rec session.Record, sources []Source) *Source {
	for i, src := range sources {
		if _, watched := src.Provider.Watches(rec.Ref, rec.Kind); watched {
			return &sources[i]
		}
	}
	return nil
}

// noteAbsent takes items off the waiting list that are no longer listed, because they
// have ended or their label or source is gone.
func (c *cycle) noteAbsent() {
	absent := map[string]bool{}
	for rec := range c.store.Standing() {
		if !c.absentNow(rec) {
			continue
		}
		absent[rec.Ref] = true
		if !rec.NoHandler {
			continue
		}
		err := c.store.Update(rec.Ref, func(r *session.Record) error {
			r.NoHandler = false
			return nil
		})
		if err != nil {
			c.itemError(rec.Ref, err)
		}
	}
	c.absent.Store(&absent)
}

// absentNow reports whether this cycle proves that no source lists the item.
func (c *cycle) absentNow(rec session.Record) bool {
	_, absent := c.view.absent(rec, c.sources)
	return absent
}
