package poller

import (
	"fmt"
	"strings"
	"time"
)

// ProviderError is a source that could not be asked at all.
type ProviderError struct {
	Provider string // the source's name
	Error    string // one line that is safe to print
	Cause    Cause  // "" if unknown
}

// Summary counts what one cycle did and saw, over all sources.
type Summary struct {
	ItemsSeen         int
	Spawns            int // submitted spawns, including retries
	CommentsForwarded int // submitted comments, including retries
	Closures          int // detected closings
	Failures          int // deliveries given up
	Errors            int // failed listings, sources and items
	Interrupted       bool

	ScopesPolled int             // distinct scopes that answered
	Polled       map[string]bool // their names; not stored in the heartbeat
	// ScopesUnchanged counts the polled scopes that were not listed again, out of
	// ScopesAsked; SurveyCalls counts the calls that found that out.
	ScopesUnchanged, ScopesAsked, SurveyCalls int
	SurveyFailing                             []SurveyFailing
	ScopesFailed                              []ScopeFailure
	ScopesSkipped                             []ScopeFailure
	ProviderErrors                            []ProviderError

	StartedAt time.Time
	Duration  time.Duration
}

// DegradedScopes lists the distinct scopes that failed or were skipped, in the order
// of the cycle.
func (s Summary) DegradedScopes() []string {
	var names []string
	seen := map[string]bool{}
	for _, list := range [][]ScopeFailure{s.ScopesFailed, s.ScopesSkipped} {
		for _, f := range list {
			if !seen[f.Scope] {
				seen[f.Scope] = true
				names = append(names, f.Scope)
			}
		}
	}
	return names
}

// Counters is the part of the cycle line that status repeats: always the first three
// counters, the others only if they are not zero.
func (s Summary) Counters() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d item(s), %d spawn(s), %d comment(s) forwarded", s.ItemsSeen, s.Spawns, s.CommentsForwarded)
	for _, part := range []struct {
		n    int
		text string
	}{{s.Closures, "closed"}, {s.Failures, "gave up"}, {s.Errors, "error(s)"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.text)
		}
	}
	return b.String()
}

// Line describes the cycle in one line, for the log and the service manager.
func (s Summary) Line() string {
	line := "poll cycle: " + s.Counters()
	if n := len(s.DegradedScopes()); n > 0 {
		line += fmt.Sprintf(", %d scope(s) degraded", n)
	}
	if s.Interrupted {
		line += " (interrupted by a stop request)"
	}
	return line
}
