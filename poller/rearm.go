package poller

import (
	"context"
	"slices"
	"time"

	"the-loop/internal/session"
)

// rearmCloses arms again, once in the life of the process, the closes that another
// version of the program gave up: this version may have mended the cause. Closes
// depend on no listing; [visit.rearm] handles the other deliveries.
func (c *cycle) rearmCloses() {
	if c.rearmed {
		return
	}
	c.rearmed = true
	for rec := range c.store.Standing() {
		if rec.State != session.StateClosed && rec.State != session.StateStopped || !slices.ContainsFunc(rec.GaveUp, c.byAnotherVersion) {
			continue
		}
		if err := c.Poller.rearm(rec.Ref, anotherVersion, c.byAnotherVersion); err != nil {
			c.itemError(rec.Ref, err)
		}
	}
}

// The reasons to arm a delivery again.
const (
	anotherVersion = "another version of the program"
	sessionsRetry  = "sessions retry"
)

func (p *Poller) byAnotherVersion(g session.GaveUp) bool { return g.Program != p.program }

func everything(session.GaveUp) bool { return true }

// takeNotes carries out the notes that the command line left beside records. It arms
// a close at once. Other given-up deliveries wait in the record until the item is
// listed, which may never happen.
func (c *cycle) takeNotes() {
	err := c.store.TakeNotes(func(ref string, note session.Note) error {
		if note == session.NoteRetry {
			return c.takeRetryNote(ref)
		}
		o := request{command(note), session.ByHand, true}
		if err := c.carryOut(ref, o, nil); err != nil {
			return err
		}
		c.tellCommands(ref, []request{o})
		return nil
	})
	if c.repeated.news("notes", err) {
		c.log.Warn("notes could not be acted on, tried again next cycle", "error", err)
	}
}

func (c *cycle) takeRetryNote(ref string) error {
	rec, _, err := c.store.Get(ref)
	switch {
	case err != nil:
		return err
	case rec.Over():
		return c.Poller.rearm(ref, sessionsRetry, everything)
	}
	return c.store.Update(ref, func(r *session.Record) error {
		r.Retry = len(r.GaveUp) > 0
		return nil
	})
}

// rearm arms again the given-up deliveries of a listed item, if a person asked for it
// or another version of the program gave up.
func (v *visit) rearm(ctx context.Context) error {
	var err error
	switch {
	case v.rec.Retry:
		err = v.Poller.rearm(v.rec.Ref, sessionsRetry, everything)
	case slices.ContainsFunc(v.rec.GaveUp, v.byAnotherVersion):
		err = v.Poller.rearm(v.rec.Ref, anotherVersion, v.byAnotherVersion)
	case v.rec.Unlisted:
		v.questions.forget(v.rec.Ref)
		err = v.store.Update(v.rec.Ref, func(r *session.Record) error {
			r.Unlisted = false
			return nil
		})
	default:
		return nil
	}
	if err != nil {
		return err
	}
	return v.load(ctx)
}

// rearm restores the attempts of given-up deliveries. A spawn or a close becomes
// pending again; comments are read and found new again. For an ended item only the
// close can be retried.
func (p *Poller) rearm(ref, reason string, which func(session.GaveUp) bool) error {
	var armed []session.Event
	var rec session.Record
	err := p.store.Update(ref, func(r *session.Record) error {
		armed = nil
		over := r.Over()
		r.Retry, r.Unlisted = false, false
		var kept []session.GaveUp
		for _, g := range r.GaveUp {
			switch {
			case !which(g), over && g.Event != session.EventClose:
				kept = append(kept, g)
				continue
			case g.Event == session.EventSpawn && r.State == session.StateGaveUp:
				r.SetState(session.StateNone, p.now())
				r.Losses = nil
				if !p.waitsForRoom() {
					addPending(r, session.EventSpawn, "", "")
				}
			case g.Event == session.EventClose && over:
				r.SetState(session.StateClosing, p.now())
				addPending(r, session.EventClose, "", "").Closure = g.Closure
			case g.Event == session.EventUpdate && g.Update != nil && r.Followed != nil:
				p := addPending(r, session.EventUpdate, g.DeliveryID, "")
				p.SessionRef, p.Update = g.SessionRef, g.Update
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

// addPending records a delivery as begun, and keeps the attempts of one that is
// recorded already. An empty id stands for that of the record's own session.
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
