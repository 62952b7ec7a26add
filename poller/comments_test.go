package poller

import (
	"testing"
	"testing/synctest"
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// TestSaidDuringTheLastAttempt: what comes while the last attempt to start its
// session runs arms a start when that fails, and follows it when it succeeds.
func TestSaidDuringTheLastAttempt(t *testing.T) {
	begin := func() *rig {
		r := newRig(t)
		r.world.items = []WorkItem{mine(1, 1)}
		r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 1")
		r.Cycle(t.Context(), nil)
		r.world.items, r.world.comments[one] = []WorkItem{mine(1, 2)}, []Comment{said("c1")}
		r.Cycle(t.Context(), nil)
		return r
	}
	r := begin()
	r.want(r.runs.end(dispatch.Failed), "spawn #1 attempt 2")
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Delivered))

	r = begin()
	r.want(r.runs.end(dispatch.Delivered), "spawn #1 attempt 2")
	r.want(r.cycle(dispatch.Delivered), "comment #1 attempt 1 c1")
	r.want(r.cycle(dispatch.Delivered))
}

// TestTwoCommentsInOneSecond: at an interval under one the second look comes
// while the second still goes on, so the looks end three seconds after it.
func TestTwoCommentsInOneSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		item := mine(1, 1)
		item.UpdatedAt = time.Now().Add(-time.Hour)
		r.world.items = []WorkItem{item}
		r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
		r.want(r.cycle(dispatch.Delivered))

		item.UpdatedAt = time.Now().Truncate(time.Second)
		r.world.items, r.world.comments[one] = []WorkItem{item}, []Comment{said("c1")}
		r.want(r.cycle(dispatch.Delivered), "comment #1 attempt 1 c1")
		<-time.After(200 * time.Millisecond)
		r.want(r.cycle(dispatch.Delivered))
		<-time.After(200 * time.Millisecond)
		r.world.comments[one] = []Comment{said("c1"), said("c2")}
		r.want(r.cycle(dispatch.Delivered), "comment #1 attempt 1 c2")

		<-time.After(3 * time.Second)
		asked := len(r.world.asked)
		r.want(r.cycle(dispatch.Delivered))
		if len(r.world.asked) != asked {
			t.Error("the quiet item was read again")
		}
	})
}

// TestAgentsOwnWords are known by the marker, but not by a quoted one.
func TestAgentsOwnWords(t *testing.T) {
	for body, want := range map[string]bool{
		"done\n" + session.CommentMarker:                              true,
		session.CommentMarker + " done":                               true,
		"> please\n\ndone " + session.CommentMarker:                   true,
		"> done " + session.CommentMarker + "\n\nNo, again.":          false,
		"On Monday:\r\n>> done\r\n  >" + session.CommentMarker:        false,
		"> " + session.CommentMarker + "\r" + session.CommentMarker:   true,
		"> " + session.CommentMarker + "\n\n" + session.CommentMarker: true,
		"no marker": false,
	} {
		if got := byAgent(Comment{Body: body}); got != want {
			t.Errorf("%q by an agent: %t, want %t", body, got, want)
		}
	}
}
