package gh

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"the-loop/internal/procgroup"
)

const (
	mebibyte  = 1 << 20
	stdoutCap = 64 * mebibyte
	stderrCap = 64 << 10
)

// The reasons to end a call before gh does.
var (
	errTimeout = errors.New("timeout")
	errFlood   = errors.New("too much output")
)

// ending is how one gh process ended.
type ending struct {
	stdout []byte
	stderr string
	code   int    // the exit status, -1 after a signal
	state  string // the end in words
	cache  string // the folder of what gh learned of its hosts
	// stopped is why gh was killed, startErr why it did not run at all, nil
	// when gh ended by itself.
	stopped, startErr error
}

// start is the only place that starts a process: it runs the gh at path with
// args and the cache folder until it and its process group have ended and returns
// how that went.
//
// The pipes are its own and not those of [exec.Cmd]: Wait then returns when gh
// itself has exited, and a child that gh left behind with the output in its
// hands is killed at once instead of being waited for.
func (c *Client) start(parent context.Context, path string, args []string, cache string) ending {
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	ctx, release := context.WithTimeoutCause(ctx, c.timeout, errTimeout)
	defer release()

	cmd := exec.CommandContext(ctx, path, args...) // its stdin is empty
	cmd.Env = environ(cmd.Environ(), cache)
	cmd.WaitDelay = c.drain
	procgroup.Set(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd.Process) }
	stdout, err := capture(&cmd.Stdout, c.most, func() { stop(errFlood) })
	if err != nil {
		return ending{state: "not started", startErr: err}
	}
	defer stdout.close()
	stderr, err := capture(&cmd.Stderr, stderrCap, func() {})
	if err != nil {
		return ending{state: "not started", startErr: err}
	}
	defer stderr.close()

	if err := cmd.Start(); err != nil {
		return ending{state: "not started", startErr: err, stopped: context.Cause(ctx)}
	}
	stdout.follow()
	stderr.follow()
	waitErr := cmd.Wait()
	stopped := context.Cause(ctx)
	if errors.Is(stopped, errTimeout) && cmd.ProcessState != nil && cmd.ProcessState.Success() {
		// gh was done before it could be killed: this program was stopped, or
		// the machine was busy, and the time ran out behind gh's back.
		stopped = nil
	}
	killErr := procgroup.Kill(cmd.Process)
	if killErr != nil {
		c.log.Warn("gh left processes behind that cannot be ended", "error", killErr)
	}
	if stopped == nil {
		drain(parent, c.drain, stdout, stderr)
	}
	return conclude(cmd, waitErr, stopped, stdout.close(), stderr.close())
}

// conclude says how the process of cmd ended, once its output is complete or given
// up.
func conclude(cmd *exec.Cmd, waitErr, stopped error, stdout, stderr *stream) ending {
	end := ending{stdout: stdout.text(), stderr: string(stderr.text()), stopped: stopped}
	if stdout.over {
		end.stopped = errFlood
	}
	if cmd.ProcessState == nil { // the system lost it, as when SIGCHLD is ignored
		end.startErr, end.state = waitErr, "unknown"
		return end
	}
	end.code, end.state = cmd.ProcessState.ExitCode(), cmd.ProcessState.String()
	return end
}

// judge separates answers from failures. ctx is the caller's, without the
// timeout.
func (c *Client) judge(ctx context.Context, args []string, end ending) error {
	switch {
	case errors.Is(end.stopped, errFlood):
		return newError(nil, "%s printed more than %d MiB", command(args, 1), c.most/mebibyte)
	case errors.Is(end.stopped, errTimeout):
		err := newError(nil, "%s timed out after %s", command(args, 1), c.timeout)
		err.Timeout = true
		return err
	case ctx.Err() != nil:
		return newError(ctx.Err(), "%s was interrupted: %v", command(args, 1), ctx.Err())
	case end.startErr != nil:
		return startError(end.startErr)
	case end.code < 0:
		return killedError(args, end.state, end.stderr)
	case end.code > 0:
		return ExitError(args, end.code, end.stderr)
	}
	if out := bytes.TrimSpace(end.stdout); len(out) > 0 && string(out) != "null" {
		return nil
	}
	return newError(nil, "%s printed nothing", command(args, 1))
}

func startError(err error) *Error {
	e := newError(err, "could not run gh: %s", cause(err))
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		e = newError(err, "could not run gh: %s: %s", pathErr.Path, cause(err))
	}
	for _, lasting := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOEXEC} {
		e.unrunnable = e.unrunnable || errors.Is(err, lasting)
	}
	return e
}

// drain waits until both streams have ended, but for no longer than delay and
// not beyond the end of ctx.
func drain(ctx context.Context, delay time.Duration, streams ...*stream) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for _, s := range streams {
		select {
		case <-s.done:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// stream reads one output of a process through a pipe.
type stream struct {
	read, write *os.File
	limit       int
	flooded     func()
	done        chan struct{} // closed when reading has ended; nil before it begins

	// Written by the reading goroutine until done is closed.
	held bytes.Buffer
	over bool
}

// capture makes the pipe of an output. It keeps limit bytes and reads on beyond
// them, so that the process never blocks. It calls flooded when there is more than
// limit.
func capture(output *io.Writer, limit int, flooded func()) (*stream, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	*output = w
	return &stream{read: r, write: w, limit: limit, flooded: flooded}, nil
}

// follow begins to read, after the process has got its own end of the pipe.
func (s *stream) follow() {
	s.write.Close()
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		// An error is the end of reading like any other: what came before it
		// counts, and JSON that was cut is found out later.
		s.held.ReadFrom(io.LimitReader(s.read, int64(s.limit)+1))
		if s.held.Len() > s.limit {
			s.over = true
			s.flooded()
			io.Copy(io.Discard, s.read)
		}
	}()
}

// close ends the reading, if it has begun and not ended, and the pipe. It can
// be called again.
func (s *stream) close() *stream {
	s.read.Close()
	s.write.Close()
	if s.done != nil {
		<-s.done
	}
	return s
}

// text returns the kept output; it is complete after close.
func (s *stream) text() []byte { return s.held.Bytes()[:min(s.held.Len(), s.limit)] }
