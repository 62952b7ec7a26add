package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Stored is an event as read from a log, of a known kind or not.
type Stored struct {
	Time  time.Time // UTC; zero if missing or unreadable
	Event string
	Level Level
	PID   int // 0 if missing
	// Fields are all other members.
	Fields map[string]json.RawMessage
	// Raw is the line without its newline.
	Raw []byte
}

// Text returns the text of a field: the content of a string, JSON for any other
// value, and "" if there is none. It is raw text, not safe for a terminal.
func (s Stored) Text(name string) string {
	value := s.Fields[name]
	if bytes.HasPrefix(value, []byte(`"`)) {
		return unquote(value)
	}
	return string(value)
}

// Parse reads one line of a log, with or without its newline. A line that is not one
// JSON object with the name of an event is an error; readers skip such lines, and
// empty ones. A known member of the wrong type counts as missing.
func Parse(line []byte) (Stored, error) {
	s := Stored{Raw: bytes.Clone(bytes.TrimRight(line, "\r\n"))}
	if err := json.Unmarshal(s.Raw, &s.Fields); err != nil {
		return Stored{}, fmt.Errorf("read an event: %w", err)
	}
	take := func(name string) json.RawMessage {
		value := s.Fields[name]
		delete(s.Fields, name)
		return value
	}
	if at, err := time.Parse(time.RFC3339, unquote(take("ts"))); err == nil {
		s.Time = at.UTC()
	}
	s.Event, s.Level = unquote(take("event")), Level(unquote(take("level")))
	if json.Unmarshal(take("pid"), &s.PID) != nil {
		s.PID = 0
	}
	if s.Event == "" {
		return Stored{}, errors.New("read an event: the line names none")
	}
	return s, nil
}

// Head returns the time and the name of an event at the beginning of a line as the
// daemon writes it, false for any other line. Use it to skip unwanted events without
// reading them whole.
func Head(line []byte) (at time.Time, event string, ok bool) {
	rest, ok1 := bytes.CutPrefix(line, []byte(`{"ts":"`))
	ts, rest, ok2 := bytes.Cut(rest, []byte(`","event":"`))
	name, _, ok3 := bytes.Cut(rest, []byte(`"`))
	at, err := time.Parse(time.RFC3339, string(ts))
	return at.UTC(), string(name), ok1 && ok2 && ok3 && err == nil && bytes.IndexByte(name, '\\') < 0
}

// unquote returns the content of a JSON string, "" for any other value.
func unquote(value json.RawMessage) (text string) {
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}
