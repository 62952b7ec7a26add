package poller

import (
	"context"

	"the-loop/internal/session"
)

// This file starts the session of a known item, or queues the item.

// startIfAuthorized starts the first session of a known item: its author has become
// authorized, by a new configuration or a new login of "@me", or a spawn handler is
// there now.
func (v *visit) startIfAuthorized(ctx context.Context) error {
	if v.target != nil || v.rec.Fed || v.rec.State != session.StateNone && v.rec.State != session.StateQueued {
		return v.leaveLine()
	}
	if v.rec.State == session.StateQueued && v.waitsForRoom() {
		v.standInLine() // ask once there is room: waiting costs no call
		return nil
	}
	return v.startIfAllowed(ctx, v.start)
}

// startIfAllowed starts the item if its author is authorized or it was adopted.
func (v *visit) startIfAllowed(ctx context.Context, start func(context.Context, func(*session.Record)) error) error {
	allowed, err := v.auth.allowsByNow(ctx, v.src, v.item.Host, v.item.Author)
	switch {
	case err != nil:
		return err
	case !allowed && v.rec.AdoptedBy == "":
		if err := v.leaveLine(); err != nil {
			return err
		}
		return v.markNoHandler(false)
	case !v.canSpawn():
		return v.awaitHandler()
	}
	return start(ctx, func(*session.Record) {})
}

// start starts the item's session, or queues the item where sessions are limited.
// change is a further change of its record.
func (v *visit) start(ctx context.Context, change func(*session.Record)) error {
	if !v.waitsForRoom() {
		return v.startNow(ctx, change)
	}
	err := v.store.Update(v.item.Ref, func(r *session.Record) error {
		change(r)
		v.describe(r)
		r.Fed, r.NoHandler = false, false
		if r.State != session.StateQueued {
			r.SetState(session.StateNone, v.now())
		}
		return nil
	})
	if err == nil {
		v.standInLine()
	}
	return err
}

// startNow arms and submits the item's spawn, unless the item has ended.
func (v *visit) startNow(ctx context.Context, change func(*session.Record)) error {
	if may, err := v.mayStart(ctx); !may {
		return err
	}
	err := v.store.Update(v.item.Ref, func(r *session.Record) error {
		change(r)
		v.describe(r)
		r.SetState(session.StateNone, v.now())
		r.Fed = false
		v.arm(r)
		return nil
	})
	if err != nil {
		return err
	}
	return v.submitSpawn()
}
