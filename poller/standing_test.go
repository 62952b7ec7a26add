package poller

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/dispatch"
)

// What was put off or given up stands until it is over, whatever the cycles
// since then had to say.
func TestStanding(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1), mine(2, 1)}
	r.cycle(dispatch.Deferred)
	first := r.standing()
	if diff := cmp.Diff(Standing{Held: Waiting{Count: 2, First: "github:octo/a#1"}}, first); diff != "" {
		t.Errorf("after 75 (-want +got):\n%s", diff)
	}
	since := r.Standing().Held.Since
	if age := time.Since(since); age < 0 || age > time.Minute {
		t.Errorf("held since %v", since)
	}
	r.cycle(dispatch.Failed)
	if diff := cmp.Diff(Standing{}, r.standing()); diff != "" {
		t.Errorf("after a failure (-want +got):\n%s", diff)
	}
	r.cycle(dispatch.Failed)
	r.start("v1")
	if diff := cmp.Diff(Standing{GaveUp: Waiting{Count: 2, First: "github:octo/a#1"}}, r.standing()); diff != "" {
		t.Errorf("after giving up (-want +got):\n%s", diff)
	}
}

// standing is the poller's without its times and counts.
func (r *rig) standing() Standing {
	s := r.Standing()
	s.Held.Since, s.GaveUp.Since, s.Counts = time.Time{}, time.Time{}, Counts{}
	return s
}

func TestCounts(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1), mine(2, 1)}
	r.cycle(dispatch.Deferred)
	r.cycle(dispatch.Failed)
	want := Counts{
		Deliveries: map[string]int{"deferred": 2, "failed": 2},
		Sessions:   map[string]int{"none": 2},
	}
	if diff := cmp.Diff(want, r.Standing().Counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
