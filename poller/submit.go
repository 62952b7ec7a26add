package poller

import (
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// dispatcher runs handlers; *dispatch.Dispatcher implements it.
type dispatcher interface {
	// Submit queues a delivery and never blocks. An error means that the dispatcher
	// refused it.
	Submit(dispatch.Delivery) error
	// Stage returns the progress of a delivery.
	Stage(id string) dispatch.Stage
	// Resume retries the held deliveries that which selects.
	Resume(which func(dispatch.Delivery) bool) []dispatch.Delivery
	// TrimLogs truncates full logs.
	TrimLogs() error
	// Ask runs the alive handler for a session.
	Ask(session.Target, argvtemplate.Template, dispatch.Asked)
	// Workload returns what runs and what waits.
	Workload() dispatch.Workload
}

// Routing defines who may start sessions and which handlers run.
type Routing struct {
	// AuthorizedUsers are logins, "@me" or "*".
	AuthorizedUsers []string
	// Spawn, Comment and Close are argv of handlers. Without Spawn no session begins.
	// Without Comment or Close, the event is only recorded.
	Spawn, Comment, Close argvtemplate.Template
	// Update hears of checks, conflicts and reviews of pull requests. Without it no
	// pull request is asked about them.
	Update argvtemplate.Template
	// Alive answers every AliveEvery whether a session lives. Without it no session is
	// asked.
	Alive      argvtemplate.Template
	AliveEvery time.Duration
	// MaxRetries is the number of attempts for a delivery, at least 1.
	MaxRetries int
	// MaxSessions limits live sessions; 0 means no limit.
	MaxSessions int
	// MaxSession is the age at which a session ends; 0 means never.
	MaxSession time.Duration
	// Priority lists labels, the most urgent first. Queued items start in that order.
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

// handOver is the result of submitting a delivery.
type handOver int

const (
	refused   handOver = iota // not now
	notNeeded                 // in flight already, or over
	later                     // put aside until the end of the cycle, behind earlier ones
	taken
)

// submitSpawn submits the item's spawn unless it is in flight.
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

// submitComment submits a comment and reports whether later ones of the same session
// may follow in this cycle.
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

// submit completes a delivery that the record of ref holds, and queues it for the
// session of target.
func (c *cycle) submit(ref string, target *session.Record, d dispatch.Delivery) (handOver, error) {
	if c.onItsWay(d.ID) {
		return notNeeded, nil
	}
	// Read the record after asking for the stage: it then holds every earlier result.
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
		// After a crash, each start would begin the delivery again.
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

// onItsWay reports whether the dispatcher holds the delivery.
func (p *Poller) onItsWay(id string) bool { return p.dispatch.Stage(id) != dispatch.Absent }

// resume retries held deliveries and counts them in the summary.
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

// resumeHeld retries held deliveries except spawns, which wait for the visit of their
// item: it may have ended. It also resumes deliveries that no record holds any more;
// [Poller.Prepare] drops those.
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

// Prepare decides, when a delivery's turn has come, whether to make it and with which
// handler. It is safe for use concurrent with a cycle.
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

// Queued reports a delivery that the dispatcher has accepted, before its handler can
// run. It is safe for use concurrent with a cycle.
func (p *Poller) Queued(d dispatch.Delivery) {
	p.events.Write(eventlog.DispatchQueued(described(d, d.Target.Ref)))
	switch d.Event {
	case session.EventUpdate:
		p.events.Write(eventlog.UpdateForwarded(described(d, aboutRef(d)), string(d.Update.Kind)))
	case session.EventComment:
		p.events.Write(eventlog.CommentForwarded(described(d, aboutRef(d)), d.Comment.ID, d.Comment.Author))
	}
}

// input is the item in the form for handlers.
func (v *visit) input() session.InputItem {
	i := v.item
	return session.InputItem{
		Kind: i.Kind, Item: i.Item, Title: i.Title, URL: i.URL, Author: i.Author, Labels: i.Labels,
		HeadRef: i.HeadRef, Body: i.Body, Draft: i.Draft,
	}
}

// described is the delivery in the form for events. Ref is the session's own item or,
// in events about a comment, the item with the comment.
func described(d dispatch.Delivery, ref string) eventlog.Delivery {
	return eventlog.Delivery{
		Ref: ref, Session: d.Target.Session, Handler: string(d.Event), ID: d.ID, Attempt: d.Attempt,
	}
}
