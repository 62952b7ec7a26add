package status

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"the-loop/heartbeat"
	"the-loop/internal/runlock"
)

// Report is the state of the poller of one state root.
type Report struct {
	StateRoot string
	// Running is set while a poller holds the lock.
	Running bool
	// PID is the pid of the running poller, 0 if none runs or the lock does not name
	// it.
	PID int
	// Stopping is set while the running poller shuts down.
	Stopping bool
	// LockError is why the lock could not be probed; Running is then false.
	LockError error
	// Heartbeat is zero if the file is missing or unreadable.
	Heartbeat heartbeat.File
	// HeartbeatError is why Heartbeat is zero; it wraps fs.ErrNotExist if nothing was
	// ever recorded.
	HeartbeatError error
	// Program is the version of the program that reports, "" to compare none.
	Program string
	// Now is the time from which ages are counted.
	Now time.Time
}

// Gather reads the files under stateRoot. It cannot fail: the report says what was
// unreadable.
func Gather(stateRoot string, now time.Time) Report {
	r := Report{StateRoot: stateRoot, Now: now}
	state, err := runlock.Probe(filepath.Join(stateRoot, runlock.FileName))
	r.Running, r.PID, r.Stopping, r.LockError = state.Held, state.PID, state.Stopping, err
	r.Heartbeat, r.HeartbeatError = heartbeat.Read(filepath.Join(stateRoot, heartbeat.FileName))
	return r
}

// recorded reports whether a heartbeat file exists, readable or not.
func (r Report) recorded() bool { return !errors.Is(r.HeartbeatError, fs.ErrNotExist) }

// Stale returns how long nothing has moved, and whether that is too long for a running
// poller: more than three intervals plus a minute.
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
