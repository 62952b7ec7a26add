package session

import (
	"slices"
	"time"
)

// LossWindow is the time in which losses of a session count, MaxLosses how many of
// them end in [StateGaveUp].
const (
	LossWindow = 24 * time.Hour
	MaxLosses  = 3
)

// Lose notes that the session was lost, and reports whether it may be started once
// more. The next spawn has a new delivery id.
func (r *Record) Lose(now time.Time) (again bool) {
	r.Losses = slices.DeleteFunc(r.Losses, func(at time.Time) bool { return now.Sub(at) >= LossWindow })
	r.Losses = append(r.Losses, now)
	r.Respawns++
	r.GoneOnce = false
	return len(r.Losses) < MaxLosses
}

// ForgetLosses is for a session that has nothing to do with those before it.
func (r *Record) ForgetLosses() { r.Losses, r.Respawns, r.GoneOnce = nil, 0, false }

// Lost reports whether the session was lost and has not been started since.
func (r *Record) Lost() bool {
	return r.State == StateNone && r.Respawns > 0 && r.HasPending(EventSpawn)
}
