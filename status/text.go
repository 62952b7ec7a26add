package status

import (
	"fmt"
	"strings"

	"the-loop/internal/counted"
	"the-loop/internal/safetext"
	"the-loop/internal/timetext"
)

// Text returns the report for people, each line with its newline.
func (r Report) Text() string {
	return strings.Join(r.Lines(), "\n") + "\n"
}

// Lines returns the report for people, line by line.
func (r Report) Lines() []string {
	out := lines{r.headline()}
	if r.HeartbeatError != nil {
		out.add("last cycle", r.missing())
		return out
	}
	f := r.Heartbeat
	out.add("started", r.started())
	if r.Running && r.Program != "" && f.Program != "" && r.Program != f.Program {
		out.add("version", fmt.Sprintf("%s runs, this is %s; restart it", shown(f.Program), shown(r.Program)))
	}
	out.add("last cycle", r.lastCycle())
	if f.Progress != nil && r.Running {
		out.add("progress", r.progress())
	}
	if still, ok := r.Stale(); ok {
		out.add("stale", "nothing moved for "+Span(still))
	}
	if f.Pace != nil {
		out.add("pace", r.pace())
	}
	out.survey(r)
	if f.ConfigError != "" {
		out.add("config", r.configError())
	}
	if f.LogError != "" {
		out.add("log", shown(f.LogError))
	}
	for _, text := range degraded(f.LastCycle) {
		out.add("degraded", text)
	}
	out.standing(r)
	for _, text := range r.hints() {
		out.add("hint", text)
	}
	return out
}

// lines are a headline and its sub-lines.
type lines []string

// add appends a sub-line: an indent of 12 columns, then the key padded to 12.
func (l *lines) add(key, text string) {
	*l = append(*l, fmt.Sprintf("%12s%-12s%s", "", key+":", text))
}

func (r Report) headline() string {
	const key = "poller      "
	switch {
	case r.LockError != nil:
		return key + "unknown — " + shown(r.LockError.Error())
	case r.Running && r.PID == 0:
		return key + "running (pid unknown)"
	case r.Running && r.Stopping:
		return fmt.Sprintf("%srunning (pid %d), stopping", key, r.PID)
	case r.Running:
		return fmt.Sprintf("%srunning (pid %d)", key, r.PID)
	}
	return key + "not running"
}

func (r Report) missing() string {
	if r.recorded() {
		return "unknown — the heartbeat cannot be read: " + shown(r.HeartbeatError.Error())
	}
	return "unknown — no heartbeat recorded"
}

func (r Report) started() string {
	if r.Heartbeat.StartedAt.IsZero() {
		return "unknown"
	}
	return fmt.Sprintf("%s (%s)", timetext.UTC(r.Heartbeat.StartedAt), r.age(r.Heartbeat.StartedAt))
}

func (r Report) lastCycle() string {
	f := r.Heartbeat
	if f.LastCycleAt.IsZero() {
		return "none recorded yet"
	}
	age := r.age(f.LastCycleAt)
	if r.past() {
		age += ", before it stopped"
	}
	text := fmt.Sprintf("%s (%s) — %s", timetext.UTC(f.LastCycleAt), age, f.LastCycle.Counters())
	if f.LastCycle.Interrupted {
		text += ", interrupted"
	}
	return text
}

func (r Report) progress() string {
	p := *r.Heartbeat.Progress
	text := counted.Of(p.Done, "repository", "repositories")
	if p.Total > 0 {
		text = fmt.Sprintf("%d of %d repositories", p.Done, p.Total)
	}
	if p.Scope != "" {
		text += ", now " + shown(p.Scope)
	}
	if !p.UpdatedAt.IsZero() {
		text += " for " + Span(r.Now.Sub(p.UpdatedAt))
	}
	return text
}

func (r Report) pace() string {
	p := *r.Heartbeat.Pace
	calls, came, would := "its calls", "", "would use up"
	if p.Calls > 0 {
		calls = fmt.Sprintf("%d calls a cycle", p.Calls)
	}
	if r.past() {
		came, would = " came", "would have used up"
	}
	return fmt.Sprintf("one cycle%s every %s: %s %s the hourly quota of %s", came, timetext.Duration(p.Interval), calls, would, shown(p.Host))
}

func (r Report) configError() string {
	kept := "keeping the previous one"
	if r.past() {
		kept = "the previous one was kept"
	}
	return "reload failed, " + kept + ": " + shown(r.Heartbeat.ConfigError)
}

// shown makes text from outside fit for one line.
func shown(text string) string {
	if text = safetext.Line(text); text == "" {
		return "unknown"
	}
	return text
}
