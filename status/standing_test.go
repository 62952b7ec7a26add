package status_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/poller"
	"the-loop/status"
)

// TestStanding: what waits for a person is said in the present of a poller that
// runs and in the past of one that does not.
func TestStanding(t *testing.T) {
	for _, c := range []struct {
		name      string
		standing  poller.Standing
		now, past string
	}{
		{"nothing", poller.Standing{}, "", ""},
		{
			"no handler", poller.Standing{NoHandler: poller.Waiting{Count: 3}},
			"no handler: 3 items wait for routing.handlers.spawn",
			"no handler: 3 items waited for routing.handlers.spawn",
		},
		{
			"no handler for one", poller.Standing{NoHandler: poller.Waiting{Count: 1}},
			"no handler: 1 item waits for routing.handlers.spawn",
			"no handler: 1 item waited for routing.handlers.spawn",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := running(poller.Summary{ScopesPolled: 1})
			r.Heartbeat.Standing = c.standing
			if diff := cmp.Diff(c.now, standing(r)); diff != "" {
				t.Errorf("running (-want +got):\n%s", diff)
			}
			r.Running, r.PID = false, 0
			if diff := cmp.Diff(c.past, standing(r)); diff != "" {
				t.Errorf("not running (-want +got):\n%s", diff)
			}
		})
	}
}

// standing are the lines below that of the last cycle.
func standing(r status.Report) string {
	var out []string
	for _, line := range r.Lines()[3:] {
		out = append(out, strings.TrimSpace(line))
	}
	return strings.Join(out, "\n")
}
