package daemon

import (
	"context"
	"fmt"
	"strings"

	"the-loop/internal/config"
	"the-loop/internal/eventlog"
)

// settings holds the configuration and the means to notice and read a changed one.
type settings struct {
	inForce *config.Config
	load    config.Options
	watch   *config.Watch
	fault   string // of the file, "" while the file is in force
}

// reloadIfChanged puts a changed configuration into force. It reports an invalid one and
// keeps the previous one. It returns false when the file has not changed. Call it only
// between cycles.
func (d *daemon) reloadIfChanged() bool {
	if !d.settings.watch.Changed() {
		return false
	}
	cfg, err := config.Load(d.settings.load)
	if err != nil {
		text := config.InOneLine(err)
		d.log.Error("configuration could not be reloaded, keeping the previous one", "error", text)
		d.settings.fault = text
		d.beat.SetConfigError(text) // first: a reader of the event finds it in status
		d.events.Write(eventlog.ConfigReloadFailed(d.settings.load.File, text))
		d.notices.configuration(d.settings.load.File, text)
		d.notify()
		return true
	}
	changes := shortened(config.Changes(d.settings.inForce, cfg))
	d.apply(cfg)
	if len(changes) == 0 {
		d.log.Info("configuration reloaded, no setting changed", "config", cfg.File)
	} else {
		d.log.Info("configuration reloaded", "config", cfg.File, "changes", strings.Join(changes, "; "))
	}
	d.settings.fault = ""
	d.beat.SetConfigError("")
	d.events.Write(eventlog.ConfigReloaded(cfg.File, changes))
	d.notices.configuration(cfg.File, "")
	return true
}

// shortened shortens a list of changes to fit one log line.
func shortened(changes []string) []string {
	const most = 20
	if len(changes) <= most {
		return changes
	}
	return append(changes[:most-1:most-1], fmt.Sprintf("%d more", len(changes)-most+1))
}

// apply puts a configuration into force. Sessions and records stay. The sources restart,
// since people expect fresh facts after a change.
func (d *daemon) apply(cfg *config.Config) {
	before := d.settings.inForce
	if cfg.StateRoot != before.StateRoot || cfg.EventLog != before.EventLog {
		d.log.Warn("state.root and eventLog are read at the start only; restart to change them")
	}
	d.settings.inForce = cfg
	d.store.SetKeep(cfg.Keep)
	d.setSources(cfg)
	d.poller.SetRouting(Routing(cfg))
	d.dispatch.Reconfigure(cfg.Routing.MaxConcurrentDispatches, cfg.Routing.DispatchTimeout, repositories(cfg))
	d.beat.SetInterval(cfg.Polling.Interval)
	d.notices.apply(cfg)
	d.renewPatience()
}

// reloadOnHangup answers a SIGHUP between two cycles. The rest of the wait then
// follows the configuration in force.
func (d *daemon) reloadOnHangup(ctx context.Context) {
	d.service.reloading()
	switch changed := d.reloadIfChanged(); {
	case changed:
	case d.settings.fault != "":
		d.log.Error("configuration unchanged and still faulty, keeping the previous one", "error", d.settings.fault)
	default:
		d.log.Info("configuration unchanged, nothing to reload", "config", d.settings.inForce.File)
	}
	d.keepPace(ctx, 0)
	d.service.ready()
}

// hungUp passes a SIGHUP to the loop. While one waits there, a further one adds
// nothing.
func (d *daemon) hungUp() {
	select {
	case d.hangup <- struct{}{}:
	default:
	}
}
