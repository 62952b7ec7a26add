package eventlog

import (
	"time"

	"the-loop/internal/timetext"
)

// StartedFields are the fields of poller.started.
type StartedFields struct {
	Version   string
	StateRoot string
	Interval  time.Duration
	Sources   []string // their names
}

// Started reports a poller that holds its lock and is about to run its first cycle.
func Started(f StartedFields) Event {
	return event("poller.started", Info,
		field{"version", f.Version},
		field{"state_root", f.StateRoot},
		field{"interval_seconds", seconds(f.Interval)},
		field{"sources", list(f.Sources)})
}

// Stopped reports the orderly end of a poller after that many cycles; reason says why.
func Stopped(reason string, cycles int) Event {
	return event("poller.stopped", Info, field{"reason", reason}, field{"cycles", cycles})
}

// Blocked reports a second poller that found the lock at path taken. holderPID is 0 if
// the file does not name the holder.
func Blocked(holderPID int, path string) Event {
	return event("poller.blocked", Warning, field{"holder_pid", holderPID}, field{"path", path})
}

// ConfigReloaded reports a changed configuration file that is now in force, and the
// settings that it changed.
func ConfigReloaded(path string, changes []string) Event {
	if changes == nil {
		changes = []string{}
	}
	return event("config.reloaded", Info, field{"path", path}, field{"changes", changes})
}

// ConfigReloadFailed reports a changed configuration file with faults. The previous
// configuration stays in force.
func ConfigReloadFailed(path, err string) Event {
	return event("config.reload_failed", Warning, field{"path", path}, field{"error", err})
}

// CycleFields are the fields of poll.cycle.
type CycleFields struct {
	ItemsSeen, Spawns, CommentsForwarded, Closures int

	Failures     int // deliveries given up
	Errors       int // failed listings, sources and items
	Interrupted  bool
	ScopesPolled int
	// ScopesUnchanged counts the scopes whose listing a survey made needless.
	ScopesUnchanged int
	ScopesDegraded  []string // distinct names
	Duration        time.Duration
}

// Cycle reports one finished pass over all sources.
func Cycle(f CycleFields) Event {
	return event("poll.cycle", Info,
		field{"items_seen", f.ItemsSeen},
		field{"spawns", f.Spawns},
		field{"comments_forwarded", f.CommentsForwarded},
		field{"closures", f.Closures},
		field{"failures", f.Failures},
		field{"errors", f.Errors},
		field{"interrupted", f.Interrupted},
		field{"scopes_polled", f.ScopesPolled},
		field{"scopes_unchanged", f.ScopesUnchanged},
		field{"scopes_degraded", list(f.ScopesDegraded)},
		field{"duration_ms", f.Duration.Milliseconds()})
}

// ProviderError reports a source that failed before any of its listings.
func ProviderError(provider, err string) Event {
	return event("poll.provider_error", Error,
		field{"provider", provider}, field{"error", err}, field{"will_retry", true})
}

// ScopeError reports a failed listing, which the next cycle repeats.
func ScopeError(scope, provider, err string) Event {
	return event("poll.scope_error", Error,
		field{"scope", scope}, field{"provider", provider}, field{"error", err}, field{"will_retry", true})
}

// ScopeDegraded reports a new condition that only a person can end. The daemon tries the
// scope again after that many cycles.
func ScopeDegraded(scope, provider, err string, retryAfterCycles int) Event {
	return event("poll.scope_degraded", Warning,
		field{"scope", scope}, field{"provider", provider}, field{"error", err},
		field{"retry_after_cycles", retryAfterCycles})
}

// ScopeRecovered reports a scope whose standing condition has ended.
func ScopeRecovered(scope, provider string) Event {
	return event("poll.scope_recovered", Info, field{"scope", scope}, field{"provider", provider})
}

// UnlabelledSkipped reports a scope with too many pull requests to list those without
// the label. It is tried again after that many cycles.
func UnlabelledSkipped(scope, provider string, retryAfterCycles int) Event {
	return event("poll.unlabelled_skipped", Warning,
		field{"scope", scope}, field{"provider", provider}, field{"retry_after_cycles", retryAfterCycles})
}

// RateLimited reports a host that the daemon leaves alone until the given time.
func RateLimited(host string, until time.Time) Event {
	return event("poll.rate_limited", Warning, field{"host", host}, field{"until", timetext.UTC(until)})
}

// PacedFields are the fields of poll.paced.
type PacedFields struct {
	Host      string
	Interval  time.Duration // the wait between cycles from now on
	Remaining int           // points left of the host's quota
	ResetAt   time.Time
}

// Paced reports a changed wait between cycles, which makes the quota of a host last.
func Paced(f PacedFields) Event {
	return event("poll.paced", Warning,
		field{"host", f.Host},
		field{"interval_seconds", seconds(f.Interval)},
		field{"remaining", f.Remaining},
		field{"reset_at", timetext.UTC(f.ResetAt)})
}

// SurveyFailed reports, once, a host without working surveys, and how many of its
// repositories the daemon lists instead.
func SurveyFailed(host, err string, repositories int) Event {
	return event("poll.survey_failed", Warning,
		field{"host", host}, field{"error", err}, field{"repositories", repositories}, field{"will_retry", true})
}

// SurveyRecovered reports a host whose surveys answer again.
func SurveyRecovered(host string) Event {
	return event("poll.survey_recovered", Info, field{"host", host})
}

// list returns an empty list instead of null.
func list(names []string) []string { return append([]string{}, names...) }
