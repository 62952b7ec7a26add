package daemon

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"the-loop/poller"
)

// progressPause is how long the first cycle runs before it logs how far it is, and
// the pause between two such lines.
const progressPause = 5 * time.Second

// step returns where a cycle reports how far it is: to the heartbeat and, in the
// first cycle, to the log. Later cycles have status.
func (d *daemon) step() poller.Step {
	if d.count.cycles > 0 {
		return d.beat.Step
	}
	progress := &progress{log: d.log, last: time.Now()}
	return func(done, total int, scope string) {
		d.beat.Step(done, total, scope)
		progress.step(done, total, scope)
	}
}

// progress logs how far a slow cycle is.
type progress struct {
	log *slog.Logger

	mu   sync.Mutex // guards last
	last time.Time  // of the last line, or of the start
}

func (p *progress) step(done, total int, scope string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done >= total || time.Since(p.last) < progressPause {
		return
	}
	p.last = time.Now()
	p.log.Info(fmt.Sprintf("first cycle: %d of %d repositories", done, total), "scope", scope)
}
