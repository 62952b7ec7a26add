package poller

import (
	"the-loop/internal/argvtemplate"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// dispatcher runs handlers; *session.Dispatcher is one.
type dispatcher interface {
	// Submit queues a delivery and never blocks; an error means that it was
	// not taken and costs nothing.
	Submit(session.Delivery) error
	// Pending reports whether a delivery is queued, running or being settled.
	Pending(id string) bool
	// Resume ends the pause of sessions in which something is to be retried.
	Resume()
	// TrimLogs starts the logs anew that are full.
	TrimLogs() error
	// Workload is what runs and what waits.
	Workload() session.Workload
}

// Routing says who may start sessions and which commands run them.
type Routing struct {
	// AuthorizedUsers are logins, "@me" or "*".
	AuthorizedUsers []string
	// Spawn, Comment and Close are argv of handlers. Without Spawn no session
	// begins; an empty Comment or Close means that the event is only recorded.
	Spawn, Comment, Close argvtemplate.Template
	// MaxRetries is how many attempts a delivery has, at least 1.
	MaxRetries int
}

func (r Routing) handler(e session.Event) argvtemplate.Template {
	switch e {
	case session.EventSpawn:
		return r.Spawn
	case session.EventComment:
		return r.Comment
	}
	return r.Close
}

// handOver is what came of handing a delivery to the dispatcher.
type handOver int

const (
	refused   handOver = iota // not now: an earlier one of the session comes first
	notNeeded                 // it is on its way, or over
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
	came, err := v.submit(v.item.Ref, &rec, session.Delivery{ID: id, Event: session.EventSpawn, Item: v.input()})
	if came == taken {
		v.sum.Spawns++
	}
	return err
}

// submitComment hands a comment over and reports whether later ones of the
// same session may follow in this cycle.
func (v *visit) submitComment(comment Comment) (bool, error) {
	d := session.Delivery{
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
func (c *cycle) submit(ref string, target *session.Record, d session.Delivery) (handOver, error) {
	if c.dispatch.Pending(d.ID) {
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
	case !c.store.OnDisk(ref):
		// A crash would forget that it was begun, and each start begin it again.
		return refused, nil
	}
	d.Attempt, d.Target = noted.Attempts+1, target.Target()
	d.Handler = c.routing.Load().handler(d.Event)
	if err := c.dispatch.Submit(d); err != nil {
		c.log.Debug("delivery not handed over", "ref", ref, "delivery", d.ID, "reason", err)
		return refused, nil
	}
	return taken, nil
}

// Queued tells of a delivery that the dispatcher has taken, before its handler
// can run.
func (p *Poller) Queued(d session.Delivery) {
	about := described(d, aboutRef(d))
	p.events.Write(eventlog.DispatchQueued(about))
	if d.Event == session.EventComment {
		p.events.Write(eventlog.CommentForwarded(about, d.Comment.ID, d.Comment.Author))
	}
}

// input is the item as a handler reads it.
func (v *visit) input() session.InputItem {
	i := v.item
	return session.InputItem{
		Kind: string(i.Kind), Host: i.Host, Owner: i.Owner, Repo: i.Repo, Number: i.Number,
		Title: i.Title, URL: i.URL, Author: i.Author, Labels: i.Labels, HeadRef: i.HeadRef, Body: i.Body,
	}
}

// described is the delivery as events name it: by the item that it is about.
func described(d session.Delivery, ref string) eventlog.Delivery {
	return eventlog.Delivery{
		Ref: ref, Session: d.Target.Session, Handler: string(d.Event), ID: d.ID, Attempt: d.Attempt,
	}
}
