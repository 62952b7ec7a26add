package poller

import (
	"context"

	"the-loop/internal/session"
)

// linkedSession is the live session of an item that this one works on, nil where
// none is.
func (v *visit) linkedSession(ctx context.Context) (*session.Record, error) {
	for _, ref := range v.item.Linked {
		if _, err := session.ParseRef(ref); err != nil || ref == v.item.Ref {
			continue
		}
		linked, known, err := v.store.Get(ref)
		if err == nil && !(known && linked.Live()) {
			continue
		}
		counts, authErr := v.linkCounts(ctx, ref)
		switch {
		case authErr != nil:
			return nil, authErr
		case !counts:
		case err != nil:
			return nil, err // nothing is started beside a session that cannot be seen
		default:
			return &linked, nil
		}
	}
	return nil, nil
}

// linkCounts reports whether the item's author may choose the session: one who is
// not authorized links within the repository only, and no longer once an
// authorized user has adopted the item.
func (v *visit) linkCounts(ctx context.Context, ref string) (bool, error) {
	within := v.src.Provider.ScopeOf(ref) == v.item.Scope
	if within && v.rec.AdoptedBy == "" {
		return true, nil
	}
	return v.auth.allowsByNow(ctx, v.src, v.item.Host, v.item.Author)
}

// adoptedAway finds the comment with which an authorized user gives a stranger's
// item, which feeds another one's session, a session of its own.
func (v *visit) adoptedAway(ctx context.Context, fresh []Comment) (*Comment, error) {
	if !v.feeds() {
		return nil, nil
	}
	adopted, err := v.adoptedBy(ctx, fresh)
	if err != nil || adopted == nil {
		return nil, err
	}
	allowed, err := v.auth.allows(ctx, v.src, v.item.Host, v.item.Author)
	if err != nil || allowed {
		return nil, err
	}
	return adopted, nil
}
