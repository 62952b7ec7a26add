package config

import (
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/ref"
)

// Config is the effective configuration: the file, with what the command line
// replaces of it, and every default filled in.
type Config struct {
	// File is the absolute path of the file, "" when none was read.
	File string
	// Digest is that of the file's content, zero when none was read.
	Digest [32]byte
	// StateRoot is the absolute folder of everything generated.
	StateRoot string
	// Keep is for how long the records and logs of ended sessions are kept, 0
	// for ever.
	Keep     time.Duration
	Polling  Polling
	Routing  Routing
	EventLog EventLog
}

// Polling says what is asked, and how often.
type Polling struct {
	Interval   time.Duration // from one cycle's end to the next one's start, > 0
	MaxRetries int           // attempts at one delivery, ≥ 1
	Pace       bool
	// SkipUnchanged says which hosts are surveyed, so that a repository that holds
	// what it held is not listed again: "auto", "always" or "never".
	SkipUnchanged string
	Sources       []Source // at least one
}

// Source is one entry of polling.sources.
type Source struct {
	Provider string // "github"
	Name     string // unlike any other source's
	Repos    []ref.Repo
	// Labels must all be present on an item; empty means every open item.
	Labels []string
	// Host is that of the repositories that were written without one.
	Host                 string
	Issues, PullRequests bool // at least one of them
	// GHBinary is a name to be looked up on PATH, or an absolute path.
	GHBinary      string
	Timeout       time.Duration // of one gh call, > 0
	Limit         int           // items of one listing, ≥ 1
	ReprobeCycles int           // ≥ 1
	Concurrency   int           // repositories asked at once, ≥ 1
	MaxSessions   int           // of this source that live at once; 0 is no limit
	OnUnlabel     string        // "keep" or CloseUnlabelled
}

// CloseUnlabelled is the Source.OnUnlabel that ends the session of an item whose
// label is taken off.
const CloseUnlabelled = "close"

// Routing says who may start sessions and which commands run them.
type Routing struct {
	AuthorizedUsers         []string // logins, "@me", "*"
	Handlers                Handlers
	MaxConcurrentDispatches int           // ≥ 1
	DispatchTimeout         time.Duration // of one handler run, > 0
	// NotifyAfter is how long a repository must have been degraded before there is
	// a notice of it, > 0.
	NotifyAfter time.Duration
	AliveEvery  time.Duration // from one question whether a session lives to the next, > 0
	MaxSession  time.Duration // age at which a session ends; 0 is none
	MaxSessions int           // that live at once; 0 is no limit
	Priority    []string      // labels, the most urgent first
}

// Handlers are the commands of the four events. Without Spawn no session begins;
// an empty Comment or Close means that the event is only recorded, and without Update
// pull requests are not asked how they stand. Alive
// says whether a session lives; Notify gets notices, not events.
type Handlers struct {
	Spawn, Comment, Close, Update, Alive, Notify argvtemplate.Template
}

// EventLog is the log of typed events.
type EventLog struct {
	Enabled    bool
	Path       string // absolute
	MaxSizeMB  int    // ≥ 1
	MaxBackups int    // ≥ 1
}
