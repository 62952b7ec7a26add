package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/runlock"
	"the-loop/poller"
	"the-loop/poller/github"
)

// open takes the lock and opens the files of a daemon. When it fails, it leaves
// nothing open.
func open(o Options) (*daemon, error) {
	cfg := o.Config
	if err := CheckRoot(cfg.StateRoot); err != nil {
		return nil, err
	}
	lock, err := acquire(cfg, o.Log)
	if err != nil {
		return nil, err
	}
	d := &daemon{
		version: o.Version, advice: o.Advice, log: o.Log, logError: o.LogError, service: newService(o.Log),
		settings: settings{inForce: cfg, load: o.Load, watch: config.NewWatch(cfg)},
		root:     ownership{lock: lock},
		github:   access{hosts: github.NewHosts(), cache: openCache(cfg.StateRoot, o.Log)},
		events:   openEvents(cfg, o.Log),
		count:    count{last: o.Cycles},
		hangup:   make(chan struct{}, 1), freshness: make(freshness, 1),
	}
	if err := d.openState(); err != nil {
		d.close()
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	d.openPoller()
	d.openNotices()
	d.beat.Refresh()
	return d, nil
}

// acquire takes the lock of the state root. The event log of the daemon that
// holds it already gets a line about the attempt.
func acquire(cfg *config.Config, log *slog.Logger) (*runlock.Lock, error) {
	lock, err := runlock.Acquire(filepath.Join(cfg.StateRoot, runlock.FileName))
	if held := (*runlock.HeldError)(nil); errors.As(err, &held) {
		if cfg.EventLog.Enabled {
			if err := eventlog.Append(cfg.EventLog.Path, eventlog.Blocked(held.PID, held.Path)); err != nil {
				log.Warn("event log could not be written", "error", err)
			}
		}
		return nil, held
	}
	if err != nil {
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	return lock, nil
}

func openEvents(cfg *config.Config, log *slog.Logger) *eventlog.Log {
	path := cfg.EventLog.Path
	if !cfg.EventLog.Enabled {
		path = ""
	}
	return eventlog.Open(eventlog.Options{
		Path: path, MaxSizeMB: cfg.EventLog.MaxSizeMB, MaxBackups: cfg.EventLog.MaxBackups, Logger: log,
	})
}

// openState writes the first heartbeat and reads the records.
func (d *daemon) openState() error {
	cfg := d.settings.inForce
	d.beat = heartbeat.New(heartbeat.Options{
		Path: filepath.Join(cfg.StateRoot, heartbeat.FileName), Interval: cfg.Polling.Interval, Logger: d.log,
		Standing: d.standing, Program: d.version,
	})
	err := d.beat.Start()
	if err != nil {
		return err
	}
	if d.store, err = openStore(cfg.StateRoot, d.log, d.events); err != nil {
		return err
	}
	d.store.SetKeep(cfg.Keep)
	return nil
}

// openPoller connects the poller, its sources and the handlers.
func (d *daemon) openPoller() {
	cfg := d.settings.inForce
	d.poller = poller.New(poller.Options{Log: d.log, Events: d.events, Store: d.store, Program: d.version})
	d.setSources(cfg)
	d.poller.SetRouting(Routing(cfg))
	d.dispatch = dispatch.New(dispatch.Options{
		StateRoot: cfg.StateRoot, MaxConcurrent: cfg.Routing.MaxConcurrentDispatches,
		Timeout: cfg.Routing.DispatchTimeout, Grace: handlerGrace, Logger: d.log,
		Repositories: repositories(cfg), Prepare: d.poller.Prepare, Done: d.settle, Queued: d.poller.Queued,
	})
	d.poller.SetDispatcher(d.dispatch)
}
