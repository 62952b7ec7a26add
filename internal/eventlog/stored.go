package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Stored is an event as it was read from a log, of a kind known here or not.
type Stored struct {
	Time  time.Time // UTC; zero when the line has none that can be read
	Event string
	Level Level
	PID   int // 0 when the line has none
	// Fields are all other members of the line, in its order.
	Fields []StoredField
	// Raw is the line without its newline.
	Raw []byte
}

// StoredField is one of a stored event's own fields.
type StoredField struct {
	Name  string
	Value json.RawMessage
}

// Text is a field's value as text: a string's content, JSON for all else. It
// is what somebody wrote, and not fit for a terminal as it is.
func (f StoredField) Text() string {
	if s, ok := unquote(f.Value); ok {
		return s
	}
	return string(f.Value)
}

// Text is the text of the field of that name, "" when there is none.
func (s Stored) Text(name string) string {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Text()
		}
	}
	return ""
}

// Parse reads one line of a log, with or without its newline. A line that is
// not one JSON object with an event's name is an error; readers pass over it,
// and over empty lines. What a known member holds in the wrong type is taken
// as absent.
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

// set takes one member. Of a known one that stands there twice the first
// counts, as in [Head].
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

// Head is the time and the name of a stored event, as [Parse] reads them, and
// whether the line has a name. It is for passing over events that are not
// wanted: of a line that the daemon wrote it looks at the beginning only, so
// that the whole may yet turn out to be no event.
func Head(line []byte) (at time.Time, event string, ok bool) {
	if at, event, ok = headAsWritten(line); ok {
		return at, event, true
	}
	s, err := Parse(line)
	return s.Time, s.Event, err == nil
}

// headAsWritten reads the head of a line that begins as the daemon begins it.
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
