package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	var s string
	if json.Unmarshal(f.Value, &s) == nil {
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
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return Stored{}, fmt.Errorf("read an event: %w", err)
	}
	s := Stored{Raw: bytes.Clone(line)}
	decoder := json.NewDecoder(bytes.NewReader(line))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return Stored{}, fmt.Errorf("read an event: %w", err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return Stored{}, fmt.Errorf("read an event: %w", err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return Stored{}, fmt.Errorf("read an event: %w", err)
		}
		s.set(fmt.Sprint(name), value)
	}
	if s.Event == "" {
		return Stored{}, errors.New("read an event: the line names none")
	}
	return s, nil
}

func (s *Stored) set(name string, value json.RawMessage) {
	switch name {
	case "ts":
		s.Time = readTime(value)
	case "event":
		s.Event = StoredField{Value: value}.string()
	case "level":
		s.Level = Level(StoredField{Value: value}.string())
	case "pid":
		if json.Unmarshal(value, &s.PID) != nil {
			s.PID = 0
		}
	default:
		s.Fields = append(s.Fields, StoredField{name, value})
	}
}

// string is the content of a string, "" of anything else.
func (f StoredField) string() string {
	var s string
	_ = json.Unmarshal(f.Value, &s) // another type leaves it empty, as meant
	return s
}

func readTime(value json.RawMessage) time.Time {
	t, err := time.Parse(time.RFC3339, StoredField{Value: value}.string())
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
