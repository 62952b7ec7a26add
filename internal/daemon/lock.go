package daemon

import (
	"context"
	"errors"
	"log/slog"

	"the-loop/internal/runlock"
)

// ownership is the daemon's claim to its state root. The goroutine of the cycles
// keeps it.
type ownership struct {
	lock     *runlock.Lock
	unlocked bool               // the lock file is gone and could not be made again
	usurper  *runlock.HeldError // the daemon that owns the state root now; nil while this one does
	abandon  context.CancelFunc // ends the run in favour of the usurper
}

// keep makes the lock file again if it was removed since the last cycle. It
// returns false when another daemon has taken the lock meanwhile: two must never
// run, and people and commands find the other one in the state root.
func (o *ownership) keep(log *slog.Logger) bool {
	renewed, err := o.lock.Keep()
	if errors.As(err, &o.usurper) {
		o.abandon()
		return false
	}
	switch {
	case renewed:
		log.Warn("the lock file was removed or replaced; a new one is held")
	case err != nil && !o.unlocked:
		log.Warn("the lock file is gone and cannot be made; retried every cycle", "error", err)
	}
	o.unlocked = err != nil
	return true
}

// usurped returns the error of a daemon that gave way to another one, else nil.
func (o *ownership) usurped() error {
	if o.usurper == nil {
		return nil // a nil pointer would be an error that is not nil
	}
	return o.usurper
}

// abandonable returns a context that also ends when the daemon gives way.
func (o *ownership) abandonable(ctx context.Context) context.Context {
	ctx, o.abandon = context.WithCancel(ctx)
	return ctx
}
