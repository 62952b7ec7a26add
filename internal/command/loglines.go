package command

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"the-loop/internal/safetext"
	"the-loop/status"
)

// lines is the log for people at a terminal: a line has the local time, the level,
// the message, the item or repository it is about, and the cause.
type lines struct {
	out    io.Writer
	level  slog.Level
	colour palette
	attrs  []slog.Attr // of WithAttrs

	mu *sync.Mutex // held during a write; shared with the handlers of WithAttrs
}

func newLines(out io.Writer, level slog.Level, colour palette) *lines {
	return &lines{out: out, level: level, colour: colour, mu: new(sync.Mutex)}
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	attrs := slices.Clone(l.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	line := l.colour.paint(dim, r.Time.Local().Format("15:04:05")) + " " + l.colour.paint(levelStyle(r.Level), fmt.Sprintf("%-5s", r.Level)) + " " +
		sentence(r.Message, attrs) + "\n"
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := io.WriteString(l.out, line)
	return err
}

func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *l
	with.attrs = append(slices.Clip(l.attrs), attrs...)
	return &with
}

// WithGroup changes nothing: no logger of the program groups its attributes.
func (l *lines) WithGroup(string) slog.Handler { return l }

func levelStyle(level slog.Level) style {
	switch {
	case level >= slog.LevelError:
		return red
	case level >= slog.LevelWarn:
		return yellow
	case level >= slog.LevelInfo:
		return green
	}
	return dim
}

// sentence joins a message and its attributes: subjects and causes after colons,
// the rest in brackets. Attributes that people can do without are left out.
func sentence(msg string, attrs []slog.Attr) string {
	var before, after, rest []string
	named := slices.ContainsFunc(attrs, func(a slog.Attr) bool { return a.Key == "ref" || a.Key == "scope" })
	for _, a := range attrs {
		value := safetext.Line(a.Value.Resolve().String())
		switch a.Key {
		case "session", "pid", "sources":
		case "provider":
			if !named {
				before = append(before, value)
			}
		case "ref", "scope", "host":
			before = append(before, value)
		case "error", "reason":
			after = append(after, status.Brief(value))
		default:
			if value != "" {
				rest = append(rest, strings.ReplaceAll(a.Key, "_", " ")+" "+value)
			}
		}
	}
	text := strings.Join(append(append([]string{safetext.Line(msg)}, before...), after...), ": ")
	if len(rest) > 0 {
		text += " (" + strings.Join(rest, ", ") + ")"
	}
	return text
}
