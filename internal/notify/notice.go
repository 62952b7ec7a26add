package notify

import (
	"maps"
	"slices"
	"sync"
	"time"

	"the-loop/internal/counted"
)

// Kind is the subject of a notice.
type Kind string

// The kinds of notice.
const (
	ScopeDegraded  Kind = "scope-degraded"  // a repository has been degraded for a while
	ScopeRecovered Kind = "scope-recovered" // it is no longer degraded
	LoginLost      Kind = "login-lost"      // gh has no login on a host
	GaveUp         Kind = "gave-up"         // a delivery failed too often
	SessionLost    Kind = "session-lost"    // a session's agent is gone
	ReloadFailed   Kind = "reload-failed"   // the changed configuration has faults
	Paced          Kind = "paced"           // cycles are spread out to save a quota
)

// noticeVersion is the version of the JSON. Added keys do not change it.
const noticeVersion = 1

// Notice is the JSON object on the command's standard input.
type Notice struct {
	Version int       `json:"version"`
	Kind    Kind      `json:"kind"`
	At      time.Time `json:"at"`      // UTC
	Subject string    `json:"subject"` // the repository, item, host or file
	Text    string    `json:"text"`    // one line that is safe to print
}

// State is the state of the daemon at one moment.
type State struct {
	// Degraded holds the degraded repositories of the last cycle with the reasons.
	Degraded map[string]string
	// NoLogin is a repository or host without a login, "" for none, and NoLoginText its
	// error.
	NoLogin, NoLoginText string
	// GaveUp counts given-up deliveries, Lost lost sessions, both since the start; the
	// other two name the item of the last of each.
	GaveUp, Lost         int
	GaveUpLast, LostLast string
	// ConfigError says why the changed ConfigFile is not in force, "" if it is.
	ConfigFile, ConfigError string
	// PacedHost is the host whose quota spreads the cycles out, PacedText the details.
	PacedHost, PacedText string
}

// Watcher compares each state with the one before. It is safe for concurrent use.
type Watcher struct {
	mu    sync.Mutex
	last  State
	since map[string]time.Time // start of each repository's degradation
	told  map[string]bool      // degraded repositories that had a notice
}

// Observe returns a notice for each change that a person should know. A repository
// gets one once it has been degraded for longer than after.
func (w *Watcher) Observe(now time.Time, after time.Duration, s State) []Notice {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Notice
	add := func(kind Kind, subject, text string) {
		out = append(out, Notice{noticeVersion, kind, now.UTC().Truncate(time.Second), subject, text})
	}
	w.scopes(now, after, s.Degraded, add)
	if s.NoLogin != "" && w.last.NoLogin == "" {
		add(LoginLost, s.NoLogin, s.NoLoginText)
	}
	if n := s.GaveUp - w.last.GaveUp; n > 0 {
		add(GaveUp, s.GaveUpLast, counted.Of(n, "delivery was", "deliveries were")+" given up; see 'the-loop sessions list'")
	}
	if n := s.Lost - w.last.Lost; n > 0 {
		add(SessionLost, s.LostLast, counted.Of(n, "session was", "sessions were")+" lost; see 'the-loop sessions list'")
	}
	if s.ConfigError != "" && s.ConfigError != w.last.ConfigError {
		add(ReloadFailed, s.ConfigFile, s.ConfigError)
	}
	if s.PacedHost != "" && w.last.PacedHost != s.PacedHost {
		add(Paced, s.PacedHost, s.PacedText)
	}
	w.last = s
	return out
}

func (w *Watcher) scopes(now time.Time, after time.Duration, degraded map[string]string, add func(Kind, string, string)) {
	if w.since == nil {
		w.since, w.told = map[string]time.Time{}, map[string]bool{}
	}
	for _, scope := range slices.Sorted(maps.Keys(degraded)) {
		since, known := w.since[scope]
		if !known {
			since = now
			w.since[scope] = now
		}
		if !w.told[scope] && now.Sub(since) >= after {
			w.told[scope] = true
			add(ScopeDegraded, scope, degraded[scope])
		}
	}
	for _, scope := range slices.Sorted(maps.Keys(w.since)) {
		if _, still := degraded[scope]; still {
			continue
		}
		if w.told[scope] {
			add(ScopeRecovered, scope, "seen whole again")
		}
		delete(w.since, scope)
		delete(w.told, scope)
	}
}
