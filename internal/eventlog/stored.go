package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Stored is an event as read from a log, of a known kind or not.
type Stored struct {
	Time  time.Time // UTC; zero if missing or unreadable
	Event string
	Level Level
	PID   int // 0 if missing
	// Fields are all other members, in the order of the line.
	Fields []StoredField
	// Raw is the line without its newline.
	Raw []byte
}

// StoredField is one of a stored event's own fields.
type StoredField struct {
	Name  string
	Value json.RawMessage
}

// Text returns the content of a string, and JSON for any other value. It is raw text,
// not safe for a terminal.
func (f StoredField) Text() string {
	if s, ok := unquote(f.Value); ok {
		return s
	}
	return string(f.Value)
}

// Text returns the text of the field of that name, "" if there is none.
func (s Stored) Text(name string) string {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Text()
		}
	}
	return ""
}

// Parse reads one line of a log, with or without its newline. A line that is not one
// JSON object with the name of an event is an error; readers skip such lines, and
// empty ones. A known member of the wrong type counts as missing.
func Parse(line []byte) (Stored, error) {
	line = bytes.TrimRight(line, "\r\n")
	if !json.Valid(line) {
		return Stored{}, errors.New("read an event: the line is not JSON")
	}
	if skipSpace(line)[0] != '{' {
		return Stored{}, errors.New("read an event: the line is not a JSON object")
	}
	s := Stored{Raw: bytes.Clone(line)}
	eachMember(s.Raw, func(name, value []byte) {
		if text, ok := unquote(name); ok {
			s.set(text, value)
		}
	})
	if s.Event == "" {
		return Stored{}, errors.New("read an event: the line names none")
	}
	return s, nil
}

// set stores one member. Of repeated known members the first counts, as in [Head].
func (s *Stored) set(name string, value json.RawMessage) {
	switch name {
	case "ts":
		if s.Time.IsZero() {
			s.Time = readTime(value)
		}
	case "event":
		if s.Event == "" {
			s.Event, _ = unquote(value)
		}
	case "level":
		if s.Level == "" {
			level, _ := unquote(value)
			s.Level = Level(level)
		}
	case "pid":
		if s.PID == 0 && json.Unmarshal(value, &s.PID) != nil {
			s.PID = 0
		}
	default:
		s.Fields = append(s.Fields, StoredField{name, value})
	}
}

func readTime(value json.RawMessage) time.Time {
	text, _ := unquote(value)
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// Head returns the time and the name of a stored event, as [Parse] reads them, and
// whether the line has a name. Use it to skip unwanted events: of a line as the daemon
// writes it, Head looks only at the beginning, so the rest may still be broken.
func Head(line []byte) (at time.Time, event string, ok bool) {
	if at, event, ok = headAsWritten(line); ok {
		return at, event, true
	}
	s, err := Parse(line)
	return s.Time, s.Event, err == nil
}

// headAsWritten reads the beginning of a line as the daemon writes it.
func headAsWritten(line []byte) (at time.Time, event string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"ts":`))
	if !ok {
		return at, "", false
	}
	ts := rest[:stringEnd(rest)]
	rest, ok = bytes.CutPrefix(rest[len(ts):], []byte(`,"event":`))
	if !ok {
		return at, "", false
	}
	at = readTime(ts)
	event, ok = unquote(rest[:stringEnd(rest)])
	return at, event, ok && event != "" && !at.IsZero()
}
