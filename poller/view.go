package poller

import "the-loop/internal/session"

// view is what all sources of a cycle together have seen.
type view struct {
	sources []Source // that were asked to the end
	listed  map[string]bool
	// unseen are the scopes of which a part may be missing.
	unseen map[string]bool
}

func newView() view { return view{listed: map[string]bool{}, unseen: map[string]bool{}} }

func (v *view) add(src Source, l Listing) {
	v.sources = append(v.sources, src)
	for _, item := range l.Items {
		v.listed[item.Ref] = true
	}
	for scope := range l.Degraded() {
		v.unseen[scope] = true
	}
}

// absent reports whether no source lists the item any more: each that would
// was asked for it to the end.
func (v *view) absent(rec session.Record, sources []Source) bool {
	asked := map[string]bool{}
	for _, src := range v.sources {
		asked[src.Name] = true
	}
	for _, src := range sources {
		p := src.Provider
		if p.Owns(rec.Ref) && p.Watches(Kind(rec.Kind)) && (!asked[src.Name] || v.unseen[p.ScopeOf(rec.Ref)]) {
			return false
		}
	}
	return !v.listed[rec.Ref]
}

// dropAbsent ends the waiting of items that are not listed any more: they have
// ended, or their label or source is gone.
func (c *cycle) dropAbsent() {
	for rec := range c.store.Standing() {
		if !rec.NoHandler || !c.view.absent(rec, c.sources) {
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
}
