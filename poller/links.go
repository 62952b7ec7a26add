package poller

import (
	"context"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// linkedSession returns the live session of an item on which this one works, nil for
// none.
func (v *visit) linkedSession(ctx context.Context) (*session.Record, error) {
	for _, link := range v.item.Linked {
		if _, err := ref.Parse(link); err != nil || link == v.item.Ref {
			continue
		}
		linked, known, err := v.store.Get(link)
		if err == nil && !(known && linked.Live()) {
			continue
		}
		counts, authErr := v.linkCounts(ctx, link)
		switch {
		case authErr != nil:
			return nil, authErr
		case !counts:
		case err != nil:
			return nil, err // an unreadable session may be live: start nothing beside it
		default:
			return &linked, nil
		}
	}
	return nil, nil
}

// linkCounts reports whether the item's author may choose the session. The links of
// an unauthorized author count only within the repository, and only until an
// authorized user adopts the item.
func (v *visit) linkCounts(ctx context.Context, ref string) (bool, error) {
	scope, _ := v.src.Provider.Watches(ref, "")
	if scope == v.item.Scope && v.rec.AdoptedBy == "" {
		return true, nil
	}
	return v.auth.allowsByNow(ctx, v.src, v.item.Host, v.item.Author)
}

// adoptedAway finds the comment by which an authorized user gives a session of its
// own to a stranger's item that feeds another session.
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
