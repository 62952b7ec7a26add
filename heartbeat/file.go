package heartbeat

import (
	"encoding/json"
	"time"

	"the-loop/poller"
)

// FileName is the heartbeat's name in the state root.
const FileName = "poll-status.json"

// Version is the number of the format that is written. Additions leave it.
const Version = 1

// File is the content of a heartbeat. Times are in UTC and of whole seconds
// in the file; the zero time stands for "not yet" and "not known".
type File struct {
	StartedAt time.Time
	// LastCycleAt is when the last cycle ended, zero before the first.
	LastCycleAt time.Time
	// Interval is the configured wait from one cycle's end to the next start.
	Interval time.Duration
	// LastCycle is zero before the first cycle. Its StartedAt is not stored.
	LastCycle poller.Summary
	// Version is the format's number, 0 in a file from before there was one.
	Version int
	// Cycle counts the finished cycles since the start.
	Cycle int
	// Progress is there during a long cycle.
	Progress *Progress
	// ConfigError says why the changed configuration is not in force.
	ConfigError string
	// LogError says why lines of the log are lost.
	LogError string
	// Pace is there while cycles are spread out for a host's sake.
	Pace *Pace
	// Scopes tells of each degraded scope since when.
	Scopes map[string]Scope
	// Standing is what waits for a person. Unlike LastCycle it changes between
	// two cycles, too.
	Standing poller.Standing
	// Quotas are what was left of each host's quota when it was last asked.
	Quotas map[string]Quota

	members []Member
}

// Quota is what was left of a host's quota for listings.
type Quota struct {
	Limit     int // points a window has
	Remaining int
	ResetAt   time.Time // when the window ends
}

// Progress is how far a running cycle has come.
type Progress struct {
	StartedAt time.Time
	// UpdatedAt is when the cycle last moved on, not when that was written.
	UpdatedAt time.Time
	Done      int
	Total     int    // 0 when not known
	Scope     string // the one being asked, "" when none is
}

// Pace is a wait between cycles that is longer than configured, so that a
// host's quota lasts.
type Pace struct {
	Host      string
	Interval  time.Duration
	Remaining int // of the quota, when it was asked for
	ResetAt   time.Time
	// Calls is what a cycle asks of the host, 0 when not known.
	Calls int
}

// Scope is a degraded scope's history, as far as this process has seen it.
type Scope struct {
	// LastSuccessAt is the end of the last cycle in which it was not
	// degraded; zero when there was none.
	LastSuccessAt time.Time
	// FailingSince is the end of the cycle that first found it degraded.
	FailingSince time.Time
}

// Member is one key of a heartbeat with its value as it stands in the file.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members are all top-level keys of a heartbeat that was read, in its order
// and the unknown ones too; nil for one that was not read.
func (f File) Members() []Member { return f.members }
