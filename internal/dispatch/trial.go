package dispatch

import (
	"context"
	"log/slog"
	"os"
	"time"
)

// Trial runs single deliveries exactly as a [Dispatcher] does, but without queues or
// records. It lets a person try a handler.
type Trial struct{ runner *runner }

// NewTrial returns a Trial that keeps logs and events below stateRoot, a folder that
// no daemon may use. Handlers inherit the environment of this process.
func NewTrial(stateRoot string) *Trial {
	return &Trial{&runner{
		stateRoot: stateRoot, env: os.Environ(), logs: &logs{stateRoot: stateRoot, limit: logLimit},
		logger: slog.New(slog.DiscardHandler), now: time.Now, killAfter: 2 * time.Second,
		testOnlyAfter: time.After,
	}}
}

// Run returns when the handler has ended. The timeout kills its process group; when
// ctx ends, the group gets TERM at once and, 2 s later, KILL.
func (t *Trial) Run(ctx context.Context, d Delivery, timeout time.Duration) Result {
	return t.runner.run(d, timeout, ending{stop: ctx.Done()})
}
