package config

import (
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/ref"
)

// Config is the effective configuration: the file, the overrides of the command line,
// and every default.
type Config struct {
	// File is the absolute path of the file, "" if none was read.
	File string
	// Digest is the SHA-256 of the file's content, zero if none was read.
	Digest [32]byte
	// StateRoot is the absolute path of the folder for everything generated.
	StateRoot string
	// Keep is the time for which records and logs of ended sessions are kept; 0 means
	// for ever.
	Keep     time.Duration
	Polling  Polling
	Routing  Routing
	EventLog EventLog
}

// Polling defines what to ask, and how often.
type Polling struct {
	Interval   time.Duration // from one cycle's end to the next one's start, > 0
	MaxRetries int           // attempts at one delivery, ≥ 1
	Pace       bool
	// SkipUnchanged decides which hosts are surveyed to spare unchanged repositories a
	// listing: "auto", "always" or "never".
	SkipUnchanged string
	Sources       []Source // at least one
}

// Source is one entry of polling.sources.
type Source struct {
	Provider string // "github"
	Name     string // unique
	Repos    []ref.Repo
	// Labels must all be present on an item. None means every open item.
	Labels []string
	// Host is the host of repositories that were written without one.
	Host                 string
	Issues, PullRequests bool // at least one of them
	// GHBinary is a name to look up on PATH, or an absolute path.
	GHBinary      string
	Timeout       time.Duration // of one gh call, > 0
	Limit         int           // items of one listing, ≥ 1
	ReprobeCycles int           // ≥ 1
	Concurrency   int           // repositories asked at once, ≥ 1
	MaxSessions   int           // live sessions of this source; 0 means no limit
	OnUnlabel     string        // "keep" or CloseUnlabelled
}

// CloseUnlabelled is the value of Source.OnUnlabel that ends an item's session when
// its label is taken off.
const CloseUnlabelled = "close"

// Routing defines who may start sessions and which handlers run.
type Routing struct {
	AuthorizedUsers         []string // logins, "@me", "*"
	Handlers                Handlers
	MaxConcurrentDispatches int           // ≥ 1
	DispatchTimeout         time.Duration // of one handler run, > 0
	// NotifyAfter is the time for which a repository must be degraded before a notice
	// is sent, > 0.
	NotifyAfter time.Duration
	AliveEvery  time.Duration // between two questions whether a session lives, > 0
	MaxSession  time.Duration // age at which a session ends; 0 means never
	MaxSessions int           // live sessions in all; 0 means no limit
	Priority    []string      // labels, the most urgent first
}

// Handlers are the commands of the four events, of Alive and of Notify. Without Spawn
// no session begins. Without Comment or Close, the event is only recorded. Without
// Update, pull requests are not asked for their state. Alive answers whether a
// session lives. Notify gets notices, not events.
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
