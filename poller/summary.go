package poller

import (
	"fmt"
	"strings"
	"time"
)

// ProviderError is a source that could not be asked at all.
type ProviderError struct {
	Provider string // the source's name
	Error    string // one line, fit to be shown
	Cause    Cause  // "" where it is not known
}

// Summary is what one cycle did and saw, over all sources.
type Summary struct {
	ItemsSeen         int
	Spawns            int // spawn deliveries handed over, retries too
	CommentsForwarded int // comment deliveries handed over, retries too
	Closures          int // closings detected
	Failures          int // deliveries given up
	Errors            int // failed listings, sources and items
	Interrupted       bool

	ScopesPolled int             // distinct scopes that answered
	Polled       map[string]bool // their names; a heartbeat does not store them
	// ScopesUnchanged is how many of the polled scopes were not listed again, out
	// of ScopesAsked, and SurveyCalls the calls by which the providers found out.
	ScopesUnchanged, ScopesAsked, SurveyCalls int
	SurveyFailing                             []SurveyFailing
	ScopesFailed                              []ScopeFailure
	ScopesSkipped                             []ScopeFailure
	ProviderErrors                            []ProviderError

	StartedAt time.Time
	Duration  time.Duration
}

// DegradedScopes lists the distinct scopes that failed or were skipped, in
// the order they were met.
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

// Counters is the part of the cycle line that status repeats: the first three
// always, the others only when they are not zero.
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

// Line is the cycle in one line, as the log and the service manager get it.
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
