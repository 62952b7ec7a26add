package daemon

import (
	"context"
	"sync/atomic"
	"time"

	"the-loop/gh"
	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/internal/timetext"
	"the-loop/poller/github"
)

// pace sets the rhythm of the cycles. Only the goroutine of the cycles changes it; the
// watchdog reads patience.
type pace struct {
	pacer    *github.Pacer // nil when the configuration sets the interval alone
	now      *github.Pace  // nil while the configured interval holds
	ended    time.Time     // when the last cycle ended
	patience atomic.Int64  // the time.Duration without movement after which the daemon counts as stuck
}

// setSources replaces the sources, and with them the pacer.
func (d *daemon) setSources(cfg *config.Config) {
	list, pacer := Sources(cfg, d.log, d.github.hosts, d.github.cache)
	d.poller.SetSources(list)
	d.pace.pacer = pacer
	if pacer == nil {
		d.setPace(nil)
	}
}

// keepPace lengthens the wait between cycles when a host's quota would otherwise run out.
// took is the duration of the last cycle.
func (d *daemon) keepPace(ctx context.Context, took time.Duration) {
	if d.pace.pacer != nil {
		d.setPace(d.pace.pacer.Next(ctx, d.settings.inForce.Polling.Interval, took))
		d.beat.SetQuotas(shownQuotas(d.pace.pacer.Quotas()))
	}
}

// interval returns the time between the end of one cycle and the start of the
// next.
func (d *daemon) interval() time.Duration {
	configured := d.settings.inForce.Polling.Interval
	if d.pace.now != nil {
		return max(d.pace.now.Interval, configured)
	}
	return configured
}

// wait returns how long to wait after the cycle that ended last: the interval,
// but no longer than until the quota is renewed.
func (d *daemon) wait() time.Duration {
	configured := d.settings.inForce.Polling.Interval
	if d.pace.now != nil {
		return max(d.pace.now.Wait(d.pace.ended), configured)
	}
	return configured
}

// setPace puts a pace into force. The heartbeat shows every new reading of the
// quota; the log and the events mention a pace once, when the interval changes.
func (d *daemon) setPace(next *github.Pace) {
	before := d.pace.now
	d.pace.now = next
	if before == next {
		return
	}
	d.beat.SetPace(shownPace(next))
	d.notices.pace(next)
	d.notify() // the next cycle may be long in coming
	if before != nil && next != nil && before.Host == next.Host && before.Interval == next.Interval {
		return
	}
	d.renewPatience()
	if next == nil {
		d.log.Info("cycles come at the configured interval again", "interval", d.interval())
		return
	}
	d.log.Warn("cycles are spread out so that the quota lasts", "host", next.Host, "interval", next.Interval,
		"remaining", next.Remaining, "reset_at", timetext.UTC(next.ResetAt))
	d.events.Write(eventlog.Paced(eventlog.PacedFields{
		Host: next.Host, Interval: next.Interval, Remaining: next.Remaining, ResetAt: next.ResetAt,
	}))
}

func shownPace(p *github.Pace) *heartbeat.Pace {
	if p == nil {
		return nil
	}
	return &heartbeat.Pace{Host: p.Host, Interval: p.Interval, Remaining: p.Remaining, ResetAt: p.ResetAt, Calls: p.Calls}
}

// renewPatience follows a change of the interval or of the sources' timeouts.
func (d *daemon) renewPatience() {
	d.pace.patience.Store(int64(patienceFor(d.settings.inForce, d.interval())))
}

// moves reports whether the daemon is alive: it waits for its next cycle, or its
// cycle moves on.
func (d *daemon) moves(now time.Time) bool {
	return now.Sub(d.beat.LastMovement()) <= time.Duration(d.pace.patience.Load())
}

// patienceFor returns how long the daemon may stand still before it counts as stuck: the
// time after which status says stale, plus the timeouts of all gh calls that one
// repository or item may need before it counts as movement.
func patienceFor(cfg *config.Config, interval time.Duration) time.Duration {
	const calls = 5
	var timeout time.Duration
	for _, s := range cfg.Polling.Sources {
		timeout = max(timeout, s.Timeout)
	}
	return 3*interval + time.Minute + calls*timeout
}

func shownQuotas(quotas map[string]gh.Quota) map[string]heartbeat.Quota {
	shown := map[string]heartbeat.Quota{}
	for host, q := range quotas {
		shown[host] = heartbeat.Quota{Limit: q.Limit, Remaining: q.Remaining, ResetAt: q.Reset}
	}
	return shown
}
