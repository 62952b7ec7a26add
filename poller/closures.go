package poller

import (
	"context"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// maxQuestionGap is how many cycles lie between two questions at the most.
const maxQuestionGap = 60

// questions spaces out the closure question for items that stay as they are:
// 1, 2, 4, … up to 60 cycles. It is kept in memory: a restart asks once more.
type questions struct {
	cycle int
	next  map[string]int // the cycle in which the item may be asked again
	gap   map[string]int
}

func newQuestions() *questions {
	return &questions{next: map[string]int{}, gap: map[string]int{}}
}

// nextCycle forgets the items that were not asked about for long after they
// could have been: they are listed again, or they have ended.
func (q *questions) nextCycle() {
	q.cycle++
	for ref, next := range q.next {
		if q.cycle > next+maxQuestionGap {
			q.forget(ref)
		}
	}
}

func (q *questions) due(ref string) bool { return q.cycle >= q.next[ref] }

// backOff follows an answer that changes nothing.
func (q *questions) backOff(ref string) {
	q.gap[ref] = min(max(1, 2*q.gap[ref]), maxQuestionGap)
	q.next[ref] = q.cycle + q.gap[ref]
}

func (q *questions) forget(ref string) {
	delete(q.next, ref)
	delete(q.gap, ref)
}

// reconcile asks, after a complete pass of a source, about its live sessions
// whose items were not listed. A scope that failed or was skipped says nothing
// by what is absent from it. A session whose start is still to be delivered
// counts: its handler may have run already, in a life of the daemon that ended
// before it could write that down, and what it started must not outlive the item.
func (c *cycle) reconcile(ctx context.Context, src Source, l Listing) {
	listed := make(map[string]bool, len(l.Items))
	for _, item := range l.Items {
		listed[item.Ref] = true
	}
	degraded := l.Degraded()
	for rec := range c.store.Live() {
		p := src.Provider
		if !p.Owns(rec.Ref) || !p.Watches(Kind(rec.Kind)) || degraded[p.ScopeOf(rec.Ref)] {
			continue
		}
		if listed[rec.Ref] {
			c.questions.forget(rec.Ref)
			continue
		}
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		if rec.State == session.StateNone && c.dispatch.Pending(rec.DeliveryID(session.EventSpawn, "")) {
			continue // it is being started; when it is, there is something to end
		}
		if c.questions.due(rec.Ref) {
			if err := c.askEnded(ctx, src, rec); err != nil {
				c.itemFailed(ctx, rec.Ref, err)
			}
		}
	}
}

// askEnded asks whether an item has ended and closes its session if so.
func (c *cycle) askEnded(ctx context.Context, src Source, rec session.Record) error {
	ending, err := src.Provider.Ended(ctx, rec.Ref)
	if err != nil {
		return err
	}
	if ending == StillOpen {
		c.questions.backOff(rec.Ref)
		return nil
	}
	c.questions.forget(rec.Ref)
	err = c.store.Update(rec.Ref, func(r *session.Record) error {
		r.SetState(session.StateClosing, c.now())
		r.Pending = nil // what was not delivered to the session ends with it
		addPending(r, session.EventClose, "", "").Closure = string(ending)
		return nil
	})
	if err != nil {
		return err
	}
	c.sum.Closures++
	c.log.Info("item ended", "ref", rec.Ref, "session", rec.Session, "item", string(ending))
	c.events.Write(eventlog.ClosureDetected(rec.Ref, rec.Session, string(ending)))
	return c.submitClose(rec.Ref)
}

// submitCloses hands over again the closes that were not delivered yet: they
// depend on no listing any more.
func (c *cycle) submitCloses() {
	for rec := range c.store.InState(session.StateClosing) {
		if err := c.submitClose(rec.Ref); err != nil {
			c.itemError(rec.Ref, err)
		}
	}
}

func (c *cycle) submitClose(ref string) error {
	rec, _, err := c.store.Get(ref)
	if err != nil {
		return err
	}
	d := session.Delivery{
		ID: rec.DeliveryID(session.EventClose, ""), Event: session.EventClose,
		Closure: &session.InputClosure{State: string(EndedClosed)},
		Item: session.InputItem{
			Kind: rec.Kind, Host: rec.Host, Owner: rec.Owner, Repo: rec.Repo, Number: rec.Number,
			Title: rec.Title, URL: rec.URL, Author: rec.Author,
		},
	}
	if p := rec.PendingByID(d.ID); p != nil && p.Closure != "" {
		d.Closure.State = p.Closure
	}
	_, err = c.submit(ref, &rec, d)
	return err
}
