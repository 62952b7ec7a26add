package poller

import (
	"context"
	"errors"
	"testing"

	"the-loop/internal/dispatch"
)

// TestFailingStands: an item that failed stands until it was processed or is not
// listed any more, and nothing follows from a cycle that did not come to it.
func TestFailingStands(t *testing.T) {
	r := newRig(t)
	broken := errors.New("HTTP 502")
	for revision, step := range []struct {
		name    string
		listed  bool
		err     error // of reading the item's comments
		failing bool  // the scope's listing
		source  error
		want    string // the error that stands
	}{
		{name: "fails", listed: true, err: broken, want: "HTTP 502"},
		{name: "fails otherwise", listed: true, err: errors.New("HTTP 504"), want: "HTTP 504"},
		{name: "listing failed", failing: true, want: "HTTP 504"},
		{name: "source failed", source: broken, want: "HTTP 504"},
		{name: "host left alone", listed: true, err: &PutOffError{Reason: "rate limit"}, want: "HTTP 504"},
		{name: "processed", listed: true},
		{name: "fails again", listed: true, err: broken, want: "HTTP 502"},
		{name: "not listed any more"},
	} {
		r.world.items = nil
		if step.listed {
			r.world.items = []WorkItem{mine(1, 1+revision)}
		}
		r.world.unread, r.world.failing, r.world.sourceErr = step.err, step.failing, step.source
		r.Cycle(context.Background(), nil)
		r.runs.end(dispatch.Delivered)
		got := ""
		if list := r.Standing().Failing; len(list) > 0 {
			got = list[0].Error
		}
		if got != step.want {
			t.Errorf("%s: %q stands, want %q", step.name, got, step.want)
		}
	}
}

// TestGivenUpIsOver with its session or its item; what the close handler was to
// end may still run, so a close that was given up stands.
func TestGivenUpIsOver(t *testing.T) {
	r := newRig(t)
	gaveUp := func(name string, want int) {
		t.Helper()
		if got := r.Standing().GaveUp.Count; got != want {
			t.Errorf("%s: %d deliveries stand as given up, want %d", name, got, want)
		}
	}
	r.world.items = []WorkItem{mine(1, 1), mine(2, 1)}
	r.cycle(dispatch.Delivered)
	r.world.comments[one] = []Comment{said("c1")}
	r.world.items = []WorkItem{mine(1, 2), mine(2, 1), mine(3, 1)}
	r.cycle(dispatch.Failed)
	r.cycle(dispatch.Failed)
	gaveUp("a comment and a start", 2)
	r.start("v1")
	gaveUp("after a restart", 2)

	r.world.items = []WorkItem{mine(2, 1), mine(3, 1)}
	r.world.ended[one] = EndedClosed
	r.cycle(dispatch.Delivered)
	gaveUp("the comment's session ended", 1)
	r.world.items = []WorkItem{mine(2, 1)}
	r.cycle(dispatch.Delivered)
	gaveUp("the start's item is not listed any more", 0)

	r.world.items = nil
	r.world.ended["github:octo/a#2"] = EndedClosed
	r.cycle(dispatch.Failed)
	r.cycle(dispatch.Failed)
	r.cycle(dispatch.Delivered)
	gaveUp("a close", 1)
}
