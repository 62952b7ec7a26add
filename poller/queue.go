package poller

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// Queue counts the items that wait for room and the sessions that take it up.
type Queue struct {
	Waiting int
	// Live and Limit count all sessions or, if Source is set, that source's. Limit is
	// 0 once the limits are lifted.
	Live, Limit int
	Source      string
}

// waitsForRoom reports whether starts must queue, because some limit on sessions is
// set. All starts of a cycle then come after its listings, the most urgent first.
func (p *Poller) waitsForRoom() bool {
	limited := func(s Source) bool { return s.MaxSessions > 0 }
	return p.canSpawn() && (p.routing.Load().MaxSessions > 0 || slices.ContainsFunc(p.sources, limited))
}

// standInLine queues the item to start after the listings of this cycle, if there is
// room. If the cycle ends before, the next one finds the item without a session.
func (v *visit) standInLine() { v.line = append(v.line, v) }

// leaveLine takes an item that must not start any more out of the queue.
func (v *visit) leaveLine() error {
	if v.rec.State != session.StateQueued {
		return nil
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.SetState(session.StateNone, v.now())
		r.Fed = r.Fed || v.feeds()
		return nil
	})
}

// startWaiting starts queued items in order while there is room, and records that the
// others wait. Items that this cycle did not list keep their place.
func (c *cycle) startWaiting(ctx context.Context) {
	defer c.contain("queue", func(text string) {
		c.log.Error("waiting items could not be started, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	c.followWaiting(ctx)
	if c.sum.Interrupted {
		return
	}
	room := c.roomLeft()
	c.sortLine()
	for _, v := range c.line {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		c.startNext(ctx, v, room)
	}
	c.queue.Store(c.queueLeft(room))
}

// sortLine sorts the queue by urgency, then by waiting time.
func (c *cycle) sortLine() {
	now := c.now()
	since := func(v *visit) time.Time {
		if v.rec.State == session.StateQueued {
			return v.rec.SinceAt
		}
		return now
	}
	urgency := map[string]int{}
	for i, label := range c.routing.Load().Priority {
		urgency[strings.ToLower(label)] = i - len(c.routing.Load().Priority)
	}
	rank := func(v *visit) int {
		first := 0
		for _, label := range v.item.Labels {
			first = min(first, urgency[strings.ToLower(label)])
		}
		return first
	}
	slices.SortStableFunc(c.line, func(a, b *visit) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)), since(a).Compare(since(b)),
			cmp.Compare(a.item.Scope, b.item.Scope), cmp.Compare(a.item.Number, b.item.Number),
		)
	})
}

// startNext starts one item if there is room, and queues it otherwise.
func (c *cycle) startNext(ctx context.Context, v *visit, room *room) {
	defer c.contain(v.item.Ref, func(text string) { c.itemError(v.item.Ref, errors.New(text)) })
	err := v.load(ctx)
	switch {
	case err != nil:
	case v.target != nil:
		err = v.leaveLine() // a session begun in this cycle hears it
	case !room.left(v.src):
		err = v.enqueue()
	default:
		if err = v.startIfAllowed(ctx, v.startFromLine); err == nil {
			err = v.load(ctx)
		}
		if v.rec.Live() {
			room.take(v.src.Name)
		}
	}
	if err != nil {
		c.itemFailed(ctx, v.item.Ref, err)
	}
}

// startFromLine starts the item and records the source whose limit its session uses.
func (v *visit) startFromLine(ctx context.Context, change func(*session.Record)) error {
	return v.startNow(ctx, func(r *session.Record) { change(r); r.Source = v.src.Name })
}

// enqueue records that the item waits, and reports it once.
func (v *visit) enqueue() error {
	if v.rec.State == session.StateQueued {
		return nil
	}
	err := v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.SetState(session.StateQueued, v.now())
		return nil
	})
	if err == nil {
		v.log.Info("item waits for room", "ref", v.item.Ref)
		v.events.Write(eventlog.Queued(v.item.Ref))
	}
	return err
}

// followWaiting asks about waiting items that are no longer listed. Those that have
// ended leave the queue.
func (c *cycle) followWaiting(ctx context.Context) {
	for rec := range c.store.InState(session.StateQueued) {
		if c.sum.Interrupted || ctx.Err() != nil {
			return
		}
		src, absent := c.view.absent(rec, c.sources)
		if !absent || src == nil || !c.questions.due(rec.Ref) {
			continue
		}
		if err := c.closeIfEnded(ctx, src.Provider, rec.Ref, "item ended while it waited, nothing is started", func(*session.Record) {}); err != nil {
			c.itemFailed(ctx, rec.Ref, err)
		}
	}
}

// room counts live sessions, in all and by source.
type room struct {
	limit, live int
	of          map[string]int
}

// roomLeft counts the sessions that take up room: live ones and those whose close is
// not delivered yet.
func (c *cycle) roomLeft() *room {
	r := &room{limit: c.routing.Load().MaxSessions, of: map[string]int{}}
	if len(c.line) == 0 && c.queue.Load() == nil {
		return r
	}
	for rec := range c.store.All() {
		if rec.Live() || rec.State == session.StateClosing {
			r.take(c.sourceOf(rec))
		}
	}
	return r
}

// sourceOf names the source whose limit a session uses.
func (c *cycle) sourceOf(rec session.Record) string {
	if slices.ContainsFunc(c.sources, func(s Source) bool { return s.Name == rec.Source }) {
		return rec.Source
	}
	if src := watcher(rec, c.sources); src != nil {
		return src.Name
	}
	return ""
}

func (r *room) take(source string) {
	r.live++
	r.of[source]++
}

func (r *room) left(src Source) bool {
	return !r.full() && (src.MaxSessions == 0 || r.of[src.Name] < src.MaxSessions)
}

func (r *room) full() bool { return r.limit > 0 && r.live >= r.limit }

// queueLeft is the queue at the end of a cycle, nil if it is empty. Unlisted items do
// not count.
func (c *cycle) queueLeft(room *room) *Queue {
	q := &Queue{Live: room.live, Limit: room.limit}
	for rec := range c.store.InState(session.StateQueued) {
		if !c.absentNow(rec) {
			q.Waiting++
		}
	}
	if q.Waiting == 0 {
		return nil
	}
	if room.full() {
		return q
	}
	for _, s := range c.sources {
		if !room.left(s) {
			return &Queue{Waiting: q.Waiting, Live: room.of[s.Name], Limit: s.MaxSessions, Source: s.Name}
		}
	}
	return q
}
