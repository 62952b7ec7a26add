package session

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
)

func TestMarkSeen(t *testing.T) {
	var r Record
	r.MarkSeen("b", "a", "b")
	r.MarkSeen("a")
	r.MarkSeen("c", "a")
	r.MarkSeen()
	r.MarkSeen("d")
	if want := []string{"b", "a", "c", "d"}; !slices.Equal(r.Seen, want) {
		t.Errorf("Seen = %q, want %q", r.Seen, want)
	}
	if !r.HasSeen("a") || r.HasSeen("x") || len(r.SeenSet()) != 4 {
		t.Errorf("HasSeen(a) = %v, HasSeen(x) = %v, SeenSet() = %v", r.HasSeen("a"), r.HasSeen("x"), r.SeenSet())
	}
}

func TestPending(t *testing.T) {
	r := Record{Pending: []Pending{{ID: "1", Event: EventSpawn}, {ID: "2", Event: EventComment}}}
	if p := r.PendingByID("2"); p == nil {
		t.Fatal("PendingByID(2) = nil")
	} else {
		p.Attempts++
	}
	if r.Pending[1].Attempts != 1 {
		t.Error("a pending delivery is not changed in place")
	}
	if r.PendingByID("3") != nil || r.RemovePending("3") {
		t.Error("there is a delivery 3")
	}
	if !r.HasPending(EventSpawn) || !r.RemovePending("1") || r.HasPending(EventSpawn) || len(r.Pending) != 1 {
		t.Errorf("Pending = %+v", r.Pending)
	}
}

func TestSetState(t *testing.T) {
	var r Record
	r.SetState(StateActive, day(1))
	r.SetState(StateActive, day(2))
	if !r.SinceAt.Equal(day(1)) {
		t.Errorf("SinceAt = %v, want it of the change", r.SinceAt)
	}
	r.SetState(StateClosed, day(3))
	if !r.SinceAt.Equal(day(3)) {
		t.Errorf("SinceAt = %v, want it of the second change", r.SinceAt)
	}
}

func TestDeliveryID(t *testing.T) {
	base := newRecord(mustRef(t, testRef))
	again := base
	again.Title, again.State = "edited", StateActive
	if base.DeliveryID(EventSpawn, "") != again.DeliveryID(EventSpawn, "") {
		t.Error("the id changes with what has nothing to do with it")
	}
	other := newRecord(mustRef(t, "github:octo/repo#6"))
	reopened := base
	reopened.Generation = 2
	recovered := recoveredRecord(mustRef(t, testRef), day(1))
	later := recoveredRecord(mustRef(t, testRef), day(2))
	form := regexp.MustCompile(`^(spawn|comment|close)-[a-z2-7]{26}$`)
	ids := map[string]string{}
	for i, r := range []Record{base, other, reopened, recovered, later} {
		for _, id := range []string{
			r.DeliveryID(EventSpawn, ""), r.DeliveryID(EventClose, ""),
			r.DeliveryID(EventComment, "IC_1"), r.DeliveryID(EventComment, "IC_2"),
		} {
			if !form.MatchString(id) {
				t.Errorf("id %q has another form", id)
			}
			if was, taken := ids[id]; taken {
				t.Errorf("id %q is of %s and of record %d", id, was, i)
			}
			ids[id] = fmt.Sprint("record ", i)
		}
	}
}
