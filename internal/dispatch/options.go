package dispatch

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Options configure a [Dispatcher].
type Options struct {
	// StateRoot holds the logs, in logs/. Handlers get its path, too.
	StateRoot string
	// MaxConcurrent is the number of handlers that may run at once; the default is 4.
	MaxConcurrent int
	// Timeout bounds one run of a handler; the default is 30 minutes.
	Timeout time.Duration
	// Grace is the time from Stop to TERM, KillAfter the time from TERM to KILL; the
	// defaults are 10 and 2 seconds.
	Grace, KillAfter time.Duration
	// AskTimeout bounds one run of an alive handler; the default is 10 seconds.
	AskTimeout time.Duration
	// Env is the environment that handlers inherit; nil means the daemon's own.
	Env []string
	// Logger gets warnings that belong to no result; nil discards them.
	Logger *slog.Logger
	// Repositories is the number of repositories that can have sessions. With more
	// than one, a repository never takes the last free slot while it holds another.
	Repositories int
	// Prepare decides, right before a handler starts, whether it should. It runs on a
	// goroutine of the dispatcher and may change the delivery's Attempt and Handler.
	// Nil means Go; a panic counts as Later.
	Prepare func(*Delivery) Readiness
	// Done gets the result of every run and of every dropped delivery, in order and
	// one at a time for each session, on a goroutine of the dispatcher. When it
	// returns true, the delivery stays first in its session and is held until Resume.
	// The session's next delivery starts only after Done returns. Done may call
	// Submit. A panic in it is logged and has no other effect.
	Done func(Result) (again bool)
	// Queued gets every accepted or resumed delivery before it can start. It must not
	// call the dispatcher. A panic is handled as in Done.
	Queued func(Delivery)
	// Now stamps results and log lines; nil means time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.MaxConcurrent <= 0 {
		o.MaxConcurrent = 4
	}
	o.Timeout = positiveOr(o.Timeout, 30*time.Minute)
	o.Grace = positiveOr(o.Grace, 10*time.Second)
	o.KillAfter = positiveOr(o.KillAfter, 2*time.Second)
	o.AskTimeout = positiveOr(o.AskTimeout, askTimeout)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Done == nil {
		o.Done = func(Result) bool { return false }
	}
	if o.Prepare == nil {
		o.Prepare = func(*Delivery) Readiness { return Go }
	}
	if o.Queued == nil {
		o.Queued = func(Delivery) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if abs, err := filepath.Abs(o.StateRoot); err == nil {
		o.StateRoot = abs
	}
	return o
}

func positiveOr(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}
