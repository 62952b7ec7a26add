package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"the-loop/internal/safetext"
)

// Level is the urgency of an event for a person.
type Level string

// The levels, as written.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// tsLayout is RFC 3339 in UTC with milliseconds.
const tsLayout = "2006-01-02T15:04:05.000Z"

// Event is one thing that happened. The constructors of this package make it; the zero
// Event is never written.
type Event struct {
	name   string
	level  Level
	fields []field
}

// field is one of an event's own fields. Its value is a string, bool, int, int64,
// float64 or []string.
type field struct {
	name  string
	value any
}

func event(name string, level Level, fields ...field) Event {
	return Event{name: name, level: level, fields: fields}
}

// Name returns the name of the event, such as poll.cycle.
func (e Event) Name() string { return e.name }

// Level returns the level of the event.
func (e Event) Level() Level { return e.level }

// line returns the event as one line of the log, with its newline.
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

// seconds returns a duration in the form of fields that end with _seconds.
func seconds(d time.Duration) float64 { return d.Seconds() }
