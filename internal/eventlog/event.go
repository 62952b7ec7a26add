package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"the-loop/internal/safetext"
)

// Level is how much an event asks for somebody's attention.
type Level string

// The levels, as they are written.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// tsLayout is RFC 3339 in UTC with milliseconds.
const tsLayout = "2006-01-02T15:04:05.000Z"

// Event is one thing that happened, made by one of the constructors of this
// package. The zero Event is none and is never written.
type Event struct {
	name   string
	level  Level
	fields []field
}

// field is one of an event's own fields. Its value is a string, a bool, an
// int, an int64, a float64 or a []string.
type field struct {
	name  string
	value any
}

func event(name string, level Level, fields ...field) Event {
	return Event{name: name, level: level, fields: fields}
}

// Name is the event's name, "poll.cycle" for one.
func (e Event) Name() string { return e.name }

// Level is the event's level.
func (e Event) Level() Level { return e.level }

// line is the event as one line of the log, its newline included.
func (e Event) line(at time.Time, pid int) ([]byte, error) {
	members := append([]field{
		{"ts", at.UTC().Format(tsLayout)},
		{"event", e.name},
		{"level", string(e.level)},
		{"pid", pid},
	}, e.fields...)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i, m := range members {
		b.WriteByte("{,"[min(i, 1)])
		for _, part := range []any{m.name, m.value} {
			if err := encoder.Encode(part); err != nil {
				return nil, fmt.Errorf("encode %s of %s: %w", m.name, e.name, err)
			}
			b.Truncate(b.Len() - 1) // the encoder ends each value with a newline
			b.WriteByte(':')
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("}\n")
	return safetext.JSON(b.Bytes()), nil
}

// seconds is a duration as JSON has it in fields that end with _seconds.
func seconds(d time.Duration) float64 { return d.Seconds() }

// when is a point in time as JSON has it in fields other than ts.
func when(t time.Time) string { return t.UTC().Format(time.RFC3339) }
