package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"the-loop/gh"
	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
	"the-loop/poller"
	"the-loop/poller/github"
)

// handlerGrace is how long handlers may go on after a stop request.
const handlerGrace = 10 * time.Second

// Options describe a daemon.
type Options struct {
	Config  *config.Config
	Load    config.Options // the source of Config; a reload reads it the same way
	Cycles  int            // stop after this many cycles; 0 means never
	Version string         // of this program
	Log     *slog.Logger
	// LogError returns why the log loses lines, "" while it loses none.
	LogError func() string
	Advice   string // logged after the start, for a person at a terminal
}

// Outcome counts the failures of a whole run.
type Outcome struct {
	Failed int // failed listings and sources, once for each cycle
	GaveUp int // given-up deliveries
}

// Run polls until ctx ends, a signal asks it to stop or the cycles are done. It
// returns a [*runlock.HeldError] when another daemon holds the state root, from
// the beginning or since, and [ErrSecondSignal] after a second signal.
func Run(ctx context.Context, o Options) (Outcome, error) {
	return supervise(ctx, func() (*daemon, error) { return open(o) })
}

// daemon is a running poller and everything around it.
type daemon struct {
	version  string
	advice   string
	log      *slog.Logger
	logError func() string
	events   *eventlog.Log
	beat     *heartbeat.Recorder
	store    *session.Store
	poller   *poller.Poller
	dispatch *dispatch.Dispatcher // runs the handlers; opened last, stopped first
	service  *service
	notices  notices
	hints    hints

	settings  settings
	root      ownership
	github    access
	pace      pace
	freshness freshness
	count     count
	hangup    chan struct{} // holds a SIGHUP until the loop takes it
}

// access is the part of the way to GitHub that all sources share.
type access struct {
	hosts *github.Hosts
	cache gh.Cache
}

// count is the progress of a run. Only the goroutine of the cycles uses it.
type count struct {
	last    int // stop after this cycle; 0 means never
	cycles  int // that have ended
	outcome Outcome
}

// run polls until the context ends or the cycles are done. Handlers that still
// run then have their grace for as long as patient holds.
func (d *daemon) run(ctx, patient context.Context) (Outcome, error) {
	defer d.close()
	ctx = d.root.abandonable(ctx)
	defer d.root.abandon()
	d.announce()
	d.renewPatience()
	d.service.ready()
	// The watchdog must stay quiet during the handlers' grace, too.
	unwatch := d.service.watch(context.WithoutCancel(ctx), d.moves)
	defer unwatch()
	refreshed := d.refresh(ctx)
	if d.count.last != 1 {
		d.keepPace(ctx, 0)
	}
	poller.Loop{
		Interval: d.wait,
		Cycles:   d.count.last,
		Cycle:    d.cycle,
		Wake:     d.hangup,
		Woken:    func() { d.reloadOnHangup(ctx) },
	}.Run(ctx)
	// Wait for the deliveries of the last cycle, but not past a stop request.
	if err := d.dispatch.Wait(ctx); err != nil {
		d.log.Info("waiting for handlers was cut short", "reason", err)
	}
	reason := d.reason(ctx)
	d.endHandlers(patient)
	refreshed()
	d.endNotices(patient)
	d.log.Info("poller stopped", "reason", reason, "cycles", d.count.cycles)
	d.events.Write(eventlog.Stopped(reason, d.count.cycles))
	d.count.outcome.GaveUp += d.poller.GaveUp()
	return d.count.outcome, d.root.usurped()
}

// announce logs the start and its settings.
func (d *daemon) announce() {
	cfg := d.settings.inForce
	var names []string
	repos := 0
	for _, s := range cfg.Polling.Sources {
		names = append(names, s.Name)
		repos += len(s.Repos)
	}
	d.log.Info("poller started", "version", d.version, "pid", os.Getpid(), "state_root", cfg.StateRoot,
		"config", cfg.File, "sources", len(names), "repositories", repos, "interval", cfg.Polling.Interval)
	if d.advice != "" {
		d.log.Info(d.advice)
	}
	d.events.Write(eventlog.Started(eventlog.StartedFields{
		Version: d.version, StateRoot: cfg.StateRoot, Interval: cfg.Polling.Interval, Sources: names,
	}))
}

// reason returns why the cycles have ended.
func (d *daemon) reason(ctx context.Context) string {
	switch {
	case d.root.usurped() != nil:
		return "another poller owns the state root"
	case ctx.Err() != nil:
		return "asked to stop"
	}
	return "all cycles are done"
}

// cycle runs one cycle between two heartbeats.
func (d *daemon) cycle(ctx context.Context) {
	if !d.root.keep(d.log) {
		return
	}
	d.reloadIfChanged()
	d.beat.CycleStarted(d.poller.Scopes())
	sum := d.poller.Cycle(ctx, d.step())
	d.beat.SetLogError(d.logError())
	d.beat.CycleDone(sum)
	d.notices.cycle(sum)
	d.hints.cycle(sum, d.log)
	d.notify()
	d.service.status(sum)
	d.count.cycles++
	if d.count.cycles == 1 {
		// The daemon does not need the memory of reading the configuration and the
		// records again: return it rather than keep it for months.
		debug.FreeOSMemory()
	}
	d.pace.ended = time.Now()
	if ctx.Err() == nil {
		d.github.hosts.CycleDone()
	}
	if ctx.Err() == nil && d.count.cycles != d.count.last {
		d.keepPace(ctx, sum.Duration)
	}
	d.count.outcome.Failed += len(sum.ScopesFailed) + len(sum.ProviderErrors)
	d.count.outcome.GaveUp += sum.Failures
}

// stopping passes a stop request on. The lock file comes first: it shows the stop command
// that no second request is needed.
func (d *daemon) stopping(s os.Signal) {
	if err := d.root.lock.MarkStopping(); err != nil {
		d.log.Warn("stop request could not be noted", "error", err)
	}
	d.log.Info("stop requested", "signal", s.String())
	d.service.stopping()
	d.dispatch.BeginStop()
	if n := d.dispatch.Running(); n > 0 {
		d.log.Info(fmt.Sprintf("waiting up to %s for %d handler(s); a second signal ends at once", handlerGrace, n))
	}
}

// endHandlers gives the running handlers their grace and then retries failed writes of
// records. A usurped daemon leaves the records alone: the other daemon owns them.
func (d *daemon) endHandlers(patient context.Context) {
	d.dispatch.Stop(patient)
	if d.root.usurped() != nil {
		return
	}
	if err := d.store.Flush(); err != nil {
		d.log.Error("records could not be written", "error", err)
	}
}

func (d *daemon) close() {
	d.notices.close()
	d.service.close()
	if err := d.events.Close(); err != nil {
		d.log.Warn("event log could not be closed", "error", err)
	}
	if err := d.root.lock.Release(); err != nil {
		d.log.Warn("lock could not be released", "error", err)
	}
}
