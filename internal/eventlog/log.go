package eventlog

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"the-loop/internal/ownfile"
)

// defaultMaxSizeMB is the size at which a log is rotated by default.
const defaultMaxSizeMB = 20

// Options configure a log.
type Options struct {
	// Path is the file; "" disables the log.
	Path string
	// MaxSizeMB is the size in MiB at which the file is rotated; 0 means 20.
	MaxSizeMB int
	// MaxBackups is the number of rotated files to keep; 0 keeps all.
	MaxBackups int
	// Logger gets a warning when writes begin to fail; nil discards it.
	Logger *slog.Logger
	// Now returns the time of an event; nil means time.Now.
	Now func() time.Time
}

// Log is an event log. A nil Log drops every event. Its methods are safe for
// concurrent use.
type Log struct {
	logger *slog.Logger
	now    func() time.Time
	pid    int

	mu     sync.Mutex
	out    io.WriteCloser // nil when disabled or closed
	warned string         // why the last write failed, "" if it did not
}

// Open prepares the log. It creates a missing file (mode 0600) and folder (mode 0700)
// and ends a line that a crash left half written. A failure is logged like that of a
// write: the daemon runs without an event log.
func Open(o Options) *Log {
	if o.Path == "" {
		return nil
	}
	if o.MaxSizeMB <= 0 {
		o.MaxSizeMB = defaultMaxSizeMB
	}
	f := newFile(o.Path, o.MaxSizeMB, o.MaxBackups)
	l := New(f, o.Logger, o.Now)
	l.report(f.prepare(0))
	return l
}

// New returns a log that writes each line to out with one call of Write, and closes
// out at the end. logger and now may be nil, as in [Options].
func New(out io.WriteCloser, logger *slog.Logger, now func() time.Time) *Log {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	return &Log{logger: logger, now: now, pid: os.Getpid(), out: out}
}

// Write appends an event. It never fails the caller: it logs each new cause of a
// failure once.
func (l *Log) Write(e Event) {
	if l == nil || e.name == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return
	}
	line, err := e.line(l.now(), l.pid)
	if err == nil {
		_, err = l.out.Write(line)
	}
	l.report(err)
}

// report logs a failure unless the one before was the same.
func (l *Log) report(err error) {
	cause := ownfile.Cause(err)
	switch {
	case err != nil && l.warned != cause:
		l.logger.Warn("the event log cannot be written; events are lost until it can", "error", err)
	case err == nil && l.warned != "":
		l.logger.Info("the event log can be written again")
	}
	l.warned = cause
}

// Close ends the log. It drops later events.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return nil
	}
	err := l.out.Close()
	l.out = nil
	return err
}
