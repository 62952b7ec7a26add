package poller

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"the-loop/internal/dispatch"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// This file tells sessions of the checks, conflicts and reviews of their pull
// requests. No listing holds those, so each pull request is asked: once a cycle, and
// less often while nothing changes.

// maxFollowGap is the longest pause between two such questions, in cycles.
const maxFollowGap = 10

// watch schedules the questions to one pull request. It is kept in memory, so a
// restart asks once more.
type watch struct {
	next, gap int // in cycles
	answer    string
	updatedAt time.Time
}

// due reports whether to ask the pull request in this cycle. A changed one is due at
// once.
func (w *watch) due(cycle int, updatedAt time.Time) bool {
	return cycle >= w.next || !updatedAt.Equal(w.updatedAt)
}

// asked schedules the next question after an answer; "" stands for a failure.
func (w *watch) asked(cycle int, updatedAt time.Time, answer string) {
	if moved := answer != "" && answer != w.answer; moved {
		w.gap = 1
	} else {
		w.gap = min(2*max(w.gap, 1), maxFollowGap)
	}
	if answer != "" {
		w.answer = answer
	}
	w.next, w.updatedAt = cycle+w.gap, updatedAt
}

// findWatched finds, once in the life of the process, the pull requests that an
// earlier process followed.
func (c *cycle) findWatched() {
	if c.watching != nil {
		return
	}
	c.watching = map[string]*watch{}
	for rec := range c.store.All() {
		if rec.Followed != nil {
			c.watching[rec.Ref] = &watch{}
		}
	}
}

// toFollow notes a visited pull request for [cycle.follow].
func (v *visit) toFollow() {
	if v.item.Kind == ref.PullRequest && (v.canUpdate() || v.watching[v.item.Ref] != nil) {
		v.follows = append(v.follows, v)
	}
}

func (p *Poller) canUpdate() bool { return len(p.routing.Load().Update) > 0 }

// follow asks the pull requests of live sessions: the listed ones, and those followed
// before that are no longer listed. It runs after all sources and before closures, so
// that a session hears of its pull request's end before its own close.
func (c *cycle) follow(ctx context.Context) {
	defer c.contain("pull requests", func(text string) {
		c.log.Error("pull requests could not be asked, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	for _, v := range c.follows {
		c.followOne(ctx, v, v.load)
	}
	for _, ref := range slices.Sorted(maps.Keys(c.watching)) {
		if !c.view.listed[ref] {
			c.followAbsent(ctx, ref)
		}
	}
}

// followAbsent follows a pull request that no source lists.
func (c *cycle) followAbsent(ctx context.Context, ref string) {
	rec, known, err := c.store.Get(ref)
	switch {
	case err != nil:
		return
	case !known || rec.Followed == nil:
		delete(c.watching, ref)
		return
	}
	src, absent := c.view.absent(rec, c.sources)
	if !absent {
		return
	}
	v := &visit{cycle: c, item: itemOf(rec)}
	if src != nil {
		v.src = *src
	}
	c.followOne(ctx, v, func(context.Context) error { return v.loadFollowed() })
}

// followAllOf asks the pull requests that feed a session about to close.
func (c *cycle) followAllOf(ctx context.Context, sessionRef string) {
	for _, ref := range slices.Sorted(maps.Keys(c.watching)) {
		rec, known, err := c.store.Get(ref)
		if err != nil || !known || rec.Followed == nil || rec.Followed.SessionRef != sessionRef || rec.Followed.Ended {
			continue
		}
		if src := watcher(rec, c.sources); src != nil {
			c.watching[ref].next = 0
			v := &visit{cycle: c, src: *src, item: itemOf(rec)}
			c.followOne(ctx, v, func(context.Context) error { return v.loadFollowed() })
		}
	}
}

// loadFollowed is load for an item whose links are unknown.
func (v *visit) loadFollowed() error {
	var err error
	if v.rec, v.known, err = v.store.Get(v.item.Ref); err != nil || v.rec.Followed == nil {
		return err
	}
	to := cmp.Or(v.rec.Followed.SessionRef, v.rec.Ref)
	target, known, err := v.store.Get(to)
	if err == nil && known && target.Live() {
		v.target = &target
	}
	return err
}

func (c *cycle) followOne(ctx context.Context, v *visit, load func(context.Context) error) {
	if c.sum.Interrupted = c.sum.Interrupted || ctx.Err() != nil; c.sum.Interrupted {
		return
	}
	err := load(ctx)
	if err == nil {
		err = v.follow(ctx)
	}
	if err != nil {
		delete(c.visits.done, v.item.Ref)
		c.itemFailed(ctx, v.item.Ref, err)
	}
}

// follow asks one pull request when it is due, and submits its news.
func (v *visit) follow(ctx context.Context) error {
	switch {
	case !v.known:
		return nil
	case v.target == nil:
		return v.unfollow()
	case v.canUpdate() && v.src.Provider != nil && v.target.State == session.StateActive:
		if err := v.askPullRequest(ctx); err != nil {
			return err
		}
	}
	return v.submitUpdates()
}

func (v *visit) askPullRequest(ctx context.Context) error {
	w := v.watching[v.item.Ref]
	if w == nil {
		w = &watch{}
		v.watching[v.item.Ref] = w
	}
	ended := v.rec.Followed != nil && v.rec.Followed.Ended
	if !w.due(v.questions.cycle, v.item.UpdatedAt) || ended && !v.view.listed[v.item.Ref] {
		return nil
	}
	state, err := v.src.Provider.PullRequest(ctx, v.item)
	if err != nil {
		w.asked(v.questions.cycle, v.item.UpdatedAt, "")
		return err
	}
	w.asked(v.questions.cycle, v.item.UpdatedAt, state.digest())
	return v.noteNews(state)
}

// noteNews records the session's news before they are submitted.
func (v *visit) noteNews(state PullRequest) error {
	sessionRef := v.sessionRef()
	followed := followedFor(&v.rec, sessionRef)
	if len(news(followed, state)) == 0 && v.rec.Followed != nil && !changed(v.rec.Followed, followed) {
		return nil
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		f := followedFor(r, sessionRef)
		for _, update := range news(f, state) {
			f.Count++
			id := v.target.DeliveryID(session.EventUpdate, updateKey(v.item.Ref, f, update))
			p := addPending(r, session.EventUpdate, id, "")
			p.SessionRef, p.Update = sessionRef, &update
		}
		r.Followed = f
		return nil
	})
}

// submitUpdates submits the recorded updates, oldest first.
func (v *visit) submitUpdates() error {
	rec, _, err := v.store.Get(v.item.Ref)
	if err != nil {
		return err
	}
	for _, p := range rec.Pending {
		if p.Event != session.EventUpdate {
			continue
		}
		came, err := v.submitUpdate(&rec, v.input(), p)
		if err != nil || came == refused {
			return err
		}
	}
	return nil
}

func (c *cycle) submitUpdate(rec *session.Record, item session.InputItem, p session.Pending) (handOver, error) {
	target, _, err := c.store.Get(cmp.Or(p.SessionRef, rec.Ref))
	if err != nil {
		return refused, err
	}
	return c.submit(rec.Ref, &target, dispatch.Delivery{
		ID: p.ID, Event: session.EventUpdate, Item: item, Update: p.Update,
	})
}

// submitLastUpdates submits, before any close, the ends of pull requests that an
// earlier process owed to closing sessions.
func (c *cycle) submitLastUpdates() {
	for closing := range c.store.InState(session.StateClosing) {
		for _, o := range c.stillOwed(closing.Ref) {
			rec, _, err := c.store.Get(o.ref)
			if err != nil {
				continue
			}
			if p := rec.PendingByID(o.id); p != nil && isEnd(p.Update) {
				if _, err := c.submitUpdate(&rec, rec.InputItem(), *p); err != nil {
					c.itemError(o.ref, err)
				}
			}
		}
	}
}

func isEnd(u *session.InputUpdate) bool { return u != nil && u.Kind == session.UpdateEnded }

// unfollow forgets the news told to an ended session.
func (v *visit) unfollow() error {
	delete(v.watching, v.item.Ref)
	if v.rec.Followed == nil {
		return nil
	}
	return v.store.Update(v.item.Ref, func(r *session.Record) error {
		r.Followed = nil
		r.Pending = slices.DeleteFunc(r.Pending, func(p session.Pending) bool {
			return p.Event == session.EventUpdate && v.dispatch.Stage(p.ID) == dispatch.Absent
		})
		return nil
	})
}
