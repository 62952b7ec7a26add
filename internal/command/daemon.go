package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"the-loop/gh"
	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/internal/runlock"
	"the-loop/poller"
	"the-loop/poller/github"
)

// daemon is a running poller and everything that it holds.
type daemon struct {
	cfg    *config.Config
	log    *slog.Logger
	lock   *runlock.Lock
	events *eventlog.Log
	beat   *heartbeat.Recorder
	poller *poller.Poller
	hosts  *github.Hosts
	cycles int // finished ones
	failed int // scopes and sources that failed, over all cycles, for --strict
}

// lockPath is the lock of a state root.
func lockPath(root string) string { return filepath.Join(root, runlock.FileName) }

// heldError is the lock's refusal with what to do about it.
type heldError struct{ *runlock.HeldError }

func (e heldError) Error() string {
	return fmt.Sprintf("another the-loop is running on this state root: pid %d holds %s", e.PID, e.Path)
}

func (heldError) Hint() string {
	return "'the-loop stop' ends it; another --state-root runs a second one"
}

// openDaemon takes the lock and opens what the daemon writes. Nothing of it
// is left behind when it fails.
func openDaemon(cfg *config.Config, log *slog.Logger) (*daemon, error) {
	lock, err := runlock.Acquire(lockPath(cfg.StateRoot))
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
	d := &daemon{cfg: cfg, log: log, lock: lock, hosts: github.NewHosts()}
	eventPath := cfg.EventLog.Path
	if !cfg.EventLog.Enabled {
		eventPath = ""
	}
	d.events = eventlog.Open(eventlog.Options{
		Path: eventPath, MaxSizeMB: cfg.EventLog.MaxSizeMB, MaxBackups: cfg.EventLog.MaxBackups, Logger: log,
	})
	d.beat = heartbeat.New(heartbeat.Options{
		Path: filepath.Join(cfg.StateRoot, heartbeat.FileName), Interval: cfg.Polling.Interval, Logger: log,
	})
	if err := d.beat.Start(); err != nil {
		d.close()
		return nil, fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	d.poller = poller.New(poller.Options{Log: log, Events: d.events})
	d.poller.SetSources(sources(cfg, log, d.hosts))
	return d, nil
}

// sources builds the provider of each configured source.
func sources(cfg *config.Config, log *slog.Logger, hosts *github.Hosts) []poller.Source {
	var list []poller.Source
	for _, s := range cfg.Polling.Sources {
		client := gh.New(gh.Options{Binary: s.GHBinary, Timeout: s.Timeout, Logger: log})
		list = append(list, poller.Source{
			Name: s.Name, ReprobeCycles: s.ReprobeCycles,
			Provider: github.New(github.Options{
				Client: client, Hosts: hosts, Repos: s.Repos, Labels: s.Labels,
				Issues: s.Issues, PullRequests: s.PullRequests,
				Limit: s.Limit, ReprobeCycles: s.ReprobeCycles, Concurrency: s.Concurrency,
			}),
		})
	}
	return list
}

// run polls until the context ends or the asked cycles are done.
func (d *daemon) run(ctx context.Context, o runOptions) error {
	defer d.close()
	d.started()
	poller.Loop{
		Interval: func() time.Duration { return d.cfg.Polling.Interval },
		Cycles:   o.cycles,
		Cycle:    d.cycle,
	}.Run(ctx)
	reason := "the asked number of cycles is done"
	if ctx.Err() != nil {
		reason = "asked to stop"
	}
	d.log.Info("poller stopped", "reason", reason, "cycles", d.cycles)
	d.events.Write(eventlog.Stopped(reason, d.cycles))
	if o.strict && d.failed > 0 {
		return fmt.Errorf("%d listing(s) failed, which --strict does not accept", d.failed)
	}
	return nil
}

func (d *daemon) started() {
	var names []string
	repos := 0
	for _, s := range d.cfg.Polling.Sources {
		names = append(names, s.Name)
		repos += len(s.Repos)
	}
	d.log.Info("poller started", "version", version(), "pid", os.Getpid(), "state_root", d.cfg.StateRoot,
		"config", d.cfg.File, "sources", len(names), "repositories", repos, "interval", d.cfg.Polling.Interval)
	d.events.Write(eventlog.Started(eventlog.StartedFields{
		Version: version(), StateRoot: d.cfg.StateRoot, Interval: d.cfg.Polling.Interval, Sources: names,
	}))
}

// cycle runs one cycle between two heartbeats.
func (d *daemon) cycle(ctx context.Context) {
	d.beat.CycleStarted(d.poller.Scopes())
	sum := d.poller.Cycle(ctx, d.beat.Step)
	d.beat.CycleDone(sum)
	d.cycles++
	d.failed += len(sum.ScopesFailed) + len(sum.ProviderErrors)
}

// stopping notes a stop request where the stop command can see it.
func (d *daemon) stopping(s os.Signal) {
	d.log.Info("stop requested", "signal", s.String())
	if err := d.lock.MarkStopping(); err != nil {
		d.log.Warn("stop request could not be noted", "error", err)
	}
}

func (d *daemon) close() {
	if err := d.events.Close(); err != nil {
		d.log.Warn("event log could not be closed", "error", err)
	}
	if err := d.lock.Release(); err != nil {
		d.log.Warn("lock could not be released", "error", err)
	}
}
