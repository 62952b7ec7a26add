package poller

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// item processes one listed item. Any failure, including a panic, is that item's
// error.
func (c *cycle) item(ctx context.Context, src Source, item WorkItem) {
	defer c.contain(item.Ref, func(text string) { c.itemError(item.Ref, errors.New(text)) })
	v := &visit{cycle: c, src: src, item: item}
	if err := v.process(ctx); err != nil {
		c.itemFailed(ctx, item.Ref, err)
		return
	}
	c.visits.done[item.Ref] = true
	v.toFollow()
}

// itemFailed records an item's error, unless it was only put off.
func (c *cycle) itemFailed(ctx context.Context, ref string, err error) {
	var putOff *PutOffError
	switch {
	case ctx.Err() != nil:
		c.sum.Interrupted = true
	case errors.As(err, &putOff):
		c.visits.putOff[ref] = true
		c.log.Debug("item put off", "ref", ref, "reason", putOff.Reason)
		if putOff.Limit != nil {
			c.limited(*putOff.Limit)
		}
	default:
		c.itemError(ref, err)
	}
}

func (c *cycle) itemError(ref string, err error) {
	if c.toldBefore(ref, err) {
		c.log.Debug("item could still not be processed", "ref", ref, "error", err)
	} else {
		c.log.Error("item could not be processed, retried next cycle", "ref", ref, "error", err)
		c.events.Write(eventlog.ItemError(ref, err.Error()))
	}
	c.sum.Errors++
	c.visits.failed[ref] = err.Error()
}

// visit is the processing of one listed item in one cycle.
type visit struct {
	*cycle
	src   Source
	item  WorkItem
	rec   session.Record // as of the start of the visit
	known bool
	// target is the live session that hears the item's comments: its own, or that of
	// the issue on which a pull request works. Nil if there is none.
	target *session.Record
	open   bool // the item itself answered so in this visit
}

func (v *visit) process(ctx context.Context) error {
	if err := v.load(ctx); err != nil {
		return err
	}
	switch {
	case v.item.Unlabelled && !v.feeds():
		return nil // the linked session has just ended
	case !v.known:
		return v.firstSight(ctx)
	case v.rec.State == session.StateClosing:
		return nil // its close is being delivered; after that it is first sight again
	case v.rec.State == session.StateClosed:
		return v.listedAfterItsEnd(ctx)
	}
	if err := v.rearm(ctx); err != nil {
		return err
	}
	if v.rec.State == session.StateNone && v.rec.HasPending(session.EventSpawn) && !v.canSpawn() {
		return v.awaitHandler() // its comments must not overtake it
	}
	if v.lastAttemptRuns() {
		return nil // a comment made meanwhile stays new, and arms a failed start
	}
	if v.rec.Recovered || v.toRestart() || v.unread() {
		return v.read(ctx)
	}
	if v.rec.State == session.StateNone && v.rec.HasPending(session.EventSpawn) {
		return v.submitSpawn() // it may need another try
	}
	return v.startIfAuthorized(ctx)
}

// load reads the record and finds the session that hears the item.
func (v *visit) load(ctx context.Context) error {
	var err error
	if v.rec, v.known, err = v.store.Get(v.item.Ref); err != nil {
		return err
	}
	if v.known && v.rec.Live() {
		v.target = &v.rec
		return nil
	}
	v.target, err = v.linkedSession(ctx)
	return err
}

// feeds reports whether the item's comments go to another item's session.
func (v *visit) feeds() bool { return v.target != nil && v.target.Ref != v.item.Ref }

// unread reports whether there may be unread comments: the item has changed since it
// was read, or in the last cycle, or just now, or its record holds a delivery that
// the dispatcher lacks.
func (v *visit) unread() bool {
	owes := func(p session.Pending) bool { return p.Event != session.EventUpdate && !v.onItsWay(p.ID) }
	return v.item.UpdatedAt.IsZero() || !v.item.UpdatedAt.Equal(v.rec.ReadTo) || v.rec.Settle || v.changedJustNow() ||
		!keepsComments(v.target) && slices.ContainsFunc(v.rec.Pending, owes)
}

// toRestart reports whether the stopped item is due for its next session.
func (v *visit) toRestart() bool {
	return v.target == nil && v.rec.State == session.StateStopped && v.rec.Restart && v.questions.due(v.rec.Ref)
}

// changedJustNow reports whether the second of the item's last change may still last.
// GitHub's times have whole seconds, so a further comment can share it. The limits
// allow for clocks that differ.
func (v *visit) changedJustNow() bool {
	const settled, ahead = 3 * time.Second, time.Minute
	age := time.Since(v.item.UpdatedAt)
	return -ahead < age && age < settled
}

// describe copies the item's description into its record.
func (v *visit) describe(r *session.Record) {
	r.Kind, r.Owner, r.Name = v.item.Kind, v.item.Owner, v.item.Name
	r.Title, r.URL, r.Author = clip(v.item.Title, maxTitle), v.item.URL, v.item.Author
}

// maxTitle limits the title in a record, in bytes. Every change of the item rewrites
// it, and only people read it there.
const maxTitle = 1000

// clip cuts text to at most limit bytes, between two characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const more = "…"
	cut := limit - len(more)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + more
}

// readToTheEnd records that the comments were read and, if the item had changed, that
// the next cycle reads them once more.
func (v *visit) readToTheEnd(r *session.Record) {
	r.Settle = !v.item.UpdatedAt.Equal(r.ReadTo)
	r.ReadTo = v.item.UpdatedAt
	r.Recovered = false
}
