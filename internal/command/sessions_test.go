package command

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/session"
)

func TestParseRef(t *testing.T) {
	for typed, want := range map[string]string{
		"github:octo/a#7":                                    "github:octo/a#7",
		"GitHub:Octo/A#7":                                    "github:octo/a#7",
		"octo/a#7":                                           "github:octo/a#7",
		"github.com/octo/a#7":                                "github:octo/a#7",
		"ghe.example.com/octo/a#7":                           "github:ghe.example.com/octo/a#7",
		"ghe.example.com:8443/octo/a#7":                      "github:ghe.example.com:8443/octo/a#7",
		"https://github.com/Octo/a/issues/7":                 "github:octo/a#7",
		"https://github.com/octo/a/pull/7/files":             "github:octo/a#7",
		"https://github.com/octo/a/pull/7#issuecomment-1":    "github:octo/a#7",
		"http://ghe.example.com:8443/octo/a/issues/7?x=y#z1": "github:ghe.example.com:8443/octo/a#7",
	} {
		if got, err := parseRef(typed); err != nil || got.String() != want {
			t.Errorf("parseRef(%q) = %q, %v; want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{
		"", "7", "#7", "octo/a", "octo/a#0", "octo/a#07", "octo/a#-1", "a#7", "gitlab:octo/a#7", "octo/a/b/c#7",
		"https://github.com/octo/a", "https://github.com/octo/a/commit/7", "../../etc#7", "octo/a#7 ",
	} {
		if got, err := parseRef(typed); err == nil {
			t.Errorf("parseRef(%q) = %q, want an error", typed, got)
		}
	}
}

func clock() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

func record(ref string, state session.State, age time.Duration, change func(*session.Record)) session.Record {
	r := session.Record{Ref: "github:" + ref, Kind: kindIssue, State: state, SinceAt: clock().Add(-age)}
	if change != nil {
		change(&r)
	}
	return r
}

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
		record("octo/gone#10", session.StateActive, time.Hour, func(r *session.Record) { r.Kind = kindPullRequest }),
		record("octo/old#11", session.StateActive, time.Hour, func(r *session.Record) { r.Kind = kindPullRequest }),
		record("octo/old#12", session.StateActive, 3*time.Hour, func(r *session.Record) { r.Kind = "" }),
	}
	inOrderOfInterest(records)
	w := watched{
		"octo/closed": {kindIssue}, "octo/none": {kindIssue}, "octo/old": {kindIssue}, "octo/young": {kindIssue},
		"octo/starting": {kindIssue}, "octo/comment": {kindIssue, kindPullRequest}, "octo/spawn": {kindIssue},
	}
	want := `REF                     STATE    SINCE  LAST DELIVERY  ATTEMPTS  NOTE
github:octo/gone#8      active   1s     never          -         orphaned, gave up
github:octo/spawn#7     gave-up  1m     never          -         gave up
github:octo/comment#6   active   1h     never          -         gave up
github:octo/young#4     closing  1h     never          2
github:octo/gone#10     active   1h     never          -         orphaned
github:octo/old#11      active   1h     never          -         orphaned
github:octo/old#12      active   3h     never          -
github:octo/old#3       active   2d     1h ago         -
github:octo/starting#5  none     -      never          0
github:octo/none#2      none     -      never          -
github:octo/gone#9      closed   1s     never          -
github:octo/closed#1    closed   1m     never          -
`
	if diff := cmp.Diff(want, string(sessionTable(records, w, clock()))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := string(sessionTable(records, nil, clock())); strings.Contains(text, "orphaned") {
		t.Errorf("without a configuration something is orphaned:\n%s", text)
	}
}

func TestSessionLines(t *testing.T) {
	r := record("octo/a#7", session.StateActive, 3*time.Hour, func(r *session.Record) {
		r.Kind, r.Title, r.Author = kindPullRequest, "Two\nlines \x1b[31m", "alice"
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
being tried:   comment IC_1 to the session of github:octo/a#1, 2 attempt(s) failed, last tried 2026-11-30T10:00:00Z (0s ago): exit 1
being tried:   close, 0 attempt(s) failed
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
		"none: no session was started":                                  func(*session.Record) {},
		"none: nobody who may has asked for it":                         func(r *session.Record) { r.UnauthorizedTold = true },
		"none: its session is being started":                            func(r *session.Record) { r.Pending = []session.Pending{{Event: session.EventSpawn}} },
		"none: its comments go to the session of the issue it works on": func(r *session.Record) { r.Fed = true },
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
	if got, want := itemWords(session.Record{Kind: kindIssue}), "issue by a deleted account"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
