package daemon

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"the-loop/poller"
)

const (
	// progressFirst is how long the first cycle runs before it logs its progress: about
	// when a person at the terminal begins to wonder.
	progressFirst = 2 * time.Second
	// progressPause is the pause between two such lines.
	progressPause = 5 * time.Second
)

// step returns the function to which a cycle reports its progress: it updates the
// heartbeat and, in the first cycle, the log. For later cycles there is status.
func (d *daemon) step() poller.Step {
	if d.count.cycles > 0 {
		return d.beat.Step
	}
	progress := newProgress(d.log)
	return func(done, total int, scope string) {
		d.beat.Step(done, total, scope)
		progress.step(done, total, scope)
	}
}

// progress logs the progress of a slow cycle.
type progress struct {
	log *slog.Logger

	mu   sync.Mutex // guards next
	next time.Time  // when the next line is due
}

func newProgress(log *slog.Logger) *progress {
	return &progress{log: log, next: time.Now().Add(progressFirst)}
}

func (p *progress) step(done, total int, scope string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if done >= total || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressPause)
	p.log.Info(fmt.Sprintf("first cycle: %d of %d repositories", done, total), "scope", scope)
}
