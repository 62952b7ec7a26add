package status

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"the-loop/heartbeat"
	"the-loop/internal/runlock"
)

// Report is what is known of one state root's poller.
type Report struct {
	StateRoot string
	// Running is whether a poller holds the lock.
	Running bool
	// PID is the running poller's; 0 when none runs, or when the lock is held
	// and does not tell.
	PID int
	// Stopping is whether the running poller is on its way out.
	Stopping bool
	// LockError says why the lock could not be asked; Running is then false.
	LockError error
	// Heartbeat is zero when there is none or it cannot be read.
	Heartbeat heartbeat.File
	// HeartbeatError says why there is none; fs.ErrNotExist when it was never
	// recorded.
	HeartbeatError error
	// Now is the time that ages are counted to.
	Now time.Time
}

// Gather reads the files under stateRoot. It cannot fail: what it cannot read
// is a part of the report.
func Gather(stateRoot string, now time.Time) Report {
	r := Report{StateRoot: stateRoot, Now: now}
	state, err := runlock.Probe(filepath.Join(stateRoot, runlock.FileName))
	r.Running, r.PID, r.Stopping, r.LockError = state.Held, state.PID, state.Stopping, err
	r.Heartbeat, r.HeartbeatError = heartbeat.Read(filepath.Join(stateRoot, heartbeat.FileName))
	return r
}

// recorded reports whether there is a heartbeat file, readable or not.
func (r Report) recorded() bool { return !errors.Is(r.HeartbeatError, fs.ErrNotExist) }

// Stale returns how long nothing has moved, and whether that is too long for a
// running poller: more than three intervals and a minute.
func (r Report) Stale() (time.Duration, bool) {
	f := r.Heartbeat
	moved := f.LastCycleAt
	interval := f.Interval
	if f.Progress != nil && f.Progress.UpdatedAt.After(moved) {
		moved = f.Progress.UpdatedAt
	}
	if moved.IsZero() {
		moved = f.StartedAt
	}
	if f.Pace != nil {
		interval = max(interval, f.Pace.Interval)
	}
	still := r.Now.Sub(moved)
	return still, r.Running && !moved.IsZero() && (still-time.Minute)/3 > interval
}
