package poller

import (
	"cmp"
	"context"
	"slices"

	"the-loop/internal/dispatch"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// This file keeps the order of a session's deliveries across a restart. Within one
// process the dispatcher does that. A new process finds deliveries in the records of
// several items and visits those in another order; a later delivery must not overtake.

// owed is a comment or an update whose delivery an earlier process began.
type owed struct {
	ref   string // the item whose record holds it
	id    string
	order int
	event session.Event
}

// late is a delivery that waits behind one that is owed.
type late struct {
	ref      string
	order    int
	delivery dispatch.Delivery
}

// findOwed finds, once in the life of the process, the deliveries that earlier
// processes began.
func (c *cycle) findOwed() {
	if c.owed != nil {
		return
	}
	c.owed = map[string][]owed{}
	for rec := range c.store.All() {
		c.addOwed(rec, "")
	}
	for to := range c.owed {
		c.sortOwed(to)
	}
}

// addOwed adds the record's pending comments and updates for one session, or with ""
// for all.
func (c *cycle) addOwed(rec session.Record, only string) {
	for _, p := range rec.Pending {
		to := cmp.Or(p.SessionRef, rec.Ref)
		if (p.Event == session.EventComment || p.Event == session.EventUpdate) && (only == "" || only == to) {
			c.owed[to] = append(c.owed[to], owed{rec.Ref, p.ID, p.Order, p.Event})
		}
	}
}

func (c *cycle) sortOwed(to string) {
	slices.SortStableFunc(c.owed[to], func(a, b owed) int { return cmp.Compare(a.order, b.order) })
}

// stillOwed returns the owed deliveries of a session that are not submitted yet.
func (c *cycle) stillOwed(to string) []owed {
	list := slices.DeleteFunc(c.owed[to], func(o owed) bool {
		rec, _, err := c.store.Get(o.ref)
		return err == nil && rec.PendingByID(o.id) == nil || c.onItsWay(o.id)
	})
	if len(list) == 0 {
		delete(c.owed, to)
		return nil
	}
	c.owed[to] = list
	return list
}

// overtakes reports whether the session is owed an earlier delivery than p.
func (c *cycle) overtakes(to string, p session.Pending) bool {
	list := c.stillOwed(to)
	return len(list) > 0 && list[0].order < p.Order && list[0].id != p.ID
}

// handOverLate submits, after all sources, the deliveries that the cycle put aside.
func (c *cycle) handOverLate(ctx context.Context) {
	defer c.contain("late deliveries", func(text string) {
		c.log.Error("deliveries could not be handed over, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	for to := range c.owed {
		if c.sum.Interrupted = c.sum.Interrupted || ctx.Err() != nil; c.sum.Interrupted {
			return
		}
		if !c.isPaused(to) {
			c.readAbsent(ctx, to)
		}
	}
	slices.SortStableFunc(c.aside, func(a, b late) int { return cmp.Compare(a.order, b.order) })
	for _, l := range c.aside {
		if !c.blocked(l) && !c.onItsWay(l.delivery.ID) && c.handOver(l.ref, l.delivery) == taken {
			c.forwarded(l.delivery)
		}
	}
}

func (c *cycle) forwarded(d dispatch.Delivery) {
	if d.Event == session.EventComment {
		c.sum.CommentsForwarded++
	}
}

// blocked reports whether an owed delivery still comes first. Those of another
// repository than the session's do not count, nor those of unlisted items.
func (c *cycle) blocked(l late) bool {
	to := l.delivery.Target.Ref
	return slices.ContainsFunc(c.stillOwed(to), func(o owed) bool {
		return o.order < l.order && sameRepository(o.ref, to) && !c.isAbsent(o.ref)
	})
}

func (c *cycle) isAbsent(ref string) bool {
	rec, _, err := c.store.Get(ref)
	if err != nil {
		return false
	}
	_, absent := c.view.absent(rec, c.sources)
	return absent
}

func sameRepository(a, b string) bool {
	x, err := ref.Parse(a)
	y, err2 := ref.Parse(b)
	return err == nil && err2 == nil && x.Scope() == y.Scope()
}

// readAbsent submits what unlisted items owe to a session. No visit does that for a
// pull request that was merged meanwhile.
func (c *cycle) readAbsent(ctx context.Context, to string) {
	for _, o := range slices.Clone(c.stillOwed(to)) {
		rec, known, err := c.store.Get(o.ref)
		if err != nil || !known || c.onItsWay(o.id) || o.event == session.EventUpdate {
			continue
		}
		src, absent := c.view.absent(rec, c.sources)
		question := "comments of " + o.ref
		if !absent || src == nil || !c.questions.due(question) {
			continue
		}
		if err := c.readOwed(ctx, *src, rec, to); err != nil {
			c.questions.backOff(question)
			c.itemFailed(ctx, o.ref, err)
			continue
		}
		c.questions.forget(question)
	}
}

func (c *cycle) readOwed(ctx context.Context, src Source, rec session.Record, to string) error {
	target, known, err := c.store.Get(to)
	if err != nil {
		return err
	}
	v := &visit{cycle: c, src: src, item: itemOf(rec), rec: rec, known: true, target: &target}
	if !known || !target.Live() {
		return v.forgetPending(nil) // the session has ended meanwhile
	}
	comments, err := src.Provider.Comments(ctx, v.item)
	if err != nil {
		return err
	}
	due, err := v.dueOf(ctx, comments)
	if err != nil {
		return err
	}
	due = slices.DeleteFunc(due, func(comment Comment) bool {
		return rec.PendingByID(target.DeliveryID(session.EventComment, comment.ID)) == nil
	})
	if err := v.forgetPending(due); err != nil {
		return err
	}
	for _, comment := range due {
		if _, err := v.submitComment(comment); err != nil {
			return err
		}
	}
	return nil
}

// forgetPending drops the record's pending comments that are not due.
func (v *visit) forgetPending(due []Comment) error {
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.Pending = slices.DeleteFunc(r.Pending, func(p session.Pending) bool {
			return p.Event == session.EventComment && v.dispatch.Stage(p.ID) == dispatch.Absent &&
				!slices.ContainsFunc(due, func(c Comment) bool { return c.ID == p.CommentID })
		})
		return nil
	})
}

// itemOf returns the item as far as its record describes it.
func itemOf(rec session.Record) WorkItem {
	return WorkItem{
		Ref: rec.Ref, Scope: rec.Scope(), Kind: rec.Kind, Item: rec.Item,
		Title: rec.Title, URL: rec.URL, Author: rec.Author, UpdatedAt: rec.ReadTo,
	}
}
