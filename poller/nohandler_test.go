package poller

import (
	"testing"
	"time"

	"the-loop/internal/dispatch"
)

func (r *rig) route(spawn bool) {
	routing := Routing{AuthorizedUsers: []string{"@me"}, MaxRetries: 2}
	if spawn {
		routing.Spawn = handler()
	}
	r.SetRouting(routing)
}

// TestHandlerTakenAway while a spawn is to be tried again: it waits, and what is
// said meanwhile follows it.
func TestHandlerTakenAway(t *testing.T) {
	r := newRig(t)
	r.world.items = items(1)
	r.world.items[0].Author = "octocat"
	ref := r.world.items[0].Ref
	r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 1")

	r.route(false)
	r.world.items[0].UpdatedAt = time.Unix(2, 0)
	r.world.comments[ref] = []Comment{{ID: "c1", Author: "octocat", Body: "hello"}}
	r.world.asked = nil
	r.want(r.cycle(dispatch.Delivered))
	r.want(r.cycle(dispatch.Delivered))
	if len(r.world.asked) > 0 {
		t.Errorf("comments were read %d time(s) for a session that cannot begin", len(r.world.asked))
	}
	if got := r.Standing().NoHandler; got.Count != 1 || got.First != ref {
		t.Errorf("standing without a handler: %+v", got)
	}

	r.route(true)
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 2", "comment #1 attempt 1 c1")
	if got := r.Standing().NoHandler.Count; got != 0 {
		t.Errorf("%d item(s) wait for a handler that there is", got)
	}
}

// TestNoLongerAuthorized: what waits for a handler stops waiting when its author
// may not start sessions any more.
func TestNoLongerAuthorized(t *testing.T) {
	r := newRig(t)
	r.world.items = items(1)
	r.world.items[0].Author = "octocat"
	r.route(false)
	r.want(r.cycle(dispatch.Delivered))
	if got := r.Standing().NoHandler.Count; got != 1 {
		t.Fatalf("%d item(s) wait, want 1", got)
	}
	r.SetRouting(Routing{AuthorizedUsers: []string{"somebody-else"}, MaxRetries: 2})
	r.want(r.cycle(dispatch.Delivered))
	if got := r.Standing().NoHandler.Count; got != 0 {
		t.Errorf("%d item(s) wait, want none", got)
	}
}

// TestAbsentFromEverySource: an item stops waiting when no source lists it, and
// each that could was asked to the end.
func TestAbsentFromEverySource(t *testing.T) {
	r := newRig(t)
	r.route(false)
	other := &world{comments: map[string][]Comment{}}
	r.SetSources([]Source{{Name: "one", Provider: r.world}, {Name: "two", Provider: other}})
	item := items(1)
	item[0].Author = "octocat"
	for _, step := range []struct {
		name      string
		one, two  []WorkItem
		failing   bool
		wantWaits int
	}{
		{"listed by one", item, nil, false, 1},
		{"listed by the other", nil, item, false, 1},
		{"a listing failed", nil, nil, true, 1},
		{"listed by none", nil, nil, false, 0},
		{"listed again", item, nil, false, 1},
	} {
		r.world.items, other.items, other.failing = step.one, step.two, step.failing
		r.want(r.cycle(dispatch.Delivered))
		if got := r.Standing().NoHandler.Count; got != step.wantWaits {
			t.Errorf("%s: %d item(s) wait, want %d", step.name, got, step.wantWaits)
		}
	}
}
