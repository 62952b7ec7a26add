package command

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func TestSessionLines(t *testing.T) {
	r := record("octo/a#7", session.StateActive, 3*time.Hour, func(r *session.Record) {
		r.Kind, r.Title, r.Author = ref.PullRequest, "Two\nlines \x1b[31m", "alice"
		r.URL, r.Session, r.Generation = "https://github.com/octo/a/pull/7", "a-7-x", 2
		r.AdoptedBy, r.LastDeliveryAt, r.RecoveredAt = "bob", clock().Add(-time.Minute), clock().Add(-time.Hour)
		r.Pending = []session.Pending{
			{Event: session.EventComment, CommentID: "IC_1", SessionRef: "github:octo/a#1", Attempts: 2, LastError: "exit\n1", LastAttemptAt: clock()},
			{Event: session.EventClose},
		}
		r.GaveUp = []session.GaveUp{{Event: session.EventComment, CommentID: "IC_0", At: clock(), Error: "handler exited 1"}}
	})
	want := `ref:           github:octo/a#7
item:          pull request by alice, "Two lines �[31m"
url:           https://github.com/octo/a/pull/7
session:       a-7-x
state:         active since 2026-11-30T07:00:00Z (3h ago), session number 2 of the item
adopted by:    bob
last delivery: 2026-11-30T09:59:00Z (1m ago)
being tried:   comment IC_1 to the session of github:octo/a#1, 2 attempts failed, last tried 2026-11-30T10:00:00Z (0s ago): exit 1
being tried:   close, 0 attempts failed
gave up:       comment IC_0, 2026-11-30T10:00:00Z (0s ago): handler exited 1
to try again:  the-loop sessions retry github:octo/a#7
orphaned:      no source of the configuration asks for it, so nothing will happen to it
recovered:     2026-11-30T09:00:00Z (1h ago), because the record could not be read`
	if diff := cmp.Diff(want, strings.Join(sessionLines(r, watched{}, clock()), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStateWords(t *testing.T) {
	for want, change := range map[string]func(*session.Record){
		"none: no session was started":                                        func(*session.Record) {},
		"none: it waits for a comment 'the-loop start' of an authorized user": func(r *session.Record) { r.UnauthorizedTold = true },
		"none: its session is being started":                                  func(r *session.Record) { r.Pending = []session.Pending{{Event: session.EventSpawn}} },
		"none: its comments go to the session of the issue it works on":       func(r *session.Record) { r.Fed = true },
	} {
		r := session.Record{State: session.StateNone}
		change(&r)
		if got := stateWords(r, clock()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := itemWords(session.Record{}), "not listed since the record was recovered"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := itemWords(session.Record{Kind: ref.Issue}), "issue by a deleted account"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
