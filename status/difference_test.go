package status_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"the-loop/heartbeat"
	"the-loop/internal/dispatch"
	"the-loop/poller"
	"the-loop/status"
)

func TestSame(t *testing.T) {
	base := running(poller.Summary{ItemsSeen: 3, ScopesPolled: 1})
	for _, c := range []struct {
		name           string
		change         func(*status.Report)
		same, sameJSON bool
	}{
		{"nothing", func(*status.Report) {}, true, true},
		{"only the time", func(r *status.Report) { r.Now = r.Now.Add(50 * time.Second) }, true, true},
		{"stale", func(r *status.Report) { r.Now = r.Now.Add(time.Hour) }, false, true},
		{"stopped", func(r *status.Report) { r.Running, r.PID = false, 0 }, false, false},
		{"on its way out", func(r *status.Report) { r.Stopping = true }, false, false},
		{"another process", func(r *status.Report) { r.PID++ }, false, false},
		{"another cycle", func(r *status.Report) { r.Heartbeat.LastCycleAt = r.Heartbeat.LastCycleAt.Add(time.Second) }, false, false},
		{"progress", func(r *status.Report) { r.Heartbeat.Progress = &heartbeat.Progress{Done: 1, Total: 2} }, false, false},
		{"something waits for a person", func(r *status.Report) { r.Heartbeat.Standing.GaveUp.Count = 1 }, false, false},
		{"no heartbeat", func(r *status.Report) { r.Heartbeat, r.HeartbeatError = heartbeat.File{}, fs.ErrNotExist }, false, false},
		{"an unknown lock", func(r *status.Report) { r.LockError = errors.New("permission denied") }, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := with(base, c.change)
			if got := base.Same(other); got != c.same {
				t.Errorf("Same = %t, want %t", got, c.same)
			}
			if got := base.SameJSON(other); got != c.sameJSON {
				t.Errorf("SameJSON = %t, want %t", got, c.sameJSON)
			}
		})
	}
	busy := with(base, func(r *status.Report) {
		r.Heartbeat.Standing.Workload = dispatch.Workload{Running: 1, OldestAt: r.Now.Add(-50 * time.Second)}
	})
	if later := with(busy, func(r *status.Report) { r.Now = r.Now.Add(20 * time.Second) }); busy.Same(later) {
		t.Error("a handler that begins to take longer than an interval is no change")
	}
	if got := status.Age(base.Now.Add(-3*time.Hour), base.Now); got != "3h ago" {
		t.Errorf("Age = %q", got)
	}
	if got := status.Span(90 * time.Second); got != "1m" {
		t.Errorf("Span = %q", got)
	}
}
