package heartbeat

import (
	"log/slog"
	"maps"
	"reflect"
	"sync"
	"time"

	"the-loop/internal/ownfile"
	"the-loop/poller"
)

// progressEvery is the shortest time between two writes of a running cycle, and how
// long a cycle must run before its first.
const progressEvery = 2 * time.Second

// Options configure a [Recorder].
type Options struct {
	Path     string
	Interval time.Duration // the configured wait between cycles
	// Program is the version of the program that runs; "" leaves it out.
	Program string
	// Logger gets a warning when writes begin to fail; nil discards it.
	Logger *slog.Logger
	// Standing returns everything that waits for a person. It is called at the end of
	// each cycle and by [Recorder.Refresh]; nil means that nothing waits.
	Standing func() poller.Standing
	// Now returns the time to stamp the heartbeat with; nil means time.Now.
	Now func() time.Time
}

// Recorder keeps the heartbeat of a running poller up to date. Its methods are safe
// for concurrent use. A failed write stops nothing: the Recorder logs one warning for
// each new cause.
type Recorder struct {
	path     string
	logger   *slog.Logger
	now      func() time.Time
	standing func() poller.Standing

	gathering sync.Mutex // held from the call of standing until its result is stored

	cycles sync.Mutex // held while a cycle starts or ends
	ending chan<- struct{}
	ended  <-chan struct{} // nil when no cycle runs

	mu       sync.Mutex // guards the fields below; never held during a write
	file     File       // the next content, without progress
	progress Progress   // of the running cycle
	running  bool
	shown    bool // whether the cycle is long enough to show progress
	changed  bool // whether progress has moved since the last write
	started  bool
	moved    time.Time
	history  history

	writing sync.Mutex // held during a write, so the newest state is written last
	warned  string     // why the last write failed, "" if it did not
}

// New returns a Recorder for the file at o.Path. It writes nothing.
func New(o Options) *Recorder {
	r := &Recorder{path: o.Path, logger: o.Logger, now: o.Now, standing: o.Standing}
	if r.logger == nil {
		r.logger = slog.New(slog.DiscardHandler)
	}
	if r.now == nil {
		r.now = time.Now
	}
	if r.standing == nil {
		r.standing = func() poller.Standing { return poller.Standing{} }
	}
	r.file = File{Interval: o.Interval, Version: Version, Program: o.Program}
	return r
}

// Start writes the heartbeat of a poller that has run no cycle yet. An error means
// that the state root is not writable.
func (r *Recorder) Start() error {
	sweep(r.path)
	now := r.now()
	r.update(func() bool {
		r.file.StartedAt = now
		r.moved = now
		r.started = true
		return true
	})
	r.writing.Lock()
	defer r.writing.Unlock()
	return Write(r.path, r.snapshot())
}

// CycleStarted begins a cycle over total scopes, 0 when unknown. A long cycle shows
// its progress until CycleDone.
func (r *Recorder) CycleStarted(total int) {
	r.cycles.Lock()
	defer r.cycles.Unlock()
	r.endProgress()
	now := r.now()
	r.update(func() bool {
		r.progress = Progress{StartedAt: now, UpdatedAt: now, Total: total}
		r.running, r.shown, r.changed = true, false, true
		r.moved = now
		return true
	})
	ending, ended := make(chan struct{}), make(chan struct{})
	r.ending, r.ended = ending, ended
	go func() {
		defer close(ended)
		r.showProgress(ending)
	}()
}

// Step records the progress of the running cycle, as a poller.Step does. Each call
// counts as movement.
func (r *Recorder) Step(done, total int, scope string) {
	now := r.now()
	r.update(func() bool {
		if !r.running {
			return false
		}
		r.progress.UpdatedAt = now
		r.progress.Done, r.progress.Total, r.progress.Scope = done, total, scope
		r.changed = true
		r.moved = now
		return true
	})
}

// CycleDone ends the cycle and writes its result.
func (r *Recorder) CycleDone(s poller.Summary) {
	r.cycles.Lock()
	defer r.cycles.Unlock()
	r.endProgress()
	now := r.now()
	r.gather()
	r.update(func() bool {
		r.file.LastCycleAt = now
		r.file.LastCycle = s
		r.file.Cycle++
		r.file.Scopes = r.history.record(s, now)
		r.moved = now
		return true
	})
	r.save()
}

// Refresh calls Options.Standing again and writes a change at once.
func (r *Recorder) Refresh() { r.saveIf(r.gather()) }

// gather stores the result of standing and reports whether it changed. One lock covers
// the call and the store, so that the later of two callers wins.
func (r *Recorder) gather() bool {
	r.gathering.Lock()
	defer r.gathering.Unlock()
	s := r.standing()
	return r.update(func() bool {
		changed := !reflect.DeepEqual(s, r.file.Standing)
		r.file.Standing = s
		return changed && r.started
	})
}

// SetConfigError records why a changed configuration is not in force, "" when it is.
// A change is written at once.
func (r *Recorder) SetConfigError(text string) {
	r.saveIf(r.update(func() bool {
		changed := r.file.ConfigError != text
		r.file.ConfigError = text
		return changed && r.started
	}))
}

// SetLogError records why log lines are being lost, "" when none are. The next write
// shows it; an immediate one would follow every lost line.
func (r *Recorder) SetLogError(text string) {
	r.update(func() bool {
		r.file.LogError = text
		return false
	})
}

// SetPace records the longer wait between cycles, nil for the configured one. A change
// is written at once.
func (r *Recorder) SetPace(p *Pace) {
	r.saveIf(r.update(func() bool {
		changed := (p == nil) != (r.file.Pace == nil) || p != nil && *p != *r.file.Pace
		r.file.Pace = nil
		if p != nil {
			kept := *p
			r.file.Pace = &kept
		}
		return changed && r.started
	}))
}

// SetInterval records a new configured wait between cycles. A change is written at
// once.
func (r *Recorder) SetInterval(d time.Duration) {
	r.saveIf(r.update(func() bool {
		changed := r.file.Interval != d
		r.file.Interval = d
		return changed && r.started
	}))
}

// SetQuotas records how much of each host's quota is left. The next write shows it.
func (r *Recorder) SetQuotas(quotas map[string]Quota) {
	r.update(func() bool {
		if reflect.DeepEqual(quotas, r.file.Quotas) {
			return false
		}
		r.file.Quotas = maps.Clone(quotas)
		return true
	})
}

// LastMovement returns when a cycle last began, advanced or ended. Before the first
// cycle it returns the time of Start, and zero before that. Waiting for the next cycle
// is no movement.
func (r *Recorder) LastMovement() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.moved
}

// update runs change under the lock and returns its result.
func (r *Recorder) update(change func() bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return change()
}

// endProgress stops the goroutine of a running cycle and waits for it.
func (r *Recorder) endProgress() {
	if r.ended != nil {
		close(r.ending)
		<-r.ended
		r.ending, r.ended = nil, nil
	}
	r.update(func() bool {
		r.running, r.shown, r.changed = false, false, false
		return true
	})
}

// showProgress writes the progress whenever it has moved, at most every two seconds.
func (r *Recorder) showProgress(ending <-chan struct{}) {
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ending:
			return
		case <-ticker.C:
		}
		r.saveIf(r.update(func() bool {
			r.shown = true
			return r.changed
		}))
	}
}

func (r *Recorder) saveIf(needed bool) {
	if needed {
		r.save()
	}
}

// save writes the file. It logs each new cause of a failure once, and the recovery.
func (r *Recorder) save() {
	r.writing.Lock()
	defer r.writing.Unlock()
	err := Write(r.path, r.snapshot())
	cause := ownfile.Cause(err)
	switch {
	case err != nil && r.warned != cause:
		r.logger.Warn("the heartbeat cannot be written; status shows an old one until it can", "error", err)
	case err == nil && r.warned != "":
		r.logger.Info("the heartbeat can be written again")
	}
	r.warned = cause
}

// snapshot returns the content to write now.
func (r *Recorder) snapshot() File {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.file
	if r.running && r.shown {
		progress := r.progress
		f.Progress = &progress
		r.changed = false
	}
	return f
}
