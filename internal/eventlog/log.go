package eventlog

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"the-loop/internal/ownfile"
)

// defaultMaxSizeMB is where a log is rotated when nothing else was asked for.
const defaultMaxSizeMB = 20

// Options say where a log goes and how much of it is kept.
type Options struct {
	// Path is the file; "" makes a log that writes nothing.
	Path string
	// MaxSizeMB is the size in MiB at which the file is rotated; 0 means 20.
	MaxSizeMB int
	// MaxBackups is how many rotated files are kept; 0 keeps them all.
	MaxBackups int
	// Logger hears of writes that fail; nil keeps them quiet.
	Logger *slog.Logger
	// Now stamps the events; nil means time.Now.
	Now func() time.Time
}

// Log is an event log. A nil Log is a disabled one. Its methods may be called
// by several goroutines.
type Log struct {
	logger *slog.Logger
	now    func() time.Time
	pid    int

	mu     sync.Mutex
	out    io.WriteCloser // nil when disabled or closed
	warned string         // why the last write failed, "" when it did not
}

// Open makes the log ready and creates its file (0600) and folder (0700) where
// they are missing. A line that a crash has left half-written is ended. What
// goes wrong here is warned of like a failing write: an event log that cannot
// be written is no reason not to run.
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

// New is a log that writes its lines to out, each with one call of Write, and
// closes it at its end. logger and now may be nil, as in [Options].
func New(out io.WriteCloser, logger *slog.Logger, now func() time.Time) *Log {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	return &Log{logger: logger, now: now, pid: os.Getpid(), out: out}
}

// Write appends an event. It never fails the caller: a failure is warned of
// unless the write before failed in the same way.
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

// report warns of a failure unless the one before was the same.
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

// Close ends the log; later events are dropped.
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
