package status_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/dispatch"
	"the-loop/poller"
	"the-loop/status"
)

// TestStanding: the lines of a running poller are in the present tense, the others in
// the past tense.
func TestStanding(t *testing.T) {
	for _, c := range []struct {
		name      string
		standing  poller.Standing
		now, past string
	}{
		{"nothing", poller.Standing{}, "", ""},
		{
			"no handler", poller.Standing{NoHandler: poller.Waiting{Count: 3}},
			"no handler: 3 items wait for routing.handlers.spawn\n" +
				"hint:       'the-loop config path' names the file to set it in; it takes effect without a restart",
			"no handler: 3 items waited for routing.handlers.spawn",
		},
		{
			"no handler for one", poller.Standing{NoHandler: poller.Waiting{Count: 1}},
			"no handler: 1 item waits for routing.handlers.spawn\n" +
				"hint:       'the-loop config path' names the file to set it in; it takes effect without a restart",
			"no handler: 1 item waited for routing.handlers.spawn",
		},
		{
			"paused and stopped",
			poller.Standing{Paused: poller.Waiting{Count: 1, First: "github:octo/api#7"}, Stopped: poller.Waiting{Count: 2, First: "github:octo/api#8"}},
			"paused:     1 session: 'the-loop sessions resume octo/api#7'\n" +
				"stopped:    2 items, octo/api#8 first: 'the-loop sessions restart REF'; 'the-loop sessions list --state stopped' has all",
			"paused:     1 session: 'the-loop sessions resume octo/api#7'\n" +
				"stopped:    2 items, octo/api#8 first: 'the-loop sessions restart REF'; 'the-loop sessions list --state stopped' has all",
		},
		{
			"lost", poller.Standing{Lost: poller.Waiting{Count: 2, First: "github:octo/api#7"}},
			"lost:       2 sessions, octo/api#7 first: start again next cycle",
			"lost:       2 sessions, octo/api#7 first: were to start again",
		},
		{
			"one lost", poller.Standing{Lost: poller.Waiting{Count: 1, First: "github:octo/api#7"}},
			"lost:       1 session, octo/api#7: starts again next cycle",
			"lost:       1 session, octo/api#7: was to start again",
		},
		{
			"given up", poller.Standing{GaveUp: poller.Waiting{Count: 2, First: "github:octo/api#7", Since: at("12:00:00")}},
			"gave up:    2 deliveries, octo/api#7 first: see 'the-loop sessions list'",
			"gave up:    2 deliveries, octo/api#7 first: see 'the-loop sessions list'",
		},
		{
			"one given up", poller.Standing{GaveUp: poller.Waiting{Count: 1, First: "github:octo/api#7"}},
			"gave up:    1 delivery, octo/api#7: see 'the-loop sessions list'",
			"gave up:    1 delivery, octo/api#7: see 'the-loop sessions list'",
		},
		{
			"held", poller.Standing{Held: poller.Waiting{Count: 1, First: "github:octo/api#7", Since: at("12:30:00")}},
			"held:       1 delivery asked for the next cycle for 40m\n" +
				"hint:       'the-loop sessions show octo/api#7' says why a delivery was put off",
			"held:       1 delivery asked for the next cycle for 40m",
		},
		{
			"deliveries", poller.Standing{Workload: dispatch.Workload{Running: 4, Waiting: 12, OldestAt: at("12:30:00")}},
			"deliveries: 4 run, 12 wait, the oldest for 40m",
			"deliveries: 4 ran, 12 waited, the oldest for 40m",
		},
		{
			"one delivery", poller.Standing{Workload: dispatch.Workload{Running: 1, OldestAt: at("12:30:00")}},
			"deliveries: 1 runs for 40m",
			"deliveries: 1 ran for 40m",
		},
		{"a delivery younger than an interval", poller.Standing{Workload: dispatch.Workload{Running: 1, OldestAt: at("13:09:30")}}, "", ""},
		{
			"a queue", poller.Standing{Queue: poller.Queue{Waiting: 12, Live: 5, Limit: 5}},
			"queue:      12 items wait, 5 of 5 sessions live",
			"queue:      12 items waited, 5 of 5 sessions lived",
		},
		{
			"a source's queue", poller.Standing{Queue: poller.Queue{Waiting: 1, Live: 2, Limit: 2, Source: "triage"}},
			"queue:      1 item waits, 2 of 2 sessions of triage live",
			"queue:      1 item waited, 2 of 2 sessions of triage lived",
		},
		{
			"records", poller.Standing{Unwritten: 3, UnwrittenError: "no space left on device"},
			"records:    3 could not be written: no space left on device\n" +
				"hint:       'the-loop doctor' says what is wrong with the state root; until it is mended a restart loses these records",
			"records:    3 could not be written: no space left on device",
		},
		{
			"a gone item", poller.Standing{Gone: []poller.GoneItem{{Ref: "github:octo/api#7", Note: "moved to octo/web#3"}}},
			"gone:       octo/api#7 — moved to octo/web#3, its session is kept\n" +
				"hint:       'the-loop sessions stop REF' ends the session of an item that is gone",
			"gone:       octo/api#7 — moved to octo/web#3, its session was kept",
		},
		{
			"a failing item", poller.Standing{Failing: []poller.ItemError{{Ref: "github:ghe.corp/octo/api#7", Error: "HTTP 502\x1b[1m", Since: at("12:30:00")}}},
			"item:       ghe.corp/octo/api#7 — could not be processed for 40m, retried next cycle: HTTP 502�[1m",
			"item:       ghe.corp/octo/api#7 — could not be processed for 40m: HTTP 502�[1m",
		},
		{
			"many failing items", poller.Standing{Failing: slices.Repeat([]poller.ItemError{{Ref: "github:octo/a#1", Error: "why", Since: at("12:30:00")}}, 17)},
			strings.Repeat("item:       octo/a#1 — could not be processed for 40m, retried next cycle: why\n", 5) +
				"item:       12 more: see 'the-loop status --format json'",
			strings.Repeat("item:       octo/a#1 — could not be processed for 40m: why\n", 5) +
				"item:       12 more: see 'the-loop status --format json'",
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
