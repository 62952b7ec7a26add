package poller

import (
	"testing"

	"the-loop/internal/session"
)

// When its turn comes a delivery is made only if it still has to be, and with the
// handler and the attempt of that moment.
func TestPrepare(t *testing.T) {
	const two = "github:octo/a#2"
	for name, tt := range map[string]struct {
		event  session.Event
		change func(*session.Record)
		want   session.Readiness
	}{
		"as noted":           {session.EventComment, func(*session.Record) {}, session.Go},
		"comment is gone":    {session.EventComment, func(r *session.Record) { r.Pending = nil }, session.Never},
		"session has ended":  {session.EventComment, func(r *session.Record) { r.State = session.StateClosed }, session.Never},
		"start was given up": {session.EventComment, func(r *session.Record) { r.State = session.StateGaveUp }, session.Never},
		"start is pending": {session.EventComment, func(r *session.Record) {
			r.State = session.StateNone
			addPending(r, session.EventSpawn, "", "")
		}, session.Later},
		"spawn without a handler": {session.EventSpawn, func(*session.Record) {}, session.Later},
		"close":                   {session.EventClose, func(*session.Record) {}, session.Go},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.SetRouting(Routing{MaxRetries: 5})
			var d session.Delivery
			err := r.store.Update(two, func(rec *session.Record) error {
				rec.State = session.StateActive
				p := addPending(rec, tt.event, "d", "c1")
				p.Attempts = 3
				d = session.Delivery{ID: "d", Event: tt.event, Target: rec.Target(), Item: rec.Item()}
				tt.change(rec)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Prepare(&d); got != tt.want {
				t.Errorf("Prepare() = %d, want %d", got, tt.want)
			}
			if tt.want == session.Go && d.Attempt != 4 {
				t.Errorf("attempt %d, want 4", d.Attempt)
			}
		})
	}
}
