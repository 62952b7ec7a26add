package heartbeat

import (
	"time"

	"the-loop/poller"
)

// history remembers when each scope was last seen whole, and since when it is
// not. It changes only by what a cycle says about that scope: one whose source
// could not be asked, or was not reached, stays as it was.
type history struct {
	scopes map[string]Scope // FailingSince is zero while a scope is healthy
}

// record takes in a cycle that ended at a time, and returns the history of the
// scopes that were degraded in it.
func (h *history) record(s poller.Summary, at time.Time) map[string]Scope {
	if h.scopes == nil {
		h.scopes = map[string]Scope{}
	}
	degraded := make(map[string]Scope)
	for _, name := range s.DegradedScopes() {
		scope := h.scopes[name]
		if scope.FailingSince.IsZero() {
			scope.FailingSince = at
		}
		h.scopes[name], degraded[name] = scope, scope
	}
	if s.Interrupted {
		return degraded // the last scope may have been asked in part only
	}
	for name := range s.Polled {
		if _, ok := degraded[name]; !ok {
			h.scopes[name] = Scope{LastSuccessAt: at}
		}
	}
	return degraded
}
