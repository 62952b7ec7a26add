package poller

import (
	"log/slog"
	"sync/atomic"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// recorder receives events; *eventlog.Log implements it.
type recorder interface {
	Write(eventlog.Event)
}

// Source is one entry of the configuration with the provider behind it.
type Source struct {
	// Name identifies the source in logs and events.
	Name     string
	Provider Provider
	// Account identifies the gh behind the source. Sources with the same account have
	// the same login on each host.
	Account string
	// ReprobeCycles is the number of cycles from one probe of a permanent condition to
	// the next.
	ReprobeCycles int
	// MaxSessions limits the source's live sessions; 0 means no limit.
	MaxSessions int
	// CloseUnlabelled ends an item's session when its label is taken off.
	CloseUnlabelled bool
}

// Options configure a Poller; every field is required.
type Options struct {
	Log    *slog.Logger
	Events recorder
	// Store holds the records of the work items.
	Store *session.Store
	// Program is the version of the program. Another version retries what this one
	// gives up.
	Program string
}

// Poller asks its sources once a cycle and submits the deliveries that are due. One
// loop owns it; methods that say so are safe for use concurrent with a cycle.
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
	rearmed   bool // closes given up by another version have been armed again
	// noHandlerTold is set once the log has said that items wait for a spawn handler,
	// and cleared when there is one.
	noHandlerTold bool

	failing  failing
	repeated repeated
	// absent holds the refs of records that wait for a person and were listed by no
	// source in the last cycle.
	absent        atomic.Pointer[map[string]bool]
	queue         atomic.Pointer[Queue]  // after the last cycle
	unwrittenText atomic.Pointer[string] // why records are unwritten, nil if unknown

	tally tally
	// watching schedules the questions to followed pull requests, by ref; nil before
	// the first cycle.
	watching map[string]*watch
	owed     map[string][]owed // deliveries begun by earlier processes, by session; nil before the first cycle

	alive alive

	gaveUp    atomic.Int64 // deliveries given up since the last summary
	unwritten atomic.Int64 // outcomes that could not be written since the last summary
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

// SetDispatcher sets the dispatcher, which must pass its results to [Poller.Settle].
// Call it before the first cycle.
func (p *Poller) SetDispatcher(d dispatcher) { p.dispatch = d }

// SetRouting replaces the authorized users and the handlers from the next cycle on,
// and forgets the login behind "@me".
func (p *Poller) SetRouting(r Routing) {
	p.routing.Store(&r)
	p.auth = newAuthorizer(r.AuthorizedUsers, p.log)
	p.noHandlerTold = p.noHandlerTold && !p.canSpawn()
}

// GaveUp counts the deliveries given up since the last cycle's summary.
func (p *Poller) GaveUp() int { return int(p.gaveUp.Load()) }

func (p *Poller) maxRetries() int { return max(1, p.routing.Load().MaxRetries) }

// now is the time for records, in whole seconds because people read them.
func (p *Poller) now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// SetSources replaces the sources from the next cycle on.
func (p *Poller) SetSources(sources []Source) { p.sources = sources }

// Scopes returns the number of scopes in a cycle.
func (p *Poller) Scopes() int {
	n := 0
	for _, s := range p.sources {
		n += s.Provider.Scopes()
	}
	return n
}
