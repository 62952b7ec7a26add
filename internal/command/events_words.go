package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"the-loop/internal/counted"
	"the-loop/internal/eventlog"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/internal/timetext"
	"the-loop/poller"
)

// eventWords puts stored events into words.
type eventWords struct {
	colour palette
	kinds  map[string]func(storedEvent) string
}

func newEventWords(colour palette) eventWords {
	return eventWords{colour: colour, kinds: eventKinds()}
}

// line returns an event in one line: time, level, name, subject and text.
func (w eventWords) line(s eventlog.Stored) string {
	e := storedEvent{s}
	at := "-"
	if !s.Time.IsZero() {
		at = timetext.UTC(s.Time)
	}
	level := firstNonEmpty(safetext.Line(string(s.Level)), "-")
	colours := map[eventlog.Level]style{eventlog.Warning: yellow, eventlog.Error: red}
	if c, ok := colours[s.Level]; ok {
		level = w.colour.paint(c, level)
	}
	line := w.colour.paint(dim, at) + " " + level + " " + safetext.Line(s.Event)
	if subject := e.subject(); subject != "" {
		line += " " + subject
	}
	if text := w.text(e); text != "" {
		line += " — " + text
	}
	return line
}

func (w eventWords) text(e storedEvent) string {
	if words, known := w.kinds[e.Event]; known {
		return words(e)
	}
	// A later version wrote this event.
	if text := firstNonEmpty(e.text("error"), e.text("reason")); text != "" {
		return text
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(e.Fields)) {
		if value := safetext.Line(e.Text(name)); value != e.subject() {
			parts = append(parts, safetext.Line(name)+"="+value)
		}
	}
	return strings.Join(parts, ", ")
}

// storedEvent is an event whose fields are read for display.
type storedEvent struct{ eventlog.Stored }

// subject returns the scope, item, host or source of the event, "" for the poller
// itself.
func (e storedEvent) subject() string {
	return firstNonEmpty(e.text("scope"), e.text("ref"), e.text("host"), e.text("provider"))
}

// text returns a field in one line, "" when it is missing.
func (e storedEvent) text(name string) string {
	if text := safetext.Line(e.Text(name)); text != "null" {
		return text
	}
	return ""
}

func (e storedEvent) number(name string) int {
	var n float64
	if json.Unmarshal([]byte(e.Text(name)), &n) != nil {
		return 0
	}
	return int(n)
}

// counted is the number in a field, with the name of the things.
func (e storedEvent) counted(field, one, many string) string {
	return counted.Of(e.number(field), one, many)
}

func (e storedEvent) list(name string) []string {
	var list []string
	if json.Unmarshal([]byte(e.Text(name)), &list) != nil {
		return nil
	}
	for i := range list {
		list[i] = safetext.Line(list[i])
	}
	return list
}

// took returns the field duration_ms in words.
func (e storedEvent) took() string {
	return (time.Duration(e.number("duration_ms")) * time.Millisecond).String()
}

// every returns the field interval_seconds in words.
func (e storedEvent) every() string {
	var seconds float64
	_ = json.Unmarshal([]byte(e.Text("interval_seconds")), &seconds) // stays 0 when it is no number
	text := time.Duration(seconds * float64(time.Second)).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func (e storedEvent) by() string {
	return "by " + firstNonEmpty(e.text("author"), "a deleted account")
}

// handler returns the name of the handler and the number of the attempt.
func (e storedEvent) handler() string {
	return fmt.Sprintf("%s, attempt %d", e.text("handler"), e.number("attempt"))
}

// eventKinds returns the words for each kind of event. A test compares it with the
// catalogue.
func eventKinds() map[string]func(storedEvent) string {
	field := func(name string) func(storedEvent) string {
		return func(e storedEvent) string { return e.text(name) }
	}
	failed := field("error")
	return map[string]func(storedEvent) string{
		"poller.started": startedWords,
		"poller.stopped": func(e storedEvent) string {
			return fmt.Sprintf("%s, after %s", e.text("reason"), e.counted("cycles", "cycle", "cycles"))
		},
		"poller.blocked":       blockedWords,
		"config.reloaded":      reloadedWords,
		"config.reload_failed": failed,
		"poll.cycle":           cycleWords,
		"poll.provider_error":  failed,
		"poll.scope_error":     failed,
		"poll.scope_degraded":  failed,
		"poll.unlabelled_skipped": func(storedEvent) string {
			return "more than 300 open pull requests, those without the label are not listed"
		},
		"poll.scope_recovered": func(storedEvent) string { return "" }, // its name says it
		"poll.rate_limited":    func(e storedEvent) string { return "left alone until " + e.text("until") },
		"poll.paced": func(e storedEvent) string {
			return fmt.Sprintf("one cycle every %s, %s left until %s", e.every(), e.counted("remaining", "point", "points"), e.text("reset_at"))
		},
		"poll.survey_failed": func(e storedEvent) string {
			return "every repository is listed: " + e.text("error")
		},
		"poll.survey_recovered":  func(storedEvent) string { return "" }, // its name says it
		"poll.item_error":        failed,
		"poll.item_seen":         func(e storedEvent) string { return e.text("kind") + " " + e.by() },
		"poll.unauthorized":      storedEvent.by,
		"poll.adopted":           storedEvent.by,
		"poll.command":           commandWords,
		"poll.queued":            func(storedEvent) string { return "waits for room" },
		"poll.closure_detected":  field("state"),
		"poll.comment_forwarded": func(e storedEvent) string { return fmt.Sprintf("comment %s, attempt %d", e.by(), e.number("attempt")) },
		"poll.comment_failed":    failed,
		"poll.update_forwarded":  func(e storedEvent) string { return fmt.Sprintf("%s, attempt %d", e.text("kind"), e.number("attempt")) },
		"poll.update_failed":     failed,
		"poll.spawn_failed":      failed,
		"poll.close_failed":      failed,
		"poll.item_gone":         func(e storedEvent) string { return e.text("reason") + ", its session is kept" },
		"poll.rearmed":           func(e storedEvent) string { return e.text("handler") + ", by " + e.text("reason") },
		"dispatch.queued":        storedEvent.handler,
		"dispatch.succeeded":     func(e storedEvent) string { return e.handler() + ", " + e.took() },
		"dispatch.failed":        func(e storedEvent) string { return e.handler() + ", " + e.took() + ": " + e.text("error") },
		"dispatch.deferred":      func(e storedEvent) string { return e.handler() + ", put off to the next cycle" },
		"dispatch.abandoned":     func(e storedEvent) string { return e.handler() + ": " + e.text("reason") },
		"session.spawned":        field("session"),
		"session.lost":           lostWords,
		"session.closed":         field("state"),
		"session.record_corrupt": corruptWords,
		"notify.failed":          func(e storedEvent) string { return e.text("kind") + " " + e.text("subject") + ": " + e.text("error") },
	}
}

func commandWords(e storedEvent) string {
	text := e.text("command") + ", by " + e.text("by")
	if e.text("accepted") == "false" {
		text += ", who is not authorized"
	}
	return text
}

func startedWords(e storedEvent) string {
	return fmt.Sprintf("version %s, one cycle every %s, sources: %s", e.text("version"), e.every(), strings.Join(e.list("sources"), ", "))
}

func reloadedWords(e storedEvent) string {
	changes := e.list("changes")
	switch {
	case changes == nil: // an older version wrote it
		return e.text("path")
	case len(changes) == 0:
		return e.text("path") + ", no setting changed"
	}
	return e.text("path") + ": " + strings.Join(changes, "; ")
}

func blockedWords(e storedEvent) string {
	holder := "another process"
	if pid := e.number("holder_pid"); pid > 0 {
		holder = fmt.Sprintf("pid %d", pid)
	}
	return fmt.Sprintf("%s holds %s", holder, e.text("path"))
}

func cycleWords(e storedEvent) string {
	text := poller.Summary{
		ItemsSeen: e.number("items_seen"), Spawns: e.number("spawns"), CommentsForwarded: e.number("comments_forwarded"),
		Closures: e.number("closures"), Failures: e.number("failures"), Errors: e.number("errors"),
	}.Counters()
	if n := len(e.list("scopes_degraded")); n > 0 {
		text += fmt.Sprintf(", %d scope(s) degraded", n)
	}
	if e.text("interrupted") == "true" {
		text += ", interrupted"
	}
	return text + ", " + e.took()
}

func corruptWords(e storedEvent) string {
	text := e.text("error")
	if moved := e.text("moved_to"); moved != "" {
		text += "; moved to " + moved
	}
	return text
}

func lostWords(e storedEvent) string {
	if e.number("losses") >= session.MaxLosses {
		return "lost too often, given up"
	}
	return "lost, starts again"
}
