package poller

import (
	"context"

	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// maxQuestionGap is the longest pause between two questions, in cycles.
const maxQuestionGap = 60

// questions spaces out the closure question for items whose answer changes nothing:
// after 1, 2, 4, … up to 60 cycles. It is kept in memory, so a restart asks once more.
type questions struct {
	cycle int
	next  map[string]int // first cycle in which the item may be asked again, by ref
	gap   map[string]int // present pause in cycles, by ref
}

func newQuestions() *questions {
	return &questions{next: map[string]int{}, gap: map[string]int{}}
}

// nextCycle starts a new cycle and forgets items that stayed unasked long after they
// were due: they are listed again or have ended.
func (q *questions) nextCycle() {
	q.cycle++
	for ref, next := range q.next {
		if q.cycle > next+maxQuestionGap {
			q.forget(ref)
		}
	}
}

func (q *questions) due(ref string) bool { return q.cycle >= q.next[ref] }

// backOff doubles the pause after an answer that changed nothing.
func (q *questions) backOff(ref string) {
	q.gap[ref] = min(max(1, 2*q.gap[ref]), maxQuestionGap)
	q.next[ref] = q.cycle + q.gap[ref]
}

func (q *questions) forget(ref string) {
	delete(q.next, ref)
	delete(q.gap, ref)
}

// reconcile asks about live sessions whose items are unlisted or gone. It runs after
// all sources, and never in an interrupted cycle.
func (c *cycle) reconcile(ctx context.Context) {
	defer c.contain("closures", func(text string) {
		c.log.Error("closures could not be asked about, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	if c.sum.Interrupted {
		return
	}
	for rec := range c.store.Live() {
		src := c.toAsk(rec)
		if src == nil {
			continue
		}
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		c.askAbsent(ctx, *src, rec)
	}
}

// toAsk returns the source to ask about a live session's item, nil if there is no
// reason to ask. A lagging index can still list an item that is gone.
func (c *cycle) toAsk(rec session.Record) *Source {
	switch {
	case !c.view.listed[rec.Ref]:
		if src, absent := c.view.absent(rec, c.sources); absent {
			return src
		}
	case rec.Gone != "":
		return watcher(rec, c.sources)
	default:
		c.questions.forget(rec.Ref)
	}
	return nil
}

// askAbsent asks about one absent item when it is due. That includes a session whose
// spawn is still pending: an earlier process may have run its handler and died before
// it could record that, and the agent must not outlive the item.
func (c *cycle) askAbsent(ctx context.Context, src Source, rec session.Record) {
	if rec.State == session.StateNone && c.beingStarted(rec) {
		return // ask once it has started
	}
	if c.questions.due(rec.Ref) {
		if err := c.askEnded(ctx, src.Provider, rec); err != nil {
			c.itemFailed(ctx, rec.Ref, err)
			return
		}
		c.visits.done[rec.Ref] = true
	}
}

// beingStarted reports whether the item's spawn runs or waits for a slot, as opposed
// to being held for a retry.
func (c *cycle) beingStarted(rec session.Record) bool {
	stage := c.dispatch.Stage(rec.DeliveryID(session.EventSpawn, ""))
	return stage == dispatch.Waiting || stage == dispatch.Running
}

// askEnded asks whether an item has ended, and closes its session if so.
func (c *cycle) askEnded(ctx context.Context, p Provider, rec session.Record) error {
	answer, err := p.Ended(ctx, rec.Ref)
	if err != nil {
		return err
	}
	if answer.Ending == StillOpen && answer.Unlabelled {
		if ended, err := c.endUnlabelled(ctx, rec); ended || err != nil {
			return err
		}
	}
	if answer.Ending == StillOpen || answer.Ending == Gone {
		c.questions.backOff(rec.Ref)
		return c.noteGone(rec, answer.note())
	}
	c.questions.forget(rec.Ref)
	c.followAllOf(ctx, rec.Ref) // its pull request may have ended with it
	err = c.store.Update(rec.Ref, func(r *session.Record) error {
		r.SetState(session.StateClosing, c.now())
		r.Gone = ""
		forgetGivenUp(r)
		if r.Kind == "" { // recovered from damage: the close handler needs the item
			r.Kind, r.Title, r.URL, r.Author = answer.Kind, clip(answer.Title, maxTitle), answer.URL, answer.Author
		}
		r.Pending = nil // undelivered events end with the session
		addPending(r, session.EventClose, "", "").Closure = string(answer.Ending)
		return nil
	})
	if err != nil {
		return err
	}
	c.sum.Closures++
	c.log.Info("item ended", "ref", rec.Ref, "session", rec.Session, "item", string(answer.Ending))
	c.events.Write(eventlog.ClosureDetected(rec.Ref, rec.Session, string(answer.Ending)))
	return c.submitClose(rec.Ref)
}

// noteGone marks a live session whose item is gone, and clears the mark when the
// item is back. It reports each change once.
func (c *cycle) noteGone(rec session.Record, note string) error {
	if rec.Gone == note {
		return nil
	}
	err := c.store.Update(rec.Ref, func(r *session.Record) error {
		r.Gone = note
		return nil
	})
	if err != nil {
		return err
	}
	if note != "" {
		c.log.Warn("item is gone, its session is kept", "ref", rec.Ref, "session", rec.Session, "reason", note)
		c.events.Write(eventlog.ItemGone(rec.Ref, rec.Session, note))
	}
	return nil
}

// submitCloses submits the closes that are still undelivered. They depend on no
// listing.
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
	d := dispatch.Delivery{
		ID: rec.DeliveryID(session.EventClose, ""), Event: session.EventClose,
		Closure: &session.InputClosure{State: string(EndedClosed)},
		Item:    rec.InputItem(),
	}
	if p := rec.PendingByID(d.ID); p != nil && p.Closure != "" {
		d.Closure.State = p.Closure
	}
	if _, err = c.submit(ref, &rec, d); err != nil {
		return err
	}
	// Deliveries held before the close have become pointless.
	c.resume(func(d dispatch.Delivery) bool {
		return d.Target.Session == rec.Session && d.Event != session.EventClose
	})
	return nil
}
