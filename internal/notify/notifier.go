package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/procgroup"
	"the-loop/internal/safetext"
)

const (
	// runTimeout bounds one run of the command, pipeDelay the wait for a process
	// that it left behind with its output open.
	runTimeout = 30 * time.Second
	pipeDelay  = time.Second
	// mostWaiting limits the waiting notices; a person would not read more.
	mostWaiting = 100
	// tries is the number of attempts for a notice.
	tries = 2
	// maxOutput limits the kept part of the command's output, in bytes.
	maxOutput = 4 << 10
)

// Options configure a [Notifier].
type Options struct {
	StateRoot string
	Env       []string // environment of the command, without the variables added here
	Log       *slog.Logger
	// Failed is called for each failed run, with its reason in one line.
	Failed func(n Notice, reason string, willRetry bool)
}

// Notifier runs the operator's command, one notice at a time. Close it.
type Notifier struct {
	o       Options
	ctx     context.Context
	cancel  context.CancelFunc
	waiting chan Notice
	closing chan struct{} // closed once no further notice can come
	ended   chan struct{}
	once    sync.Once

	mu      sync.Mutex
	handler argvtemplate.Template
}

// New returns a notifier without a command. It drops every notice until
// [Notifier.SetHandler] sets one.
func New(o Options) *Notifier {
	n := &Notifier{
		o: o, waiting: make(chan Notice, mostWaiting),
		closing: make(chan struct{}), ended: make(chan struct{}),
	}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	go n.work()
	return n
}

// SetHandler replaces the command. With an empty one, the notifier drops every notice.
func (n *Notifier) SetHandler(h argvtemplate.Template) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.handler = h
}

func (n *Notifier) command() argvtemplate.Template {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.handler
}

// Wanted reports whether a command is set.
func (n *Notifier) Wanted() bool { return len(n.command()) > 0 }

// Send queues a notice and never blocks. If too many wait, it drops and logs the
// notice.
func (n *Notifier) Send(notice Notice) {
	if !n.Wanted() {
		return
	}
	select {
	case n.waiting <- notice:
	default:
		n.o.Log.Warn("notice dropped: too many wait for the notify handler", "kind", string(notice.Kind), "subject", notice.Subject)
	}
}

// Close runs the command for the waiting notices. When ctx ends, it kills the command
// and drops the rest. No Send may follow. A second Close changes nothing.
func (n *Notifier) Close(ctx context.Context) {
	n.once.Do(func() { close(n.closing) })
	select {
	case <-n.ended:
	case <-ctx.Done():
	}
	n.cancel()
	<-n.ended
}

func (n *Notifier) work() {
	defer close(n.ended)
	for {
		select {
		case notice := <-n.waiting:
			n.deliver(notice)
		case <-n.ctx.Done():
			return
		case <-n.closing:
			n.finish()
			return
		}
	}
}

// finish delivers the waiting notices once no further one can come.
func (n *Notifier) finish() {
	for {
		select {
		case notice := <-n.waiting:
			n.deliver(notice)
		default:
			return
		}
	}
}

// deliver runs the command for a notice, and once more if it fails.
func (n *Notifier) deliver(notice Notice) {
	for try := 1; try <= tries && n.ctx.Err() == nil; try++ {
		err := n.run(notice)
		if err == nil || n.ctx.Err() != nil {
			return
		}
		n.o.Failed(notice, err.Error(), try < tries)
	}
}

func (n *Notifier) run(notice Notice) error {
	argv := n.command().Render(argvtemplate.Fields{Event: "notify", StateRoot: n.o.StateRoot})
	if len(argv) == 0 {
		return nil
	}
	input, err := json.Marshal(notice)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(n.ctx, runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(cmd.Env, n.o.Env...)
	cmd.Env = append(cmd.Env, "THE_LOOP_EVENT=notify", "THE_LOOP_STATE_ROOT="+n.o.StateRoot)
	cmd.Stdin = bytes.NewReader(append(input, '\n'))
	output := &tail{limit: maxOutput}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.WaitDelay = pipeDelay
	procgroup.Set(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd.Process) }
	err = cmd.Run()
	procgroup.Kill(cmd.Process) // its children must not outlive it
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("notify handler timed out after %s", runTimeout)
	}
	reason := "notify handler failed: " + err.Error()
	if line := output.lastLine(); line != "" {
		reason += ": " + line
	}
	return errors.New(safetext.Redact(safetext.Strip(reason, 300)))
}

// tail is a writer that keeps the end of its input.
type tail struct {
	limit int
	kept  []byte
}

// Write appends p and drops the start if there is too much.
func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append([]byte(nil), t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) lastLine() string {
	lines := bytes.Split(bytes.TrimSpace(t.kept), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}
