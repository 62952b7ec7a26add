package poller

import (
	"log/slog"
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
	// Account names the gh behind the source: sources with the same one have the
	// same login on each host.
	Account string
	// ReprobeCycles is how many cycles a standing condition is left alone,
	// told with the event that reports it.
	ReprobeCycles int
	// MaxSessions bounds the source's sessions that live at once; 0 is no limit.
	MaxSessions int
	// CloseUnlabelled has the session of an item end when its label is taken off.
	CloseUnlabelled bool
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
	// noHandlerTold is set once the log has said that items wait for a spawn
	// handler, until there is one.
	noHandlerTold bool

	failing  failing
	repeated repeated
	// absent are the refs of the records that wait for a person and that no
	// source listed in the last cycle.
	absent        atomic.Pointer[map[string]bool]
	queue         atomic.Pointer[Queue]  // as the last cycle left it
	unwrittenText atomic.Pointer[string] // why records are not written, nil when it is not known

	tally tally
	// watching says when each pull request that is followed is asked next, by ref;
	// nil before the first cycle.
	watching map[string]*watch
	owed     map[string][]owed // what an earlier process has begun, by session; nil before the first cycle

	alive alive

	gaveUp    atomic.Int64 // deliveries given up since the last cycle's summary
	unwritten atomic.Int64 // outcomes that could not be written since then
}

// New returns a Poller without sources that authorizes nobody.
func New(o Options) *Poller {
	p := &Poller{
		log: o.Log, events: o.Events, store: o.Store, program: o.Program,
		auth: newAuthorizer(nil, o.Log), questions: newQuestions(), repeated: repeated{},
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
	p.auth = newAuthorizer(r.AuthorizedUsers, p.log)
	p.noHandlerTold = p.noHandlerTold && !p.canSpawn()
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
