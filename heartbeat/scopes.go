package heartbeat

import (
	"time"

	"the-loop/poller"
)

// history remembers since when scopes are degraded. A summary names only the
// degraded ones, so the others are healthy by their absence, but only in a
// cycle that asked every source to the end.
type history struct {
	cleanAt time.Time // end of the last such cycle
	scopes  map[string]Scope
}

// record takes in a cycle that ended at a time, and returns what is to be
// told of the scopes that were degraded in it.
func (h *history) record(s poller.Summary, at time.Time) map[string]Scope {
	degraded := make(map[string]Scope)
	for _, name := range s.DegradedScopes() {
		known, ok := h.scopes[name]
		if !ok {
			known = Scope{LastSuccessAt: h.cleanAt, FailingSince: at}
		}
		degraded[name] = known
	}
	if !s.Interrupted && len(s.ProviderErrors) == 0 {
		h.cleanAt = at
		h.scopes = nil
	}
	remembered := make(map[string]Scope, len(h.scopes)+len(degraded))
	for _, list := range []map[string]Scope{h.scopes, degraded} {
		for name, scope := range list {
			remembered[name] = scope
		}
	}
	h.scopes = remembered
	return degraded
}
