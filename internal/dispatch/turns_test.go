package dispatch

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/session"
)

// waitingFor is a queue of a session of a repository.
func waitingFor(repo string, n int) *queue {
	return newQueue(session.Target{Ref: fmt.Sprintf("github:octo/%s#%d", repo, n), Session: fmt.Sprintf("%s-%d", repo, n)})
}

// started takes all slots that can be had.
func started(t *turns) []string {
	var names []string
	for q := t.next(); q != nil; q = t.next() {
		names = append(names, q.session)
	}
	return names
}

// Handlers of one repository that hang never hold the last slot: that is for the
// others, if there are any.
func TestTheLastSlot(t *testing.T) {
	for _, tt := range []struct {
		slots, repositories int
		want, then          []string // before and after another repository has something to do
	}{
		{4, 2, []string{"a-0", "a-1", "a-2"}, []string{"b-0"}},
		{4, 1, []string{"a-0", "a-1", "a-2", "a-3"}, nil},
		{2, 2, []string{"a-0"}, []string{"b-0"}},
		{1, 2, []string{"a-0"}, nil},
		{4, 3, []string{"a-0", "a-1", "a-2"}, []string{"b-0"}},
	} {
		turns := newTurns(tt.slots, tt.repositories)
		for n := range 300 {
			turns.ready(waitingFor("a", n))
		}
		if diff := cmp.Diff(tt.want, started(&turns)); diff != "" {
			t.Errorf("%d slots, %d repositories (-want +got):\n%s", tt.slots, tt.repositories, diff)
		}
		turns.ready(waitingFor("b", 0))
		turns.ready(waitingFor("b", 1))
		if diff := cmp.Diff(tt.then, started(&turns)); diff != "" {
			t.Errorf("%d slots, %d repositories, then (-want +got):\n%s", tt.slots, tt.repositories, diff)
		}
	}
}

// With every repository at work no slot stays free, and each that is given back
// goes to the one that has the fewest.
func TestRepositoriesTakeTurns(t *testing.T) {
	turns := newTurns(3, 2)
	var queues []*queue
	for n := range 3 {
		queues = append(queues, waitingFor("a", n), waitingFor("b", n))
	}
	for _, q := range queues {
		turns.ready(q)
	}
	got := started(&turns)
	for _, ended := range []*queue{queues[0], queues[1], queues[2]} { // a-0, b-0, a-1
		turns.ended(ended)
		got = append(got, started(&turns)...)
	}
	want := []string{"a-0", "b-0", "a-1", "b-1", "a-2", "b-2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("started (-want +got):\n%s", diff)
	}
}

// With one slot, 300 starts of one repository let the others come in between.
func TestOneSlotTakesTurns(t *testing.T) {
	turns := newTurns(1, 3)
	for n := range 300 {
		turns.ready(waitingFor("a", n))
	}
	turns.ready(waitingFor("b", 0))
	turns.ready(waitingFor("c", 0))
	var got []string
	for range 5 {
		q := turns.next()
		got = append(got, q.session)
		turns.ended(q)
	}
	if diff := cmp.Diff([]string{"a-0", "b-0", "c-0", "a-1", "a-2"}, got); diff != "" {
		t.Errorf("started (-want +got):\n%s", diff)
	}
}
