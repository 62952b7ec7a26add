package daemon

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/internal/notify"
	"the-loop/internal/timetext"
	"the-loop/poller"
	"the-loop/poller/github"
	"the-loop/status"
)

// notices collects the facts for the notify handler's notices.
type notices struct {
	notifier *notify.Notifier
	watcher  notify.Watcher

	mu    sync.Mutex
	state notify.State
	after time.Duration
}

// openNotices starts the notifier, which idles without a handler.
func (d *daemon) openNotices() {
	cfg := d.settings.inForce
	d.notices.notifier = notify.New(notify.Options{
		StateRoot: cfg.StateRoot, Env: handlerEnviron(os.Environ()), Log: d.log,
		Failed: func(n notify.Notice, reason string, willRetry bool) {
			d.log.Warn("notice could not be passed on", "kind", string(n.Kind), "subject", n.Subject, "error", reason, "will_retry", willRetry)
			d.events.Write(eventlog.NotifyFailed(string(n.Kind), n.Subject, reason, willRetry))
		},
	})
	d.notices.apply(cfg)
}

// handlerEnviron removes the variables that only the daemon and its service manager share.
func handlerEnviron(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		return name == "NOTIFY_SOCKET" || strings.HasPrefix(name, "WATCHDOG_")
	})
}

func (n *notices) apply(cfg *config.Config) {
	n.notifier.SetHandler(cfg.Routing.Handlers.Notify)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.after = cfg.Routing.NotifyAfter
}

func (n *notices) change(change func(*notify.State)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change(&n.state)
}

// cycle records the faults that a complete cycle saw. An interrupted one proves nothing.
func (n *notices) cycle(sum poller.Summary) {
	if sum.Interrupted {
		return
	}
	n.change(func(s *notify.State) {
		s.Degraded, s.NoLogin, s.NoLoginText = map[string]string{}, "", ""
		see := func(subject, text string, cause poller.Cause) {
			text = status.Brief(text)
			if _, known := s.Degraded[subject]; !known {
				s.Degraded[subject] = text
			}
			if cause == poller.CauseNoLogin && s.NoLogin == "" {
				s.NoLogin, s.NoLoginText = subject, text
			}
		}
		for _, list := range [][]poller.ScopeFailure{sum.ScopesFailed, sum.ScopesSkipped} {
			for _, f := range list {
				see(f.Scope, f.Error, f.Cause)
			}
		}
		for _, e := range sum.ProviderErrors {
			see(e.Provider, e.Error, e.Cause)
		}
	})
}

func (n *notices) configuration(file, fault string) {
	n.change(func(s *notify.State) { s.ConfigFile, s.ConfigError = file, fault })
}

func (n *notices) pace(p *github.Pace) {
	n.change(func(s *notify.State) {
		s.PacedHost, s.PacedText = "", ""
		if p != nil {
			s.PacedHost = p.Host
			s.PacedText = fmt.Sprintf("one cycle every %s until %s: the hourly quota would not last",
				timetext.Duration(p.Interval), timetext.UTC(p.ResetAt))
		}
	})
}

// notify sends the changes since the last call.
func (d *daemon) notify() {
	if !d.notices.notifier.Wanted() {
		return
	}
	n := &d.notices
	n.mu.Lock() // held to the end, so that callers compare in the order in which they looked
	defer n.mu.Unlock()
	n.state.GaveUp, n.state.GaveUpLast = d.poller.GivenUp()
	n.state.Lost, n.state.LostLast = d.poller.Lost()
	for _, notice := range n.watcher.Observe(time.Now(), n.after, n.state) {
		n.notifier.Send(notice)
	}
}

// close ends the notifier at once.
func (n *notices) close() {
	if n.notifier == nil {
		return // opening failed before there was one
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n.notifier.Close(ctx)
}

// endNotices sends the last notices, within the handlers' grace.
func (d *daemon) endNotices(patient context.Context) {
	ctx, cancel := context.WithTimeout(patient, handlerGrace)
	defer cancel()
	d.notices.notifier.Close(ctx)
}
