package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"the-loop/gh"
	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/internal/ownfile"
	"the-loop/internal/runlock"
	"the-loop/internal/session"
	"the-loop/poller"
	"the-loop/poller/github"
)

// Options say what a daemon watches and for how long.
type Options struct {
	Config  *config.Config
	Load    config.Options // how Config was read, to be read again
	Cycles  int            // stop after that many, 0 for never
	Strict  bool           // a failed scope or a given-up delivery is an error
	Version string         // of this program
	Log     *slog.Logger
	// LogError says why lines of the log are lost, "" while none are.
	LogError func() string
}

// Run polls until ctx ends, a signal asks for the end or the asked cycles are
// done.
func Run(ctx context.Context, o Options) error {
	return supervise(ctx, func() (*daemon, error) { return open(o) }, o)
}

// daemon is a running poller and everything that it holds.
type daemon struct {
	version string
	cfg     *config.Config // what is in force
	load    config.Options // how it was read, to be read again
	watch   *config.Watch
	log     *slog.Logger
	// logError says why lines of the log are lost, "" while none are.
	logError func() string
	lock     *runlock.Lock
	events   *eventlog.Log
	beat     *heartbeat.Recorder
	store    *session.Store
	poller   *poller.Poller
	hosts    *github.Hosts
	cache    gh.Cache
	// dispatch runs the handlers; it is the last to be opened and the first
	// to be ended.
	dispatch *session.Dispatcher
	service  *service
	hangup   chan struct{} // a SIGHUP that was not looked at yet
	settled  chan struct{} // the end of a delivery that the heartbeat does not have yet
	patience atomic.Int64  // of the watchdog, a duration
	pacer    *github.Pacer // nil for no pace but the configured one
	pace     *github.Pace  // that holds now, nil for the configured interval
	ended    time.Time     // when the last cycle did
	last     int           // the cycle after which to stop, 0 for none
	cycles   int           // finished ones
	failed   int           // scopes and sources that failed, over all cycles, for --strict
	gaveUp   int           // deliveries given up, as the cycles' summaries tell, likewise
	unlocked bool          // the lock file is gone and could not be made again
	usurped  error         // another daemon owns the state root by now
	abandon  func()        // ends the run for that reason
}

// handlerGrace is how long handlers may go on after a stop request.
const handlerGrace = 10 * time.Second

// LockPath is the lock of a state root.
func LockPath(root string) string { return filepath.Join(root, runlock.FileName) }

// heldError is the lock's refusal with what to do about it.
type heldError struct{ *runlock.HeldError }

func (e heldError) Error() string {
	return fmt.Sprintf("another the-loop is running on this state root: pid %d holds %s", e.PID, e.Path)
}

func (heldError) Hint() string {
	return "'the-loop stop' ends it; another --state-root runs a second one"
}

// OwnRoot refuses a state root that is not this user's alone.
func OwnRoot(root string) error {
	if err := ownfile.CheckFolder(root, "items", "logs", "cache"); err != nil {
		return fmt.Errorf("state root %w", err)
	}
	return nil
}

// open takes the lock and opens what the daemon writes. Nothing of it
// is left behind when it fails.
func open(o Options) (*daemon, error) {
	cfg, log := o.Config, o.Log
	if err := OwnRoot(cfg.StateRoot); err != nil {
		return nil, err
	}
	lock, err := runlock.Acquire(LockPath(cfg.StateRoot))
	if held := (*runlock.HeldError)(nil); errors.As(err, &held) {
		if cfg.EventLog.Enabled {
			if err := eventlog.Append(cfg.EventLog.Path, eventlog.Blocked(held.PID, held.Path)); err != nil {
				log.Warn("event log could not be written", "error", err)
			}
		}
		return nil, heldError{held}
	}
	if err != nil {
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	d := &daemon{
		version: o.Version, cfg: cfg, load: o.Load, watch: config.NewWatch(cfg), log: log, lock: lock, hosts: github.NewHosts(),
		hangup: make(chan struct{}, 1), settled: make(chan struct{}, 1), service: newService(log), logError: o.LogError,
	}
	eventPath := cfg.EventLog.Path
	if !cfg.EventLog.Enabled {
		eventPath = ""
	}
	d.events = eventlog.Open(eventlog.Options{
		Path: eventPath, MaxSizeMB: cfg.EventLog.MaxSizeMB, MaxBackups: cfg.EventLog.MaxBackups, Logger: log,
	})
	d.beat = heartbeat.New(heartbeat.Options{
		Path: filepath.Join(cfg.StateRoot, heartbeat.FileName), Interval: cfg.Polling.Interval, Logger: log,
		Standing: d.standing,
	})
	d.cache = openCache(cfg.StateRoot, log)
	if err := d.beat.Start(); err != nil {
		d.close()
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	if d.store, err = openStore(cfg.StateRoot, log, d.events); err != nil {
		d.close()
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	d.poller = poller.New(poller.Options{Log: log, Events: d.events, Store: d.store, Program: o.Version})
	d.setSources(cfg)
	d.poller.SetRouting(Routing(cfg))
	d.dispatch = session.NewDispatcher(session.DispatchOptions{
		StateRoot: cfg.StateRoot, MaxConcurrent: cfg.Routing.MaxConcurrentDispatches,
		Timeout: cfg.Routing.DispatchTimeout, Grace: handlerGrace, Logger: log, Done: d.settle, Queued: d.poller.Queued,
	})
	d.poller.SetDispatcher(d.dispatch)
	d.beat.Refresh()
	return d, nil
}

// run polls until the context ends or the asked cycles are done. Handlers that
// run then have their grace for as long as patient holds.
func (d *daemon) run(ctx, patient context.Context, o Options) error {
	defer d.close()
	ctx = d.abandonable(ctx)
	defer d.abandon()
	d.last = o.Cycles
	d.started()
	d.patience.Store(int64(patienceFor(d.cfg, d.interval())))
	d.service.ready()
	// Kept up while handlers are given their time at the end, too.
	unwatch := d.service.watch(context.WithoutCancel(ctx), d.moves)
	defer unwatch()
	refreshed := d.refresh(ctx)
	if d.last != 1 {
		d.keepPace(ctx, 0)
	}
	poller.Loop{
		Interval: d.wait,
		Cycles:   o.Cycles,
		Cycle:    d.cycle,
		Wake:     d.hangup,
		Woken:    func() { d.reloadOnHangup(ctx) },
	}.Run(ctx)
	// What the last cycle handed over is waited for, but not past a stop.
	if err := d.dispatch.Wait(ctx); err != nil {
		d.log.Info("waiting for handlers was cut short", "reason", err)
	}
	reason := "the asked number of cycles is done"
	switch {
	case d.usurped != nil:
		reason = "another poller owns the state root"
	case ctx.Err() != nil:
		reason = "asked to stop"
	}
	d.endHandlers(patient)
	refreshed()
	d.log.Info("poller stopped", "reason", reason, "cycles", d.cycles)
	d.events.Write(eventlog.Stopped(reason, d.cycles))
	return d.verdict(o)
}

// endHandlers gives the handlers that still run their grace, and writes what
// could not be written before.
func (d *daemon) endHandlers(patient context.Context) {
	d.dispatch.Stop(patient)
	if d.usurped != nil {
		return // the records are another daemon's
	}
	if err := d.store.Flush(); err != nil {
		d.log.Error("records could not be written", "error", err)
	}
}

// verdict is what --strict makes of all cycles together.
func (d *daemon) verdict(o Options) error {
	if d.usurped != nil {
		return d.usurped
	}
	if !o.Strict {
		return nil
	}
	return StrictVerdict(d.failed, d.gaveUp+d.poller.GaveUp())
}

// StrictVerdict is what --strict does not accept.
func StrictVerdict(failed, gaveUp int) error {
	if failed+gaveUp == 0 {
		return nil
	}
	return fmt.Errorf("%d listing(s) failed and %d delivery(s) gave up, which --strict does not accept", failed, gaveUp)
}

func (d *daemon) started() {
	var names []string
	repos := 0
	for _, s := range d.cfg.Polling.Sources {
		names = append(names, s.Name)
		repos += len(s.Repos)
	}
	d.log.Info("poller started", "version", d.version, "pid", os.Getpid(), "state_root", d.cfg.StateRoot,
		"config", d.cfg.File, "sources", len(names), "repositories", repos, "interval", d.cfg.Polling.Interval)
	d.events.Write(eventlog.Started(eventlog.StartedFields{
		Version: d.version, StateRoot: d.cfg.StateRoot, Interval: d.cfg.Polling.Interval, Sources: names,
	}))
}

// interval is the wait from one cycle's end to the next one's start.
func (d *daemon) interval() time.Duration {
	if d.pace != nil {
		return max(d.pace.Interval, d.cfg.Polling.Interval)
	}
	return d.cfg.Polling.Interval
}

// cycle runs one cycle between two heartbeats.
func (d *daemon) cycle(ctx context.Context) {
	if !d.keepLock() {
		return
	}
	d.reloadIfChanged()
	d.beat.CycleStarted(d.poller.Scopes())
	sum := d.poller.Cycle(ctx, d.beat.Step)
	d.beat.SetLogError(d.logError())
	d.beat.CycleDone(sum)
	d.service.status(sum)
	d.cycles++
	if d.cycles == 1 {
		// What reading the configuration and the records took is not needed
		// again: give it back rather than keep it for months.
		debug.FreeOSMemory()
	}
	d.ended = time.Now()
	if ctx.Err() == nil {
		d.hosts.CycleDone()
	}
	if ctx.Err() == nil && d.cycles != d.last {
		d.keepPace(ctx, sum.Duration)
	}
	d.failed += len(sum.ScopesFailed) + len(sum.ProviderErrors)
	d.gaveUp += sum.Failures
}

// stopping notes a stop request, first where the stop command sees it, which then
// sends no second one.
func (d *daemon) stopping(s os.Signal) {
	if err := d.lock.MarkStopping(); err != nil {
		d.log.Warn("stop request could not be noted", "error", err)
	}
	d.log.Info("stop requested", "signal", s.String())
	d.service.stopping()
	d.dispatch.BeginStop()
	if n := d.dispatch.Running(); n > 0 {
		d.log.Info(fmt.Sprintf("waiting up to %s for %d handler(s); a second signal ends at once", handlerGrace, n))
	}
}

func (d *daemon) close() {
	d.service.close()
	if err := d.events.Close(); err != nil {
		d.log.Warn("event log could not be closed", "error", err)
	}
	if err := d.lock.Release(); err != nil {
		d.log.Warn("lock could not be released", "error", err)
	}
}
