package daemon

import (
	"context"
	"time"

	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/poller/github"
)

// setSources puts the sources of a configuration into force, and asks anew
// how fast they may be polled.
func (d *daemon) setSources(cfg *config.Config) {
	list, pacer := Sources(cfg, d.log, d.hosts, d.cache)
	d.poller.SetSources(list)
	d.pacer = pacer
	if pacer == nil {
		d.setPace(nil)
	}
}

// keepPace lengthens the wait between cycles where a host's quota would not
// last otherwise. took is how long the last cycle lasted.
func (d *daemon) keepPace(ctx context.Context, took time.Duration) {
	if d.pacer != nil {
		d.setPace(d.pacer.Next(ctx, d.cfg.Polling.Interval, took))
	}
}

// wait is how long to wait after the cycle that ended last.
func (d *daemon) wait() time.Duration {
	if d.pace != nil {
		return max(d.pace.Wait(d.ended), d.cfg.Polling.Interval)
	}
	return d.cfg.Polling.Interval
}

// setPace puts a pace into force. The heartbeat has it as the host last told it;
// the log and the events tell of another wait, once.
func (d *daemon) setPace(pace *github.Pace) {
	before := d.pace
	d.pace = pace
	if before == pace {
		return
	}
	d.beat.SetPace(shownPace(pace))
	if before != nil && pace != nil && before.Host == pace.Host && before.Interval == pace.Interval {
		return
	}
	d.patience.Store(int64(patienceFor(d.cfg, d.interval())))
	if pace == nil {
		d.log.Info("cycles follow each other as configured again", "interval", d.interval())
		return
	}
	d.log.Warn("cycles are spread out so that the quota lasts", "host", pace.Host, "interval", pace.Interval,
		"remaining", pace.Remaining, "reset_at", pace.ResetAt.UTC().Format(time.RFC3339))
	d.events.Write(eventlog.Paced(eventlog.PacedFields{
		Host: pace.Host, Interval: pace.Interval, Remaining: pace.Remaining, ResetAt: pace.ResetAt,
	}))
}

func shownPace(p *github.Pace) *heartbeat.Pace {
	if p == nil {
		return nil
	}
	return &heartbeat.Pace{Host: p.Host, Interval: p.Interval, Remaining: p.Remaining, ResetAt: p.ResetAt, Calls: p.Calls}
}
