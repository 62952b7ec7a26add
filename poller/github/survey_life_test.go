package github

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
	"the-loop/poller"
)

// life is a daemon without its processes: a provider with the core loop, the records
// and the event log behind it.
type life struct {
	*watch
	root    string
	hosts   *Hosts
	routing poller.Routing
	poller  *poller.Poller
	store   *session.Store
	courier *courier
	events  bytes.Buffer
	listing poller.Listing // of the last cycle
}

type memory struct{ *bytes.Buffer }

func (memory) Close() error { return nil }

func newLife(t *testing.T, r poller.Routing) *life {
	t.Helper()
	l := &life{root: t.TempDir(), hosts: NewHosts(), routing: r}
	handler, err := argvtemplate.Parse([]string{"handler"})
	if err != nil {
		t.Fatal(err)
	}
	l.routing.Spawn, l.routing.Comment, l.routing.Close, l.routing.Update = handler, handler, handler, handler
	l.courier = &courier{tries: map[string]int{}, done: map[string]bool{}}
	l.start(t)
	return l
}

// start begins the process, for the first time or once more.
func (l *life) start(t *testing.T) {
	t.Helper()
	var err error
	if l.store, err = session.Open(l.root, session.Options{}); err != nil {
		t.Fatal(err)
	}
	l.poller = poller.New(poller.Options{
		Log: slog.New(slog.DiscardHandler), Events: eventlog.New(memory{&l.events}, nil, nil), Store: l.store, Program: "v1",
	})
	l.courier.to, l.courier.queues = l.poller, map[string][]dispatch.Delivery{}
	l.poller.SetDispatcher(l.courier)
}

// configure is a configuration that was read: fresh sources, of which the first is
// the one that is watched.
func (l *life) configure(mode SurveyMode, sources []poller.Source, from ...*watch) {
	providers := make([]*Provider, len(from))
	for i, w := range from {
		providers[i] = w.Provider
		src := &sources[i]
		src.Name, src.Provider, src.ReprobeCycles = fmt.Sprint("github-", i), w.Provider, w.ReprobeCycles
	}
	l.watch = from[0]
	sources[0].Provider = noting{l.Provider, l}
	NewSurveyor(l.hosts, SurveyOptions{Mode: mode, Interval: l.interval}, providers)
	l.poller.SetSources(sources)
	l.poller.SetRouting(l.routing)
}

// noting keeps what the core is told of a source.
type noting struct {
	poller.Provider
	life *life
}

func (n noting) Listing(ctx context.Context, step poller.Step) (poller.Listing, error) {
	l, err := n.Provider.Listing(ctx, step)
	n.life.listing = l
	return l, err
}

// lived is all that one cycle did.
type lived struct {
	Summary    poller.Summary
	Deliveries []dispatch.Delivery
	Records    []session.Record
	Events     []string
}

// live is one cycle. What it took, and what a survey found, is left out.
func (l *life) live(t *testing.T) lived {
	t.Helper()
	l.events.Reset()
	l.courier.made = nil
	got := lived{Summary: l.poller.Cycle(t.Context(), nil)}
	l.hosts.CycleDone()
	if err := l.store.Flush(); err != nil {
		t.Fatal(err)
	}
	s := &got.Summary
	s.ScopesUnchanged, s.SurveyCalls, s.Duration = 0, 0, 0
	got.Deliveries, got.Records = l.courier.made, slices.Collect(l.store.All())
	for i := range got.Deliveries {
		got.Deliveries[i].Item.Labels = nil // what does not move the time of the last change may be old
	}
	text := regexp.MustCompile(`,"pid":\d+|,"duration_ms":\d+|,"scopes_unchanged":\d+`).ReplaceAllString(l.events.String(), "")
	got.Events = strings.Split(text, "\n")
	return got
}

// courier runs handlers at once, one after the other in each session. Which tries
// fail or are put off depends on the delivery alone.
type courier struct {
	to     *poller.Poller
	made   []dispatch.Delivery
	queues map[string][]dispatch.Delivery // by session; the first is held
	tries  map[string]int
	done   map[string]bool
	again  []string // what was run once more after its handler had done its work
}

func (c *courier) Submit(d dispatch.Delivery) error {
	if c.Stage(d.ID) != dispatch.Absent {
		return dispatch.ErrPending
	}
	q := c.queues[d.Target.Session]
	c.to.Queued(d)
	c.queues[d.Target.Session] = append(q, d)
	if len(q) == 0 {
		c.work(d.Target.Session)
	}
	return nil
}

// work runs what waits in a session until a delivery is held.
func (c *courier) work(name string) {
	for len(c.queues[name]) > 0 {
		next, again := c.run(c.queues[name][0])
		if again {
			c.queues[name][0] = next
			return
		}
		c.queues[name] = c.queues[name][1:]
	}
	delete(c.queues, name)
}

func (c *courier) run(d dispatch.Delivery) (next dispatch.Delivery, again bool) {
	res := dispatch.Result{Outcome: dispatch.Unwanted, Reason: "gone"}
	switch c.to.Prepare(&d) {
	case dispatch.Later:
		return d, true
	case dispatch.Go:
		c.made = append(c.made, d)
		if c.done[d.ID] {
			c.again = append(c.again, d.ID)
		}
		c.tries[d.ID]++
		res = handled(d.ID, c.tries[d.ID])
		c.done[d.ID] = res.Outcome == dispatch.Delivered
	}
	res.Delivery = d
	again = c.to.Settle(res)
	if again && res.Outcome == dispatch.Failed {
		d.Attempt++
	}
	return d, again
}

func handled(id string, try int) dispatch.Result {
	h := fnv.New32()
	fmt.Fprint(h, id, try)
	switch h.Sum32() % 8 {
	case 0:
		return dispatch.Result{Outcome: dispatch.Failed, Reason: "exit status 1"}
	case 1:
		return dispatch.Result{Outcome: dispatch.Deferred}
	}
	return dispatch.Result{Outcome: dispatch.Delivered}
}

func (c *courier) Stage(id string) dispatch.Stage {
	for _, q := range c.queues {
		if n := slices.IndexFunc(q, func(d dispatch.Delivery) bool { return d.ID == id }); n == 0 {
			return dispatch.Held
		} else if n > 0 {
			return dispatch.Waiting
		}
	}
	return dispatch.Absent
}

func (c *courier) Resume(which func(dispatch.Delivery) bool) []dispatch.Delivery {
	var resumed []dispatch.Delivery
	for _, name := range slices.Sorted(maps.Keys(c.queues)) {
		if d := c.queues[name][0]; which(d) {
			resumed = append(resumed, d)
			c.work(name)
		}
	}
	return resumed
}

func (*courier) Ask(session.Target, argvtemplate.Template, dispatch.Asked) {}
func (*courier) TrimLogs() error                                           { return nil }
func (*courier) Workload() dispatch.Workload                               { return dispatch.Workload{} }
