package session

import (
	"slices"
	"time"
)

// LossWindow is the time within which losses of a session count; MaxLosses of them end
// in [StateGaveUp].
const (
	LossWindow = 24 * time.Hour
	MaxLosses  = 3
)

// Lose records that the session was lost, and reports whether it may start again. The
// next spawn has a new delivery id.
func (r *Record) Lose(now time.Time) (again bool) {
	r.Losses = slices.DeleteFunc(r.Losses, func(at time.Time) bool { return now.Sub(at) >= LossWindow })
	r.Losses = append(r.Losses, now)
	r.Respawns++
	r.GoneOnce = false
	return len(r.Losses) < MaxLosses
}

// ForgetLosses clears the losses, for a new session of the item.
func (r *Record) ForgetLosses() { r.Losses, r.Respawns, r.GoneOnce = nil, 0, false }

// Lost reports whether the session was lost and has not been started since.
func (r *Record) Lost() bool {
	return r.State == StateNone && r.Respawns > 0 && r.HasPending(EventSpawn)
}
