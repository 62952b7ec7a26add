package heartbeat

import (
	"log/slog"
	"reflect"
	"sync"
	"time"

	"the-loop/internal/ownfile"
	"the-loop/poller"
)

// progressEvery is how often a running cycle may write, and how long it must
// have run to be worth it.
const progressEvery = 2 * time.Second

// Options are what a Recorder needs.
type Options struct {
	Path     string
	Interval time.Duration // as configured
	// Logger hears of writes that fail; nil keeps them quiet.
	Logger *slog.Logger
	// Standing gathers what waits for a person, at the end of each cycle and
	// whenever [Recorder.Refresh] is called; nil means nothing.
	Standing func() poller.Standing
	// Now stamps the heartbeat; nil means time.Now.
	Now func() time.Time
}

// Recorder owns the heartbeat of a running poller: it is told what happens and
// keeps the file up to date. Its methods may be called by several goroutines.
// A write that fails is warned of unless the one before failed in the same way,
// and otherwise ignored.
type Recorder struct {
	path     string
	logger   *slog.Logger
	now      func() time.Time
	standing func() poller.Standing

	gathering sync.Mutex // held from gathering what stands to noting it

	cycles sync.Mutex // held by whoever starts or ends a cycle
	ending chan<- struct{}
	ended  <-chan struct{} // nil when no cycle runs

	mu       sync.Mutex // guards the rest, never held while writing
	file     File       // what to write, but for progress
	progress Progress   // of the running cycle
	running  bool
	shown    bool // the cycle is long enough to show progress
	changed  bool // progress has moved since it was last written
	started  bool
	moved    time.Time
	history  history

	writing sync.Mutex // held during a write, so that the newest state is written last
	warned  string     // why the last write failed, "" when it did not
}

// New returns a Recorder for the file at o.Path. It writes nothing yet.
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
	r.file = File{Interval: o.Interval, Version: Version}
	return r
}

// Start writes the heartbeat of a poller that has run no cycle. An error means
// that the state root cannot be written.
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

// CycleStarted begins a cycle over total scopes, 0 when not known. A cycle
// that lasts is shown as progress until CycleDone.
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

// Step tells how far the running cycle has come, as a poller.Step does. Each
// call counts as movement.
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

// CycleDone ends the cycle and writes what it did.
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

// Refresh notes what waits for a person by now. A change is written at once.
func (r *Recorder) Refresh() { r.saveIf(r.gather()) }

// gather notes what waits for a person and reports whether that is news. The
// gathering is part of it, so that of two callers the later one has the last word.
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

// SetConfigError notes why a changed configuration is not in force; "" says
// that it is. A change is written at once.
func (r *Recorder) SetConfigError(text string) {
	r.saveIf(r.update(func() bool {
		changed := r.file.ConfigError != text
		r.file.ConfigError = text
		return changed && r.started
	}))
}

// SetLogError notes why lines of the log are lost; "" says that none are. The
// next write has it: it changes with every line.
func (r *Recorder) SetLogError(text string) {
	r.update(func() bool {
		r.file.LogError = text
		return false
	})
}

// SetPace notes that cycles are spread out; nil says that they are not. A
// change is written at once.
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

// SetInterval notes another configured wait between cycles. A change is
// written at once.
func (r *Recorder) SetInterval(d time.Duration) {
	r.saveIf(r.update(func() bool {
		changed := r.file.Interval != d
		r.file.Interval = d
		return changed && r.started
	}))
}

// LastMovement is when a cycle last began, moved on or ended; before the first
// cycle, when the recorder was started, and zero before that. A poller that
// waits for its next cycle does not move.
func (r *Recorder) LastMovement() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.moved
}

// Close ends a cycle that nobody ended, without writing: the file keeps what
// the last write said. A recorder whose cycles have all ended needs none.
func (r *Recorder) Close() {
	r.cycles.Lock()
	defer r.cycles.Unlock()
	r.endProgress()
}

// update changes the state under its lock and hands on what change returned.
func (r *Recorder) update(change func() bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return change()
}

// endProgress stops the goroutine of the running cycle, if there is one, and
// waits for it.
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

// showProgress writes, every two seconds, what has changed since.
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

// save writes the file and keeps a failure to itself, but for one warning.
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

// snapshot is what to write now.
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
