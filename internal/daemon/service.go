package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"the-loop/internal/config"
	"the-loop/internal/outbox"
	"the-loop/poller"
)

// service is the service manager that started this process, if one did: it
// listens on the socket that NOTIFY_SOCKET names. Without one every call does
// nothing, and with one that does not read no call waits for it. See
// sd_notify(3) for the messages.
type service struct {
	log    *slog.Logger
	box    *outbox.Outbox
	failed sync.Once // the warning
}

const (
	// serviceBacklog is how many bytes wait for a service manager that does not
	// read: the latest messages, which are the ones that still matter.
	serviceBacklog = 4 << 10
	// servicePatience is for what it has not read at the end.
	servicePatience = time.Second
)

// newService must be ended with close.
func newService(log *slog.Logger) *service {
	return &service{log: log, box: outbox.New(outbox.Options{Out: notifySocket{}, Limit: serviceBacklog, DropOldest: true})}
}

// notifySocket sends each Write as one message; it may block.
type notifySocket struct{}

func (notifySocket) Write(state []byte) (int, error) {
	_, err := sd.SdNotify(false, string(state))
	return len(state), err
}

func (s *service) notify(state string) {
	fmt.Fprint(s.box, state)
	s.warn()
}

// warn tells once of messages that did not arrive.
func (s *service) warn() {
	if lost, err := s.box.Trouble(); lost > 0 {
		s.failed.Do(func() { s.log.Warn("service manager could not be notified", "messages", lost, "error", err) })
	}
}

func (s *service) close() {
	s.box.Close(servicePatience)
	s.warn()
}

func (s *service) ready()    { s.notify(sd.SdNotifyReady) }
func (s *service) stopping() { s.notify(sd.SdNotifyStopping) }

// reloading says that a reload has begun; ready ends it.
func (s *service) reloading() {
	s.notify(sd.SdNotifyReloading + "\n" + sd.SdNotifyMonotonicUsec())
}

// status shows the last cycle, and what it could not see, where the service
// manager shows the state of its services.
func (s *service) status(sum poller.Summary) {
	line := sum.Line()
	if names := sum.DegradedScopes(); len(names) > 0 {
		line += ": " + strings.Join(names, ", ")
	}
	s.notify("STATUS=" + line)
}

// watch keeps the service manager's watchdog quiet for as long as moves says
// that the daemon moves. It returns the function that ends it.
func (s *service) watch(ctx context.Context, moves func(now time.Time) bool) (stop func()) {
	limit, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("watchdog of the service manager is ignored", "error", err)
	}
	if err != nil || limit <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(limit / 2)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				if moves(now) {
					s.notify(sd.SdNotifyWatchdog)
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); wg.Wait() }
}

// moves reports whether the daemon does what it should: it waits for its next
// cycle, or its cycle moves on.
func (d *daemon) moves(now time.Time) bool {
	return now.Sub(d.beat.LastMovement()) <= time.Duration(d.patience.Load())
}

// patienceFor is how long nothing may move before the daemon counts as stuck:
// what status calls stale, and the calls of gh that one repository or item may
// take, each up to its timeout, before that shows.
func patienceFor(cfg *config.Config, interval time.Duration) time.Duration {
	const calls = 5
	var timeout time.Duration
	for _, s := range cfg.Polling.Sources {
		timeout = max(timeout, s.Timeout)
	}
	return 3*interval + time.Minute + calls*timeout
}
