package status

import (
	"fmt"
	"slices"
	"strings"

	"the-loop/poller"
)

// degraded are the blind spots of a cycle: one line for all of it when nothing
// answered, one a source that could not be asked, one a scope.
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
		out = append(out, fmt.Sprintf("%s — the source could not be asked, retried next cycle: %s", shown(e.Provider), shown(e.Error)))
	}
	for _, scope := range gather(s) {
		out = append(out, fmt.Sprintf("%s — %s", shown(scope.name), scope.reason()))
	}
	return out
}

// scope is what went wrong in one scope; its texts are fit to be shown.
type scope struct {
	name     string
	skips    []string
	failures []string
	// passing is set when one failure at least is tried again next cycle.
	passing bool
}

// gather brings together what a cycle tells of each scope, in the order in
// which the scopes were met.
func gather(s poller.Summary) []*scope {
	var scopes []*scope
	known := map[string]*scope{}
	of := func(name string) *scope {
		if known[name] == nil {
			known[name] = &scope{name: name}
			scopes = append(scopes, known[name])
		}
		return known[name]
	}
	for _, f := range s.ScopesFailed {
		one := of(f.Scope)
		one.failures = appendNew(one.failures, shown(f.Error))
		one.passing = one.passing || !f.Permanent
	}
	for _, f := range s.ScopesSkipped {
		one := of(f.Scope)
		one.skips = appendNew(one.skips, shown(f.Error))
	}
	return scopes
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// reason is why the scope is degraded: what is not asked, then what failed.
func (s scope) reason() string {
	parts := s.skips
	if len(s.failures) > 0 {
		outlook := "permanent"
		if s.passing {
			outlook = "retried next cycle"
		}
		parts = append(parts, fmt.Sprintf("listing failed, %s: %s", outlook, strings.Join(s.failures, "; ")))
	}
	return strings.Join(parts, "; ")
}
