package status

import (
	"fmt"
	"slices"
	"strings"

	"the-loop/internal/ref"
	"the-loop/poller"
)

// degraded returns the blind spots of a cycle: one line if nothing answered, one for
// each source that could not be asked, one for each host with a cause that several of
// its scopes share, and one for each other scope.
func degraded(s poller.Summary) []string {
	var out []string
	if s.ScopesPolled == 0 {
		switch {
		case len(s.ScopesFailed) > 0:
			out = append(out, "no repository was polled — every listing failed")
		case len(s.ScopesSkipped) > 0:
			out = append(out, "no repository was polled — every listing was skipped")
		}
	}
	for _, e := range s.ProviderErrors {
		out = append(out, fmt.Sprintf("%s — the source could not be asked, retried next cycle: %s", shown(e.Provider), Brief(e.Error)))
	}
	for _, spot := range gather(s) {
		out = append(out, spot.line())
	}
	return out
}

// spot is a scope that was not seen whole, or all scopes of a host that share a cause.
// Its texts are safe to print.
type spot struct {
	name     string
	scopes   []string // of a host
	skips    []string
	failures []string
	// passing is set if at least one failure is retried in the next cycle.
	passing bool
}

// gather collects the failures and skips of each scope, and of each host with a shared
// cause, in the order of the cycle.
func gather(s poller.Summary) []*spot {
	var spots []*spot
	known := map[string]*spot{}
	shared := sharedCauses(s)
	of := func(f poller.ScopeFailure) *spot {
		key, name := f.Scope, f.Scope
		host := hostCause{ref.HostOf(f.Scope), f.Cause}
		if shared[host] {
			key, name = string(f.Cause)+" "+host.host, host.host
		}
		if known[key] == nil {
			known[key] = &spot{name: shown(name)}
			spots = append(spots, known[key])
		}
		if shared[host] {
			known[key].scopes = appendNew(known[key].scopes, f.Scope)
		}
		return known[key]
	}
	for _, f := range s.ScopesFailed {
		one := of(f)
		one.failures = append(one.failures, Brief(f.Error))
		one.passing = one.passing || !f.Permanent
	}
	for _, f := range s.ScopesSkipped {
		one := of(f)
		one.skips = append(one.skips, Brief(f.Error))
	}
	return spots
}

// hostCause is a cause that lies with a host, or with the gh that asks it.
type hostCause struct {
	host  string
	cause poller.Cause
}

// sharedCauses returns the causes that more than one scope of a host has. Single
// sign-on is left out: it belongs to an organization.
func sharedCauses(s poller.Summary) map[hostCause]bool {
	first := map[hostCause]string{}
	shared := map[hostCause]bool{}
	for _, f := range slices.Concat(s.ScopesFailed, s.ScopesSkipped) {
		switch f.Cause {
		case poller.CauseNoLogin, poller.CauseRateLimit, poller.CauseNoNetwork, poller.CauseNoGH, poller.CauseOldGH, poller.CauseGHConfig:
			key := hostCause{ref.HostOf(f.Scope), f.Cause}
			if scope, met := first[key]; met && scope != f.Scope {
				shared[key] = true
			} else if !met {
				first[key] = f.Scope
			}
		}
	}
	return shared
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

func (s spot) line() string {
	if len(s.scopes) == 0 {
		return s.name + " — " + s.reason()
	}
	// The failures of a host have one cause in many words; the first is enough.
	s.failures = s.failures[:min(len(s.failures), 1)]
	return fmt.Sprintf("%s — %d repositories: %s", s.name, len(s.scopes), s.reason())
}

// reason says why the scope is degraded: first the skips, then the failures.
func (s spot) reason() string {
	parts := once(s.skips)
	if len(s.failures) > 0 {
		outlook := "permanent"
		if s.passing {
			outlook = "retried next cycle"
		}
		parts = append(parts, fmt.Sprintf("listing failed, %s: %s", outlook, strings.Join(once(s.failures), "; ")))
	}
	return strings.Join(parts, "; ")
}
