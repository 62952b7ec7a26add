package daemon

import (
	"log/slog"
	"slices"

	"the-loop/poller"
	"the-loop/status"
)

// hints logs advice on the failures of a cycle, each hint once until its cause is over.
type hints struct{ given []string }

// cycle logs the hints that are new. An interrupted cycle does not end a cause.
func (h *hints) cycle(sum poller.Summary, log *slog.Logger) {
	now := status.CauseHints(sum)
	for _, text := range now {
		if !slices.Contains(h.given, text) {
			log.Warn("hint", "reason", text)
		}
	}
	if sum.Interrupted {
		now = append(now, h.given...)
	}
	h.given = now
}
