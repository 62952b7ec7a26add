package poller

import (
	"testing"

	"the-loop/internal/dispatch"
	"the-loop/internal/session"
)

// When its turn comes a delivery is made only if it still has to be, and with the
// handler and the attempt of that moment.
func TestPrepare(t *testing.T) {
	const two = "github:octo/a#2"
	for name, tt := range map[string]struct {
		event  session.Event
		change func(*session.Record)
		want   dispatch.Readiness
	}{
		"as noted":           {session.EventComment, func(*session.Record) {}, dispatch.Go},
		"comment is gone":    {session.EventComment, func(r *session.Record) { r.Pending = nil }, dispatch.Never},
		"session has ended":  {session.EventComment, func(r *session.Record) { r.State = session.StateClosed }, dispatch.Never},
		"start was given up": {session.EventComment, func(r *session.Record) { r.State = session.StateGaveUp }, dispatch.Never},
		"start is pending": {session.EventComment, func(r *session.Record) {
			r.State = session.StateNone
			addPending(r, session.EventSpawn, "", "")
		}, dispatch.Later},
		"spawn without a handler": {session.EventSpawn, func(*session.Record) {}, dispatch.Later},
		"close":                   {session.EventClose, func(*session.Record) {}, dispatch.Go},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.SetRouting(Routing{MaxRetries: 5})
			var d dispatch.Delivery
			err := r.store.Update(two, func(rec *session.Record) error {
				rec.State = session.StateActive
				p := addPending(rec, tt.event, "d", "c1")
				p.Attempts = 3
				d = dispatch.Delivery{ID: "d", Event: tt.event, Target: rec.Target(), Item: rec.InputItem()}
				tt.change(rec)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Prepare(&d); got != tt.want {
				t.Errorf("Prepare() = %d, want %d", got, tt.want)
			}
			if tt.want == dispatch.Go && d.Attempt != 4 {
				t.Errorf("attempt %d, want 4", d.Attempt)
			}
		})
	}
}
