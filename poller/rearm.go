package poller

import (
	"slices"
	"time"

	"the-loop/internal/session"
)

// rearmForVersion arms again, once in the life of this process, what another
// version of the program gave up: whatever made it fail may have been mended.
func (c *cycle) rearmForVersion() {
	if c.rearmed {
		return
	}
	c.rearmed = true
	other := func(g session.GaveUp) bool { return g.Program != c.program }
	for rec := range c.store.All() {
		if !slices.ContainsFunc(rec.GaveUp, other) {
			continue
		}
		if err := c.rearm(rec.Ref, "another version of the program", other); err != nil {
			c.itemError(rec.Ref, err)
		}
	}
}

// takeRetryNotes arms again what somebody asked for with a note.
func (c *cycle) takeRetryNotes() {
	err := c.store.TakeRetryNotes(func(ref string) error {
		return c.rearm(ref, "sessions retry", func(session.GaveUp) bool { return true })
	})
	if err != nil {
		c.log.Warn("retry notes could not be taken up, tried again next cycle", "error", err)
	}
}

// rearm gives what was given up its attempts back: a spawn or a close is
// pending again, and comments are read and found new again.
func (p *Poller) rearm(ref, reason string, which func(session.GaveUp) bool) error {
	var armed []session.Event
	var rec session.Record
	err := p.store.Update(ref, func(r *session.Record) error {
		armed = nil
		var kept []session.GaveUp
		for _, g := range r.GaveUp {
			switch {
			case !which(g):
				kept = append(kept, g)
				continue
			case g.Event == session.EventSpawn && r.State == session.StateGaveUp:
				r.SetState(session.StateNone, p.now())
				addPending(r, session.EventSpawn, "", "")
			case g.Event == session.EventClose && r.State == session.StateClosed:
				r.SetState(session.StateClosing, p.now())
				addPending(r, session.EventClose, "", "").Closure = g.Closure
			}
			armed = append(armed, g.Event)
			r.ReadTo = time.Time{}
		}
		r.GaveUp = kept
		rec = *r
		return nil
	})
	for _, event := range armed {
		p.tellRearmed(&rec, event, reason)
	}
	return err
}

// addPending notes a delivery that is begun; one that is noted keeps its
// attempts. The id is that of the record's own session unless given.
func addPending(r *session.Record, event session.Event, id, commentID string) *session.Pending {
	if id == "" {
		id = r.DeliveryID(event, commentID)
	}
	if p := r.PendingByID(id); p != nil {
		return p
	}
	r.Pending = append(r.Pending, session.Pending{ID: id, Event: event, CommentID: commentID})
	return &r.Pending[len(r.Pending)-1]
}

func dropGaveUp(r *session.Record, event session.Event, commentID string) {
	r.GaveUp = slices.DeleteFunc(r.GaveUp, func(g session.GaveUp) bool {
		return g.Event == event && g.CommentID == commentID
	})
}
