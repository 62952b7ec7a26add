package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// NewerError is a record that a newer version of the program wrote. The store leaves
// the record and its item alone.
type NewerError struct {
	Version int // of the record's format
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("written by a newer version of the program (format %d, this one knows %d)",
		e.Version, recordVersion)
}

// corruptError is content that is no record. Only after this error is a file moved
// aside.
type corruptError struct{ err error }

func (e *corruptError) Error() string { return "not readable: " + e.err.Error() }
func (e *corruptError) Unwrap() error { return e.err }

// decodeRecord reads the record of item. Its error is a *NewerError or a
// *corruptError. It computes the session's name and checks the address instead of
// trusting the file: handlers get both, and the name becomes that of a log.
func decodeRecord(data []byte, item ref.Item) (Record, error) {
	var rec Record
	err := rec.UnmarshalJSON(data)
	if rec.Version > recordVersion {
		return Record{}, &NewerError{Version: rec.Version}
	}
	if err == nil {
		rec.Session, rec.URL = Name(item), itemURL(item, rec.Kind, rec.URL)
		err = rec.check(item)
	}
	if err != nil {
		return Record{}, &corruptError{err}
	}
	return rec, nil
}

func (r *Record) check(item ref.Item) error {
	switch {
	case r.Version < 1:
		return fmt.Errorf("format %d", r.Version)
	case !r.State.known():
		return fmt.Errorf("state %q", r.State)
	case !r.belongsTo(item):
		return fmt.Errorf("it names another item or session (%q, %q)", r.Ref, r.Session)
	}
	return nil
}

// Encode returns the file's content: JSON with a two-space indent and a final newline,
// with unknown keys and without characters that control a terminal.
func (r Record) Encode() ([]byte, error) {
	data, err := encode(r)
	if err != nil {
		return nil, fmt.Errorf("encode record of %s: %w", r.Ref, err)
	}
	return data, nil
}

// EncodeAll encodes a list of records like [Record.Encode], an empty one as "[]".
func EncodeAll(records []Record) ([]byte, error) {
	data, err := encode(append([]Record{}, records...))
	if err != nil {
		return nil, fmt.Errorf("encode records: %w", err)
	}
	return data, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return safetext.JSON(b.Bytes()), nil
}

// MarshalJSON writes the record and, at its end, the unknown keys.
func (r Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return marshalWith(plain(r), r.Extra)
}

// UnmarshalJSON reads the record and keeps the unknown keys.
func (r *Record) UnmarshalJSON(data []byte) (err error) {
	type plain Record
	r.Extra, err = unmarshalWith(data, (*plain)(r))
	return err
}

// MarshalJSON writes the delivery and, at its end, the unknown keys.
func (p Pending) MarshalJSON() ([]byte, error) {
	type plain Pending
	return marshalWith(plain(p), p.Extra)
}

// UnmarshalJSON reads the delivery and keeps the unknown keys.
func (p *Pending) UnmarshalJSON(data []byte) (err error) {
	type plain Pending
	p.Extra, err = unmarshalWith(data, (*plain)(p))
	return err
}

// MarshalJSON writes the entry and, at its end, the unknown keys.
func (g GaveUp) MarshalJSON() ([]byte, error) {
	type plain GaveUp
	return marshalWith(plain(g), g.Extra)
}

// UnmarshalJSON reads the entry and keeps the unknown keys.
func (g *GaveUp) UnmarshalJSON(data []byte) (err error) {
	type plain GaveUp
	g.Extra, err = unmarshalWith(data, (*plain)(g))
	return err
}

func marshalWith(known any, extra map[string]json.RawMessage) ([]byte, error) {
	object, err := marshalPlain(known)
	if err != nil || len(extra) == 0 {
		return object, err
	}
	rest, err := marshalPlain(extra) // sorted by key
	if err != nil {
		return nil, err
	}
	object = append(object[:len(object)-1], ',') // no known object is empty
	return append(object, rest[1:]...), nil
}

func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// unmarshalWith reads data into known, a pointer to a struct, and returns the keys that
// are no fields of it. Nearly all data has no such keys and is read once.
func unmarshalWith(data []byte, known any) (map[string]json.RawMessage, error) {
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if strict.Decode(known) == nil {
		if _, err := strict.Token(); errors.Is(err, io.EOF) {
			return nil, nil
		}
	}
	if err := json.Unmarshal(data, known); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(known).Elem()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for key := range all { // the decoder ignores the case of names
			if strings.EqualFold(key, name) {
				delete(all, key)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}
