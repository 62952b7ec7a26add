package command

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func TestSessionTable(t *testing.T) {
	gaveUp := func(r *session.Record) { r.GaveUp = []session.GaveUp{{Event: session.EventComment}} }
	records := []session.Record{
		record("octo/closed#1", session.StateClosed, time.Minute, nil),
		record("octo/none#2", session.StateNone, time.Minute, func(r *session.Record) { r.SinceAt = time.Time{} }),
		record("octo/old#3", session.StateActive, 50*time.Hour, func(r *session.Record) { r.LastDeliveryAt = clock().Add(-time.Hour) }),
		record("octo/young#4", session.StateClosing, time.Hour, func(r *session.Record) {
			r.Pending = []session.Pending{{Attempts: 1}, {Attempts: 2}}
		}),
		record("octo/starting#5", session.StateNone, 0, func(r *session.Record) {
			r.SinceAt, r.Pending = time.Time{}, []session.Pending{{}}
		}),
		record("octo/comment#6", session.StateActive, time.Hour, gaveUp),
		record("octo/spawn#7", session.StateGaveUp, time.Minute, gaveUp),
		record("octo/gone#8", session.StateActive, time.Second, gaveUp),
		record("octo/gone#9", session.StateClosed, time.Second, nil),
		record("octo/gone#10", session.StateActive, time.Hour, func(r *session.Record) { r.Kind = ref.PullRequest }),
		record("octo/old#11", session.StateActive, time.Hour, func(r *session.Record) { r.Kind = ref.PullRequest }),
		record("octo/old#12", session.StateActive, 3*time.Hour, func(r *session.Record) { r.Kind = "" }),
	}
	inOrderOfInterest(records)
	w := watched{
		"octo/closed": {ref.Issue}, "octo/none": {ref.Issue}, "octo/old": {ref.Issue}, "octo/young": {ref.Issue},
		"octo/starting": {ref.Issue}, "octo/comment": {ref.Issue, ref.PullRequest}, "octo/spawn": {ref.Issue},
	}
	want := `REF                     STATE    SINCE  LAST DELIVERY  ATTEMPTS  TITLE  NOTE
github:octo/gone#8      active   1s     never          -                orphaned, gave up; 'sessions retry' tries again
github:octo/spawn#7     gave-up  1m     never          -                gave up; 'sessions retry' tries again
github:octo/comment#6   active   1h     never          -                gave up; 'sessions retry' tries again
github:octo/young#4     closing  1h     never          2                close not delivered yet
github:octo/gone#10     active   1h     never          -                orphaned
github:octo/old#11      active   1h     never          -                orphaned
github:octo/old#12      active   3h     never          -
github:octo/old#3       active   2d     1h ago         -
github:octo/starting#5  none     -      never          0
github:octo/none#2      none     -      never          -
github:octo/gone#9      closed   1s     never          -
github:octo/closed#1    closed   1m     never          -
`
	if diff := cmp.Diff(want, string(sessionTable(records, w, clock(), 0))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := string(sessionTable(records, nil, clock(), 0)); strings.Contains(text, "orphaned") {
		t.Errorf("without a configuration something is orphaned:\n%s", text)
	}
}

// Titles give way to the width of a terminal, notes do not.
func TestSessionTableWidth(t *testing.T) {
	records := []session.Record{
		record("octo/a#1", session.StateActive, time.Minute, func(r *session.Record) {
			r.Title = "Two\nlines \x1b[31m and " + strings.Repeat("many ", 60) + "words"
		}),
		record("octo/a#2", session.StateStopped, time.Minute, func(r *session.Record) { r.Title, r.StoppedBy = "日本語の題名がある", "alice" }),
	}
	for width, want := range map[int]string{
		0: `REF              STATE    SINCE  LAST DELIVERY  ATTEMPTS  TITLE                                                         NOTE
github:octo/a#1  active   1m     never          -         Two lines �[31m and many many many many many many many many…
github:octo/a#2  stopped  1m     never          -         日本語の題名がある                                            by alice; 'sessions restart' starts it
`,
		120: `REF              STATE    SINCE  LAST DELIVERY  ATTEMPTS  TITLE                   NOTE
github:octo/a#1  active   1m     never          -         Two lines �[31m and m…
github:octo/a#2  stopped  1m     never          -         日本語の題名がある      by alice; 'sessions restart' starts it
`,
		80: `REF              STATE    SINCE  LAST DELIVERY  ATTEMPTS  TITLE         NOTE
github:octo/a#1  active   1m     never          -         Two lines �…
github:octo/a#2  stopped  1m     never          -         日本語の題…   by alice; 'sessions restart' starts it
`,
	} {
		if diff := cmp.Diff(want, string(sessionTable(records, nil, clock(), width))); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}

// Each state that waits for something has its note.
func TestNotes(t *testing.T) {
	for want, change := range map[string]func(*session.Record){
		"":                                           func(*session.Record) {},
		"waits for 'the-loop start'":                 func(r *session.Record) { r.State, r.UnauthorizedTold = session.StateNone, true },
		"its issue's session hears it":               func(r *session.Record) { r.State, r.Fed = session.StateNone, true },
		"no spawn handler":                           func(r *session.Record) { r.State, r.NoHandler = session.StateNone, true },
		"waits for room (maxSessions)":               func(r *session.Record) { r.State = session.StateQueued },
		"by alice; 'sessions resume' goes on":        func(r *session.Record) { r.State, r.StoppedBy = session.StatePaused, "alice" },
		"a new session follows":                      func(r *session.Record) { r.State, r.StoppedBy, r.Restart = session.StateStopped, "alice", true },
		"moved to octo/b#2; 'sessions stop' ends it": func(r *session.Record) { r.Gone = "moved to octo/b#2" },
		"gave up, not listed, retried when listed": func(r *session.Record) {
			r.GaveUp, r.Unlisted, r.Retry = []session.GaveUp{{}}, true, true
		},
		"starting, deferred": func(r *session.Record) {
			r.State, r.Pending = session.StateNone, []session.Pending{{Event: session.EventSpawn, LastError: "exited 75"}}
		},
	} {
		r := record("octo/a#1", session.StateActive, time.Minute, change)
		if got := (watched)(nil).note(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
