package command

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"the-loop/internal/outbox"
)

const (
	// logBacklog is how many bytes of the log wait for a reader that has stopped.
	logBacklog = 4 << 20
	// logPatience is for what it has not read when the process ends.
	logPatience = time.Second
)

// boxStderr puts an outbox before standard error: a full pipe or a terminal that
// was stopped must not hold up the daemon, nor the last line of its end. One
// whose reader has gone would end the process by SIGPIPE, unless it is taken.
func (a *app) boxStderr() {
	a.pipes = make(chan os.Signal, 1)
	signal.Notify(a.pipes, syscall.SIGPIPE)
	a.box = outbox.New(outbox.Options{Out: a.stderr, Limit: logBacklog, Report: a.lostLines})
	a.stderr = a.box
}

// lostLines is the line of the log about those that are missing before it.
func (a *app) lostLines(lost int, cause error) []byte {
	var line bytes.Buffer
	if log, err := a.globals().logger(&line); err == nil {
		log.Error("lines of the log were lost", "lines", lost, "error", cause)
	}
	return line.Bytes()
}

// logError says why lines of the log are lost, "" while none are.
func (a *app) logError() string {
	lost, cause := a.box.Trouble()
	switch {
	case lost == 0:
		return ""
	case lost == 1:
		return fmt.Sprintf("1 line is lost: %v", cause)
	}
	return fmt.Sprintf("%d lines are lost: %v", lost, cause)
}

// flush gives what waits for standard error a moment to be read.
func (a *app) flush() {
	if a.box != nil {
		a.box.Close(logPatience)
		signal.Stop(a.pipes)
	}
}
