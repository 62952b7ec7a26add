package poller

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
	"the-loop/internal/timetext"
)

// Cycle makes one pass over all sources. It reports what it did and saw in the log,
// the event log and the summary. If the context ends it returns early and marks the
// summary as interrupted. step may be nil.
func (p *Poller) Cycle(ctx context.Context, step Step) Summary {
	c := &cycle{Poller: p, polled: map[string]bool{}, unchanged: map[string]bool{}, view: newView(), visits: newVisits()}
	c.sum.StartedAt = time.Now()
	c.progress = progress{step: step, total: p.Scopes()}
	c.prepare()
	c.findLive()
	for _, src := range p.sources {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			break
		}
		c.source(ctx, src)
		c.progress.pass(src.Provider.Scopes())
	}
	c.recordHearing()
	c.follow(ctx)
	c.reconcile(ctx)
	c.handOverLate(ctx)
	c.startWaiting(ctx)
	c.noteAbsent()
	c.followGivenUp(ctx)
	c.failing.record(c.visits, p.now(), func(ref string) bool { return c.absentNow(session.Record{Ref: ref}) })
	c.sum.Polled, c.sum.ScopesPolled = c.polled, len(c.polled)
	c.sum.ScopesUnchanged, c.sum.ScopesAsked = len(c.unchanged), c.asked()
	c.sum.Failures += int(p.gaveUp.Swap(0))
	c.sum.Errors += int(p.unwritten.Swap(0))
	c.countSessions()
	c.sum.Duration = time.Since(c.sum.StartedAt)
	p.log.Info(c.sum.Line())
	p.events.Write(eventlog.Cycle(eventlog.CycleFields{
		ItemsSeen: c.sum.ItemsSeen, Spawns: c.sum.Spawns, CommentsForwarded: c.sum.CommentsForwarded,
		Closures: c.sum.Closures, Failures: c.sum.Failures, Errors: c.sum.Errors,
		Interrupted: c.sum.Interrupted, ScopesPolled: c.sum.ScopesPolled,
		ScopesUnchanged: c.sum.ScopesUnchanged,
		ScopesDegraded:  c.sum.DegradedScopes(), Duration: c.sum.Duration,
	}))
	return c.sum
}

// cycle is the state of one pass.
type cycle struct {
	*Poller
	sum    Summary
	polled map[string]bool
	// unchanged holds those of polled that needed no new listing.
	unchanged map[string]bool
	progress  progress
	view      view
	visits    visits
	follows   []*visit // pull requests that were visited in this cycle
	aside     []late   // deliveries behind earlier ones of their session
	line      []*visit // visited items that wait for room
	hearing
}

// progress adds up the progress of all sources.
type progress struct {
	step        Step // may be nil
	total       int
	passed, now int // finished scopes of earlier sources and of the present one
}

// listing is the Step for the source that is being asked.
func (p *progress) listing(done, _ int, scope string) {
	p.now = done
	p.moved(scope)
}

// moved reports activity in a scope.
func (p *progress) moved(scope string) {
	if p.step != nil {
		p.step(p.passed+p.now, p.total, scope)
	}
}

// pass finishes a source with that many scopes.
func (p *progress) pass(scopes int) { p.passed, p.now = p.passed+scopes, 0 }

// contain recovers a panic and reports it through fail, so that only the step in
// which it occurred fails. Defer it.
func (c *cycle) contain(about string, fail func(text string)) {
	if r := recover(); r != nil {
		c.log.Debug("stack of the panic", "in", about, "stack", string(debug.Stack()))
		fail(fmt.Sprintf("internal error: %v", r))
	}
}

// prepare does the work that has come up since the last cycle.
func (c *cycle) prepare() {
	defer c.contain("preparation", func(text string) {
		c.log.Error("cycle could not be prepared, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	c.questions.nextCycle()
	c.auth.nextCycle()
	err := c.store.Flush()
	c.noteUnwritten(err)
	if c.repeated.news("records", err) {
		c.log.Error("records could not be written, tried again next cycle", "error", err)
	}
	if err != nil {
		c.sum.Errors++
	}
	if err := c.dispatch.TrimLogs(); c.repeated.news("logs", err) {
		c.log.Warn("handler logs could not be trimmed", "error", err)
	}
	c.findOwed()
	c.findWatched()
	c.resumeHeld()
	c.rearmCloses()
	c.takeNotes()
	c.expire()
	c.askAlive()
	c.submitLastUpdates()
	c.submitCloses()
}

// source asks one source. Any failure, including a panic, stays within it.
func (c *cycle) source(ctx context.Context, src Source) {
	c.view.begin()
	defer c.contain(src.Name, func(text string) { c.providerError(src, errors.New(text)) })
	src.Provider.Hear(c.live)
	listing, err := src.Provider.Listing(ctx, c.progress.listing)
	if err != nil {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		c.providerError(src, err)
		return
	}
	c.scopes(src, listing)
	c.noteHearing(src, listing)
	c.sum.ItemsSeen += len(listing.Items)
	for _, item := range listing.Items {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		if c.view.first(item.Ref) {
			c.item(ctx, src, item)
		}
		c.progress.moved(item.Scope)
	}
	c.view.complete(listing)
}

func (c *cycle) providerError(src Source, err error) {
	text := err.Error()
	c.log.Error("source could not be asked, retried next cycle", "provider", src.Name, "error", text)
	c.events.Write(eventlog.ProviderError(src.Name, text))
	c.sum.Errors++
	c.sum.ProviderErrors = append(c.sum.ProviderErrors, ProviderError{Provider: src.Name, Error: text, Cause: causeOf(err)})
}

// scopes records which scopes a listing saw and which it could not see.
func (c *cycle) scopes(src Source, l Listing) {
	for _, f := range l.Failures {
		c.failure(src, f)
	}
	for _, f := range l.Skipped {
		c.log.Debug("scope skipped", "scope", f.Scope, "provider", src.Name, "reason", f.Error)
	}
	for _, scope := range l.Recovered {
		c.log.Info("scope recovered", "scope", scope, "provider", src.Name)
		c.events.Write(eventlog.ScopeRecovered(scope, src.Name))
	}
	for _, h := range l.Limited {
		c.limited(h)
	}
	for _, scope := range l.Polled {
		c.polled[scope] = true
	}
	for _, scope := range l.Unchanged {
		c.unchanged[scope] = true
	}
	c.surveys(l)
	c.sum.Errors += len(l.Failures)
	c.sum.ScopesFailed = append(c.sum.ScopesFailed, l.Failures...)
	c.sum.ScopesSkipped = append(c.sum.ScopesSkipped, l.Skipped...)
	c.sum.Interrupted = c.sum.Interrupted || l.Interrupted
}

func (c *cycle) failure(src Source, f ScopeFailure) {
	if f.Permanent {
		c.log.Warn("scope degraded", "scope", f.Scope, "provider", src.Name, "error", f.Error,
			"retry_after_cycles", src.ReprobeCycles)
		c.events.Write(eventlog.ScopeDegraded(f.Scope, src.Name, f.Error, src.ReprobeCycles))
		return
	}
	c.log.Error("scope failed, retried next cycle", "scope", f.Scope, "provider", src.Name, "error", f.Error)
	c.events.Write(eventlog.ScopeError(f.Scope, src.Name, f.Error))
}

// asked counts the scopes of the cycle, polled or degraded.
func (c *cycle) asked() int {
	n := len(c.polled)
	for _, name := range c.sum.DegradedScopes() {
		if !c.polled[name] {
			n++
		}
	}
	return n
}

// surveys reports the surveys of a listing.
func (c *cycle) surveys(l Listing) {
	c.sum.SurveyCalls += l.SurveyCalls
	for _, f := range l.SurveyFailing {
		known := func(k SurveyFailing) bool { return k.Host == f.Host }
		if !slices.ContainsFunc(c.sum.SurveyFailing, known) {
			c.sum.SurveyFailing = append(c.sum.SurveyFailing, f)
		}
	}
	for _, f := range l.SurveyFailures {
		c.log.Warn("survey failed, every repository is listed", "host", f.Host, "error", f.Error, "repositories", f.Repositories)
		c.events.Write(eventlog.SurveyFailed(f.Host, f.Error, f.Repositories))
	}
	for _, host := range l.SurveyRecovered {
		c.log.Info("survey answers again", "host", host)
		c.events.Write(eventlog.SurveyRecovered(host))
	}
}

func (c *cycle) limited(h HostLimit) {
	c.log.Warn("rate limit reached, host left alone", "host", h.Host, "until", timetext.UTC(h.Until))
	c.events.Write(eventlog.RateLimited(h.Host, h.Until))
}
