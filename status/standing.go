package status

import (
	"fmt"
	"strings"
	"time"

	"the-loop/internal/counted"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// namedItems is how many items of a kind get a line of their own.
const namedItems = 5

// standing adds the lines that stay until their cause is over, whatever the last cycle
// did. If no poller runs, they are in the past tense.
func (l *lines) standing(r Report) {
	s := r.Heartbeat.Standing
	l.failing(r, s.Failing)
	if n := s.GaveUp.Count; n > 0 {
		first := item(s.GaveUp.First)
		if n > 1 {
			first += " first"
		}
		l.add("gave up", fmt.Sprintf("%s, %s: see 'the-loop sessions list'", counted.Of(n, "delivery", "deliveries"), first))
	}
	if n := s.Held.Count; n > 0 {
		l.add("held", fmt.Sprintf("%s asked for the next cycle for %s", counted.Of(n, "delivery", "deliveries"), r.lasted(s.Held.Since)))
	}
	if text := r.workload(); text != "" {
		l.add("deliveries", text)
	}
	if s.Queue.Waiting > 0 {
		l.add("queue", r.queue())
	}
	l.commanded("paused", s.Paused, "session", "resume")
	l.commanded("stopped", s.Stopped, "item", "restart")
	l.gone(r, s.Gone)
	l.lost(r, s.Lost)
	if n := s.Unwritten; n > 0 {
		l.add("records", fmt.Sprintf("%d could not be written: %s", n, shown(s.UnwrittenError)))
	}
	if n := s.NoHandler.Count; n > 0 {
		l.add("no handler", fmt.Sprintf("%s %s for routing.handlers.spawn", counted.Of(n, "item", "items"), r.verb(n, "wait", "waited")))
	}
}

// commanded names what a person has paused or stopped, and the command that continues
// it.
func (l *lines) commanded(key string, w poller.Waiting, what, command string) {
	switch {
	case w.Count == 1:
		l.add(key, fmt.Sprintf("1 %s: 'the-loop sessions %s %s'", what, command, item(w.First)))
	case w.Count > 1:
		l.add(key, fmt.Sprintf("%d %ss, %s first: 'the-loop sessions %s REF'; 'the-loop sessions list --state %s' has all",
			w.Count, what, item(w.First), command, key))
	}
}

// lost says how many sessions are gone and start again.
func (l *lines) lost(r Report, w poller.Waiting) {
	if w.Count == 0 {
		return
	}
	first, outlook := item(w.First), "starts again next cycle"
	switch {
	case w.Count > 1 && r.past():
		first, outlook = first+" first", "were to start again"
	case w.Count > 1:
		first, outlook = first+" first", "start again next cycle"
	case r.past():
		outlook = "was to start again"
	}
	l.add("lost", fmt.Sprintf("%s, %s: %s", counted.Of(w.Count, "session", "sessions"), first, outlook))
}

// failing names the items that could not be processed.
func (l *lines) failing(r Report, items []poller.ItemError) {
	outlook := ", retried next cycle"
	if r.past() {
		outlook = ""
	}
	for _, e := range items[:min(len(items), namedItems)] {
		l.add("item", fmt.Sprintf("%s — could not be processed for %s%s: %s", item(e.Ref), r.lasted(e.Since), outlook, Brief(e.Error)))
	}
	if n := len(items) - namedItems; n > 0 {
		l.add("item", fmt.Sprintf("%d more: see 'the-loop status --format json'", n))
	}
}

// gone names the sessions whose items were deleted or moved.
func (l *lines) gone(r Report, items []poller.GoneItem) {
	kept := "is kept"
	if r.past() {
		kept = "was kept"
	}
	for _, g := range items[:min(len(items), namedItems)] {
		l.add("gone", fmt.Sprintf("%s — %s, its session %s", item(g.Ref), shown(g.Note), kept))
	}
	if n := len(items) - namedItems; n > 0 {
		l.add("gone", fmt.Sprintf("%d more: see 'the-loop sessions list'", n))
	}
}

// workload says what runs and what waits, once the oldest has taken longer than an
// interval: shorter handlers are no news.
func (r Report) workload() string {
	w := r.Heartbeat.Standing.Workload
	if w.Running+w.Waiting == 0 || w.OldestAt.IsZero() || r.moment().Sub(w.OldestAt) < r.Heartbeat.Interval {
		return ""
	}
	var parts []string
	if w.Running > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", w.Running, r.verb(w.Running, "run", "ran")))
	}
	if w.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", w.Waiting, r.verb(w.Waiting, "wait", "waited")))
	}
	if w.Running+w.Waiting > 1 {
		parts = append(parts, "the oldest")
	}
	return fmt.Sprintf("%s for %s", strings.Join(parts, ", "), r.lasted(w.OldestAt))
}

// queue says how many items wait for room and how many sessions take it.
func (r Report) queue() string {
	q := r.Heartbeat.Standing.Queue
	live := fmt.Sprint(q.Live)
	if q.Limit > 0 {
		live += fmt.Sprintf(" of %d", q.Limit)
	}
	live += " sessions"
	if q.Source != "" {
		live += " of " + shown(q.Source)
	}
	return fmt.Sprintf("%s %s, %s %s", counted.Of(q.Waiting, "item", "items"), r.verb(q.Waiting, "wait", "waited"),
		live, r.verb(2, "live", "lived"))
}

// past reports whether the heartbeat describes the past: no poller runs.
func (r Report) past() bool { return !r.Running && r.LockError == nil }

// moment returns now or, if no poller runs, its last sign of life.
func (r Report) moment() time.Time {
	if !r.past() {
		return r.Now
	}
	f := r.Heartbeat
	if f.Progress != nil && f.Progress.UpdatedAt.After(f.LastCycleAt) {
		return f.Progress.UpdatedAt
	}
	if f.LastCycleAt.IsZero() {
		return f.StartedAt
	}
	return f.LastCycleAt
}

// lasted says how long something has been so, or had been when the poller stopped.
func (r Report) lasted(since time.Time) string {
	if since.IsZero() {
		return "an unknown time"
	}
	return Span(r.moment().Sub(since))
}

// verb returns the present form that agrees with n, or the past form if no poller
// runs.
func (r Report) verb(n int, present, past string) string {
	switch {
	case r.past():
		return past
	case n == 1:
		return present + "s"
	}
	return present
}

// item returns a ref in the form people write.
func item(text string) string { return shown(ref.Short(text)) }
