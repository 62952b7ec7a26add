package command

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
