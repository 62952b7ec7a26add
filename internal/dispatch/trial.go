package dispatch

import (
	"context"
	"log/slog"
	"os"
	"time"
)

// Trial runs single deliveries exactly as a [Dispatcher] does, without queues and
// without records, for a person who tries a handler.
type Trial struct{ runner *runner }

// NewTrial returns a Trial whose logs and events are files below stateRoot, which
// must be a folder that no daemon uses. Handlers inherit this process's environment.
func NewTrial(stateRoot string) *Trial {
	return &Trial{&runner{
		stateRoot: stateRoot, env: os.Environ(), logs: &logs{stateRoot: stateRoot, limit: logLimit},
		logger: slog.New(slog.DiscardHandler), now: time.Now, killAfter: 2 * time.Second,
		testOnlyAfter: time.After,
	}}
}

// Run returns when the handler has ended. At the timeout its process group is killed;
// when ctx ends, the group gets TERM at once and, 2 s later, KILL.
func (t *Trial) Run(ctx context.Context, d Delivery, timeout time.Duration) Result {
	return t.runner.run(d, timeout, ending{stop: ctx.Done()})
}
