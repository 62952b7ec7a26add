package daemon

import (
	"context"
	"errors"
	"fmt"

	"the-loop/internal/config"
	"the-loop/internal/eventlog"
)

// reloadIfChanged takes a changed configuration over, or says why it does not.
// It is called between cycles only.
func (d *daemon) reloadIfChanged() {
	if !d.watch.Changed() {
		return
	}
	cfg, err := config.Load(d.load)
	if err != nil {
		text := FirstFault(err)
		d.log.Error("configuration could not be reloaded, keeping the previous one", "error", text)
		d.events.Write(eventlog.ConfigReloadFailed(d.load.File, text))
		d.beat.SetConfigError(text)
		return
	}
	d.apply(cfg)
	d.log.Info("configuration reloaded", "config", cfg.File)
	d.events.Write(eventlog.ConfigReloaded(cfg.File))
	d.beat.SetConfigError("")
}

// apply puts a configuration into force. Sessions and records stay; the
// sources start fresh, which is when somebody wants to see the facts anew.
func (d *daemon) apply(cfg *config.Config) {
	if cfg.StateRoot != d.cfg.StateRoot || cfg.EventLog != d.cfg.EventLog {
		d.log.Warn("state.root and eventLog are read at the start only; restart to change them")
	}
	d.cfg = cfg
	d.setSources(cfg)
	d.poller.SetRouting(Routing(cfg))
	d.dispatch.Reconfigure(cfg.Routing.MaxConcurrentDispatches, cfg.Routing.DispatchTimeout)
	d.beat.SetInterval(cfg.Polling.Interval)
	d.patience.Store(int64(patienceFor(cfg, d.interval())))
}

// reloadOnHangup is what a SIGHUP asks for. The wait that goes on then is what
// the configuration in force asks for.
func (d *daemon) reloadOnHangup(ctx context.Context) {
	d.service.reloading()
	d.reloadIfChanged()
	d.keepPace(ctx, 0)
	d.service.ready()
}

// hungUp notes a SIGHUP; one that waits to be looked at is enough.
func (d *daemon) hungUp() {
	select {
	case d.hangup <- struct{}{}:
	default:
	}
}

// FirstFault is an error of the configuration in one line.
func FirstFault(err error) string {
	var faults config.Faults
	if !errors.As(err, &faults) {
		return err.Error()
	}
	text := faults[0].Error()
	if n := len(faults) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more; see 'the-loop config validate')", n)
	}
	return text
}
