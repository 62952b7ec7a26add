package heartbeat

import (
	"time"

	"the-loop/poller"
)

// FileName is the name of the heartbeat in the state root.
const FileName = "poll-status.json"

// Version is the format number that this program writes. New keys do not raise it.
const Version = 1

// File is the content of a heartbeat. The file stores times in UTC and whole seconds;
// the zero time means "not yet" or "unknown".
type File struct {
	StartedAt time.Time
	// LastCycleAt is the end of the last cycle, zero before the first one.
	LastCycleAt time.Time
	// Interval is the configured wait from the end of a cycle to the next start.
	Interval time.Duration
	// LastCycle is zero before the first cycle. Its StartedAt is not stored.
	LastCycle poller.Summary
	// Version is the format number, 0 in files that predate it.
	Version int
	// Program is the version of the program that runs, "" when unknown.
	Program string
	// Cycle is the number of cycles that ended since the start.
	Cycle int
	// Progress is set during a long cycle.
	Progress *Progress
	// ConfigError is why the changed configuration is not in force, "" when it is.
	ConfigError string
	// LogError is why log lines are being lost, "" when none are.
	LogError string
	// Pace is set while the poller waits longer to spare a host's quota.
	Pace *Pace
	// Scopes has the history of each degraded scope.
	Scopes map[string]Scope
	// Standing is everything that waits for a person. Unlike LastCycle it can change
	// between two cycles.
	Standing poller.Standing
	// Quotas is the quota of each host, as the host last reported it.
	Quotas map[string]Quota

	// Source is the content from which the File was read, nil if it was not read.
	Source []byte
}

// Quota is the state of a host's quota for listings.
type Quota struct {
	Limit     int // points in a window
	Remaining int
	ResetAt   time.Time // when the window ends
}

// Progress is the state of a running cycle.
type Progress struct {
	StartedAt time.Time
	// UpdatedAt is when the cycle last advanced, not when the file was written.
	UpdatedAt time.Time
	Done      int
	Total     int    // 0 when unknown
	Scope     string // being asked now, "" for none
}

// Pace is a wait between cycles that is longer than the configured interval, to make
// a host's quota last.
type Pace struct {
	Host      string
	Interval  time.Duration
	Remaining int // points of the quota when the pace was set
	ResetAt   time.Time
	// Calls is the number of calls a cycle makes to the host, 0 when unknown.
	Calls int
}

// Scope is the history of a degraded scope since this process started.
type Scope struct {
	// LastSuccessAt is the end of the last cycle that saw the scope whole, zero if
	// none did.
	LastSuccessAt time.Time
	// FailingSince is the end of the first cycle that found it degraded.
	FailingSince time.Time
}
