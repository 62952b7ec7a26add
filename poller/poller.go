package poller

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// recorder takes the events of a cycle; *eventlog.Log is one.
type recorder interface {
	Write(eventlog.Event)
}

// Source is one entry of the configuration with the provider behind it.
type Source struct {
	// Name is how logs and events call the source.
	Name     string
	Provider Provider
	// ReprobeCycles is how many cycles a standing condition is left alone,
	// told with the event that reports it.
	ReprobeCycles int
}

// Options are what a Poller works with; every field is required.
type Options struct {
	Log    *slog.Logger
	Events recorder
	// Store holds the records of the work items.
	Store *session.Store
	// Program is the version of the program: another one tries again what
	// this one gives up.
	Program string
}

// Poller asks its sources, one pass a cycle, and hands over what is due. One
// loop owns it: only Settle and Queued may be called beside a running cycle.
type Poller struct {
	log       *slog.Logger
	events    recorder
	store     *session.Store
	program   string
	dispatch  dispatcher
	routing   atomic.Pointer[Routing]
	sources   []Source
	auth      *authorizer
	questions *questions
	rearmed   bool // what another version gave up was armed again

	gaveUp    atomic.Int64 // deliveries given up since the last cycle's summary
	unwritten atomic.Int64 // outcomes that could not be written since then
}

// New returns a Poller without sources that authorizes nobody.
func New(o Options) *Poller {
	p := &Poller{
		log: o.Log, events: o.Events, store: o.Store, program: o.Program,
		auth: newAuthorizer(nil), questions: newQuestions(),
	}
	p.routing.Store(&Routing{MaxRetries: 1})
	return p
}

// SetDispatcher says who runs the handlers. Its results are to be given to
// [Poller.Settle]. It is required before the first cycle.
func (p *Poller) SetDispatcher(d dispatcher) { p.dispatch = d }

// SetRouting replaces who is authorized and what is run, from the next cycle
// on. Who "@me" is is asked anew.
func (p *Poller) SetRouting(r Routing) {
	p.routing.Store(&r)
	p.auth = newAuthorizer(r.AuthorizedUsers)
}

// GaveUp is how many deliveries were given up since the last cycle's summary.
func (p *Poller) GaveUp() int { return int(p.gaveUp.Load()) }

func (p *Poller) maxRetries() int { return max(1, p.routing.Load().MaxRetries) }

// now stamps records: whole seconds are what a person reads there.
func (p *Poller) now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// SetSources replaces what is asked from the next cycle on.
func (p *Poller) SetSources(sources []Source) { p.sources = sources }

// Scopes is how many scopes one cycle asks.
func (p *Poller) Scopes() int {
	n := 0
	for _, s := range p.sources {
		n += s.Provider.Scopes()
	}
	return n
}

// Cycle makes one pass over all sources and tells what it did and saw in the
// log, the event log and the summary. It returns early, and says so in the
// summary, when the context ends. step may be nil.
func (p *Poller) Cycle(ctx context.Context, step Step) Summary {
	c := &cycle{Poller: p, polled: map[string]bool{}}
	c.sum.StartedAt = time.Now()
	c.prepare()
	total, before := p.Scopes(), 0
	for _, src := range p.sources {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			break
		}
		asked := before
		c.source(ctx, src, func(done, _ int, scope string) {
			if step != nil {
				asked = before + done
				step(asked, total, scope)
			}
		}, func(scope string) {
			if step != nil {
				step(asked, total, scope)
			}
		})
		before += src.Provider.Scopes()
	}
	c.sum.ScopesPolled = len(c.polled)
	c.sum.Failures += int(p.gaveUp.Swap(0))
	c.sum.Errors += int(p.unwritten.Swap(0))
	c.sum.Duration = time.Since(c.sum.StartedAt)
	p.log.Info(c.sum.Line())
	p.events.Write(eventlog.Cycle(eventlog.CycleFields{
		ItemsSeen: c.sum.ItemsSeen, Spawns: c.sum.Spawns, CommentsForwarded: c.sum.CommentsForwarded,
		Closures: c.sum.Closures, Failures: c.sum.Failures, Errors: c.sum.Errors,
		Interrupted: c.sum.Interrupted, ScopesPolled: c.sum.ScopesPolled,
		ScopesDegraded: c.sum.DegradedScopes(), Duration: c.sum.Duration,
	}))
	return c.sum
}

// cycle is one pass and what it has gathered so far.
type cycle struct {
	*Poller
	sum    Summary
	polled map[string]bool
}

// prepare takes up what the time since the last cycle has left to do.
func (c *cycle) prepare() {
	c.questions.cycle++
	c.auth.nextCycle()
	if err := c.store.Flush(); err != nil {
		c.log.Error("records could not be written, tried again next cycle", "error", err)
		c.sum.Errors++
	}
	if err := c.dispatch.TrimLogs(); err != nil {
		c.log.Warn("handler logs could not be trimmed", "error", err)
	}
	c.dispatch.Resume()
	c.rearmForVersion()
	c.takeRetryNotes()
	c.submitCloses()
}

// source asks one source. Whatever goes wrong in it, a panic too, stays in it.
func (c *cycle) source(ctx context.Context, src Source, step Step, moved func(scope string)) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Debug("stack of the panic", "provider", src.Name, "stack", string(debug.Stack()))
			c.providerError(src, fmt.Sprintf("internal error: %v", r))
		}
	}()
	listing, err := src.Provider.Listing(ctx, step)
	if err != nil {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		c.providerError(src, err.Error())
		return
	}
	c.scopes(src, listing)
	c.sum.ItemsSeen += len(listing.Items)
	for _, item := range listing.Items {
		if ctx.Err() != nil {
			c.sum.Interrupted = true
			return
		}
		c.item(ctx, src, item)
		moved(item.Scope)
	}
	if !listing.Interrupted {
		c.reconcile(ctx, src, listing)
	}
}

func (c *cycle) providerError(src Source, text string) {
	c.log.Error("source could not be asked, retried next cycle", "provider", src.Name, "error", text)
	c.events.Write(eventlog.ProviderError(src.Name, text))
	c.sum.Errors++
	c.sum.ProviderErrors = append(c.sum.ProviderErrors, ProviderError{Provider: src.Name, Error: text})
}

// scopes records what a listing saw and could not see.
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

func (c *cycle) limited(h HostLimit) {
	c.log.Warn("rate limit met, host left alone", "host", h.Host, "until", h.Until.UTC().Format(time.RFC3339))
	c.events.Write(eventlog.RateLimited(h.Host, h.Until))
}
