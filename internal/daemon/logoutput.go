package daemon

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"the-loop/internal/outbox"
)

const (
	// logBacklog is the most bytes of the log that wait for a stalled reader.
	logBacklog = 4 << 20
	// logPatience is how long the end of the process waits for that reader.
	logPatience = time.Second
)

// LogOutput writes a log that may never delay the daemon: neither a full pipe nor
// a stopped terminal blocks a Write. It takes SIGPIPE, which would otherwise end
// the process when the reader of standard error goes away.
type LogOutput struct {
	*outbox.Outbox
	pipes chan os.Signal
}

// NewLogOutput puts an outbox before out. newLogger words the line that reports
// lost lines. End it with [LogOutput.Flush].
func NewLogOutput(out io.Writer, newLogger func(io.Writer) (*slog.Logger, error)) *LogOutput {
	o := &LogOutput{pipes: make(chan os.Signal, 1)}
	signal.Notify(o.pipes, syscall.SIGPIPE)
	o.Outbox = outbox.New(outbox.Options{Out: out, Limit: logBacklog, Report: func(lost int, cause error) []byte {
		var line bytes.Buffer
		if log, err := newLogger(&line); err == nil {
			log.Error("lines of the log were lost", "lines", lost, "error", cause)
		}
		return line.Bytes()
	}})
	return o
}

// LogError returns why the log loses lines, "" while it loses none.
func (o *LogOutput) LogError() string {
	lost, cause := o.Trouble()
	switch {
	case lost == 0:
		return ""
	case lost == 1:
		return fmt.Sprintf("1 line is lost: %v", cause)
	}
	return fmt.Sprintf("%d lines are lost: %v", lost, cause)
}

// Flush gives the reader a moment to take the waiting lines.
func (o *LogOutput) Flush() {
	o.Close(logPatience)
	signal.Stop(o.pipes)
}
