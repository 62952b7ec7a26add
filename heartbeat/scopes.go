package heartbeat

import (
	"time"

	"the-loop/poller"
)

// history remembers when each scope was last seen whole and since when it has been
// degraded. Only a cycle that says something about a scope changes its entry: a scope
// that the cycle did not reach keeps its history.
type history struct {
	scopes map[string]Scope // FailingSince is zero while a scope is healthy
}

// record adds a cycle that ended at the given time and returns the history of its
// degraded scopes.
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
		return degraded // the last scope may be half asked
	}
	for name := range s.Polled {
		if _, ok := degraded[name]; !ok {
			h.scopes[name] = Scope{LastSuccessAt: at}
		}
	}
	return degraded
}
