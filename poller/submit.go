package poller

import (
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// dispatcher runs handlers; *dispatch.Dispatcher is one.
type dispatcher interface {
	// Submit queues a delivery and never blocks; an error means that it was
	// not taken and costs nothing.
	Submit(dispatch.Delivery) error
	// Stage is where a delivery stands.
	Stage(id string) dispatch.Stage
	// Resume tries those of the held deliveries again that which chooses.
	Resume(which func(dispatch.Delivery) bool) []dispatch.Delivery
	// TrimLogs starts the logs anew that are full.
	TrimLogs() error
	// Ask has the alive handler asked about a session.
	Ask(session.Target, argvtemplate.Template, dispatch.Asked)
	// Workload is what runs and what waits.
	Workload() dispatch.Workload
}

// Routing says who may start sessions and which commands run them.
type Routing struct {
	// AuthorizedUsers are logins, "@me" or "*".
	AuthorizedUsers []string
	// Spawn, Comment and Close are argv of handlers. Without Spawn no session
	// begins; an empty Comment or Close means that the event is only recorded.
	Spawn, Comment, Close argvtemplate.Template
	// Update hears how pull requests fare. Without it they are not asked.
	Update argvtemplate.Template
	// Alive says whether a session lives, every AliveEvery. Without it none is asked.
	Alive      argvtemplate.Template
	AliveEvery time.Duration
	// MaxRetries is how many attempts a delivery has, at least 1.
	MaxRetries int
	// MaxSessions bounds the sessions that live at once; 0 is no limit.
	MaxSessions int
	// MaxSession is the age at which a session ends; 0 is none.
	MaxSession time.Duration
	// Priority are labels, the most urgent first, by which items wait for room.
	Priority []string
}

func (r Routing) handler(e session.Event) argvtemplate.Template {
	switch e {
	case session.EventSpawn:
		return r.Spawn
	case session.EventComment:
		return r.Comment
	case session.EventUpdate:
		return r.Update
	}
	return r.Close
}

// handOver is what came of handing a delivery to the dispatcher.
type handOver int

const (
	refused   handOver = iota // not now
	notNeeded                 // it is on its way, or over
	later                     // at the end of the cycle, if those before it are on their way
	taken
)

// submitSpawn hands the item's spawn over unless it is on its way.
func (v *visit) submitSpawn() error {
	if !v.canSpawn() {
		return v.awaitHandler()
	}
	if err := v.markNoHandler(false); err != nil {
		return err
	}
	rec, _, err := v.store.Get(v.item.Ref)
	if err != nil {
		return err
	}
	id := rec.DeliveryID(session.EventSpawn, "")
	if v.dispatch.Stage(id) == dispatch.Held {
		v.resume(func(d dispatch.Delivery) bool { return d.ID == id })
		return nil
	}
	came, err := v.submit(v.item.Ref, &rec, dispatch.Delivery{ID: id, Event: session.EventSpawn, Respawn: rec.Respawns > 0, Item: v.input()})
	if came == taken {
		v.sum.Spawns++
	}
	return err
}

// submitComment hands a comment over and reports whether later ones of the
// same session may follow in this cycle.
func (v *visit) submitComment(comment Comment) (bool, error) {
	d := dispatch.Delivery{
		ID: v.target.DeliveryID(session.EventComment, comment.ID), Event: session.EventComment, Item: v.input(),
		Comment: &session.InputComment{
			ID: comment.ID, Surface: string(comment.Surface), Author: comment.Author, Body: comment.Body,
			URL: comment.URL, CreatedAt: comment.CreatedAt, Path: comment.Path, Line: comment.Line,
			ReviewState: comment.ReviewState,
		},
	}
	came, err := v.submit(v.item.Ref, v.target, d)
	if came == taken {
		v.sum.CommentsForwarded++
	}
	return came != refused, err
}

// submit completes a delivery that the record of ref notes and queues it for
// the session of target.
func (c *cycle) submit(ref string, target *session.Record, d dispatch.Delivery) (handOver, error) {
	if c.onItsWay(d.ID) {
		return notNeeded, nil
	}
	// Read after that question: whatever was settled before it is in the record.
	rec, _, err := c.store.Get(ref)
	if err != nil {
		return refused, err
	}
	noted := rec.PendingByID(d.ID)
	switch {
	case noted == nil:
		return notNeeded, nil
	case d.Event != session.EventClose && c.isPaused(target.Ref):
		return refused, nil
	case !c.store.OnDisk(ref):
		// A crash would forget that it was begun, and each start begin it again.
		return refused, nil
	}
	d.Attempt, d.Target = noted.Attempts+1, target.Target()
	d.Handler = c.routing.Load().handler(d.Event)
	fromItems := d.Event == session.EventComment || d.Event == session.EventUpdate && target.State != session.StateClosing
	if fromItems && c.overtakes(target.Ref, *noted) {
		c.aside = append(c.aside, late{ref: ref, order: noted.Order, delivery: d})
		return later, nil
	}
	return c.handOver(ref, d), nil
}

// handOver queues a complete delivery.
func (c *cycle) handOver(ref string, d dispatch.Delivery) handOver {
	if err := c.dispatch.Submit(d); err != nil {
		c.log.Debug("delivery not handed over", "ref", ref, "delivery", d.ID, "reason", err)
		return refused
	}
	return taken
}

// onItsWay reports whether the dispatcher has the delivery.
func (p *Poller) onItsWay(id string) bool { return p.dispatch.Stage(id) != dispatch.Absent }

// resume has held deliveries tried again and counts them as handed over.
func (c *cycle) resume(which func(dispatch.Delivery) bool) {
	for _, d := range c.dispatch.Resume(which) {
		switch d.Event {
		case session.EventSpawn:
			c.sum.Spawns++
		case session.EventComment:
			c.sum.CommentsForwarded++
		}
	}
}

// resumeHeld tries again what was put off or has failed, but for a spawn: that
// waits for the visit of its item, which may have ended. What is not noted any
// more is resumed, too, and dropped by [Poller.Prepare].
func (c *cycle) resumeHeld() {
	c.resume(func(d dispatch.Delivery) bool {
		if d.Event == session.EventClose {
			return true
		}
		if d.Event != session.EventSpawn {
			return !c.isPaused(d.Target.Ref)
		}
		rec, _, err := c.store.Get(aboutRef(d))
		return err == nil && rec.PendingByID(d.ID) == nil
	})
}

// Prepare is what the dispatcher asks when a delivery's turn has come: whether it
// is still to be made, and with which handler. It is safe beside a cycle.
func (p *Poller) Prepare(d *dispatch.Delivery) dispatch.Readiness {
	ref := aboutRef(*d)
	rec, _, err := p.store.Get(ref)
	if err != nil {
		return dispatch.Later
	}
	noted := rec.PendingByID(d.ID)
	if noted == nil {
		return dispatch.Never
	}
	d.Attempt, d.Handler = noted.Attempts+1, p.routing.Load().handler(d.Event)
	switch d.Event {
	case session.EventSpawn:
		if len(d.Handler) == 0 || keepsComments(&rec) {
			return dispatch.Later
		}
	case session.EventComment:
		target, _, err := p.store.Get(d.Target.Ref)
		switch {
		case err != nil, target.Live() && target.State != session.StateActive:
			return dispatch.Later
		case target.State != session.StateActive:
			return dispatch.Never
		}
	case session.EventUpdate:
		target, _, err := p.store.Get(d.Target.Ref)
		switch {
		case err != nil, target.Live() && target.State != session.StateActive:
			return dispatch.Later
		case target.State != session.StateActive && !(target.State == session.StateClosing && isEnd(d.Update)):
			return dispatch.Never
		}
	}
	if !p.store.OnDisk(ref) {
		return dispatch.Later // see submit
	}
	return dispatch.Go
}

// Queued tells of a delivery that the dispatcher has taken, before its handler
// can run.
func (p *Poller) Queued(d dispatch.Delivery) {
	p.events.Write(eventlog.DispatchQueued(described(d, d.Target.Ref)))
	switch d.Event {
	case session.EventUpdate:
		p.events.Write(eventlog.UpdateForwarded(described(d, aboutRef(d)), string(d.Update.Kind)))
	case session.EventComment:
		p.events.Write(eventlog.CommentForwarded(described(d, aboutRef(d)), d.Comment.ID, d.Comment.Author))
	}
}

// input is the item as a handler reads it.
func (v *visit) input() session.InputItem {
	i := v.item
	return session.InputItem{
		Kind: string(i.Kind), Host: i.Host, Owner: i.Owner, Repo: i.Repo, Number: i.Number,
		Title: i.Title, URL: i.URL, Author: i.Author, Labels: i.Labels, HeadRef: i.HeadRef, Body: i.Body, Draft: i.Draft,
	}
}

// described is the delivery as events name it: by the session's own item or, in
// those about a comment, by the item that the comment stands on.
func described(d dispatch.Delivery, ref string) eventlog.Delivery {
	return eventlog.Delivery{
		Ref: ref, Session: d.Target.Session, Handler: string(d.Event), ID: d.ID, Attempt: d.Attempt,
	}
}
