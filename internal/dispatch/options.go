package dispatch

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Options are what a [Dispatcher] is told by its caller.
type Options struct {
	// StateRoot is where logs go, below logs/, and what handlers are told.
	StateRoot string
	// MaxConcurrent is how many handlers run at once; 4 when it is not positive.
	MaxConcurrent int
	// Timeout is for one handler run; 30 minutes when it is not positive.
	Timeout time.Duration
	// Grace is the time from Stop to TERM, KillAfter from TERM to KILL; 10 and
	// 2 seconds when they are not positive.
	Grace, KillAfter time.Duration
	// AskTimeout bounds one run of an alive handler; 10 seconds when it is not
	// positive.
	AskTimeout time.Duration
	// Env is the environment that handlers inherit; nil is the daemon's own.
	Env []string
	// Logger gets what is worth a warning and is nobody's result; nil is silence.
	Logger *slog.Logger
	// Repositories is how many repositories can have sessions. One of several
	// repositories never takes the last slot while it has another one.
	Repositories int
	// Prepare is asked right before a handler is run, from a goroutine of the
	// dispatcher, and may change the delivery's Attempt and Handler. Nil is Go. A
	// panic in it is Later.
	Prepare func(*Delivery) Readiness
	// Done gets the result of every run and of every delivery that is dropped,
	// from a goroutine of the dispatcher, one at a time for a session and in
	// order. It reports whether the delivery has still to be made: then it stays
	// the first of its session and is held until Resume. Until Done returns the
	// next one of the session does not start. Done may call Submit. A panic in it
	// is logged and costs nothing else.
	Done func(Result) (again bool)
	// Queued gets every accepted or resumed delivery before it can start. It must
	// not call the dispatcher. Nil is silence. A panic is as in Done.
	Queued func(Delivery)
	// Now stamps results and log lines; nil is time.Now.
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
