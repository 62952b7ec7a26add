package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"the-loop/internal/outbox"
	"the-loop/poller"
)

// service talks to the service manager that started this process, over the
// socket that NOTIFY_SOCKET names. Without a service manager every call does
// nothing. No call waits for a service manager that does not read. The messages
// are those of sd_notify(3).
type service struct {
	log    *slog.Logger
	box    *outbox.Outbox
	failed sync.Once // warns of lost messages
}

const (
	// serviceBacklog is how many bytes wait for a service manager that does not
	// read. The oldest messages are dropped: only the latest still matter.
	serviceBacklog = 4 << 10
	// servicePatience is how long the end of the process waits for the manager to read.
	servicePatience = time.Second
)

// newService starts a goroutine. End it with close.
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

// warn logs once that messages did not arrive.
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

// reloading reports that a reload has begun; ready reports its end.
func (s *service) reloading() {
	s.notify(sd.SdNotifyReloading + "\n" + sd.SdNotifyMonotonicUsec())
}

// status sends the last cycle and its degraded scopes, which the service manager
// shows as the state of the service.
func (s *service) status(sum poller.Summary) {
	line := sum.Line()
	if names := sum.DegradedScopes(); len(names) > 0 {
		line += ": " + strings.Join(names, ", ")
	}
	s.notify("STATUS=" + line)
}

// watch keeps the service manager's watchdog quiet while moves returns true. Call
// stop to end it.
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
