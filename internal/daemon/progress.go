package daemon

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"the-loop/poller"
)

const (
	// progressFirst is how long the first cycle runs before it logs how far it is:
	// a person who looks on begins to wonder by then.
	progressFirst = 2 * time.Second
	// progressPause is the pause between two such lines.
	progressPause = 5 * time.Second
)

// step returns where a cycle reports how far it is: to the heartbeat and, in the
// first cycle, to the log. Later cycles have status.
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

// progress logs how far a slow cycle is.
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
