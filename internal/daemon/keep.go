package daemon

import (
	"context"
	"errors"

	"the-loop/internal/runlock"
)

// keepLock sees to it that this daemon is still the one that owns the state
// root, of which the lock file may have been removed since the last cycle. It
// reports false when another daemon has come in between: two must never run, and
// the other one holds what people and commands find there.
func (d *daemon) keepLock() bool {
	renewed, err := d.lock.Keep()
	if held := (*runlock.HeldError)(nil); errors.As(err, &held) {
		d.usurped = heldError{held}
		d.abandon()
		return false
	}
	switch {
	case renewed:
		d.log.Warn("the lock file was removed or replaced; it is made and held again")
	case err != nil && !d.unlocked:
		d.log.Warn("the lock file is gone and cannot be made again; this is tried in every cycle", "error", err)
	}
	d.unlocked = err != nil
	return true
}

// abandonable is ctx, which also ends when the daemon is to give way.
func (d *daemon) abandonable(ctx context.Context) context.Context {
	ctx, d.abandon = context.WithCancel(ctx)
	return ctx
}
