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

// NewerError is a record that a newer version of the program wrote: it is
// left alone, and nothing is done about its item.
type NewerError struct {
	Version int // of the record's format
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("written by a newer version of the program (format %d, this one knows %d)",
		e.Version, recordVersion)
}

// corruptError is content that is no record. Only this error has a file moved
// aside.
type corruptError struct{ err error }

func (e *corruptError) Error() string { return "not readable: " + e.err.Error() }
func (e *corruptError) Unwrap() error { return e.err }

// decodeRecord reads the record of item. Its error is a *NewerError or a
// *corruptError. The session's name, which becomes a file's, is computed and
// the address checked: handlers get both, and a file proves neither.
func decodeRecord(data []byte, item ref.Item) (Record, error) {
	rec, err := decodeKnown(data)
	if err != nil || !knownFormat(rec.Version) {
		rec, err = decodeExtended(data)
	}
	if err != nil {
		return Record{}, err
	}
	rec.Session, rec.URL = Name(item), itemURL(item, rec.Kind, rec.URL)
	if err := rec.check(item); err != nil {
		return Record{}, &corruptError{err}
	}
	return rec, nil
}

// decodeKnown is the way for a record without unknown keys, which is nearly
// every one: a second pass to collect them costs as much as the first.
func decodeKnown(data []byte) (Record, error) {
	if rec, ok := decodeLaidOut(string(data)); ok {
		return rec, nil
	}
	return decodeStrictly(data)
}

func decodeStrictly(data []byte) (Record, error) {
	type plain Record // without methods, which would come back here
	var rec plain
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rec); err != nil {
		return Record{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Record{}, errors.New("something follows the record")
	}
	return Record(rec), nil
}

func knownFormat(version int) bool { return version >= 1 && version <= recordVersion }

func decodeExtended(data []byte) (Record, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Record{}, &corruptError{err}
	}
	if head.Version > recordVersion {
		return Record{}, &NewerError{Version: head.Version}
	}
	var rec Record
	if err := json.Unmarshal(data, &rec); err != nil {
		return Record{}, &corruptError{err}
	}
	return rec, nil
}

func (r *Record) check(item ref.Item) error {
	switch {
	case !knownFormat(r.Version):
		return fmt.Errorf("format %d", r.Version)
	case !r.State.known():
		return fmt.Errorf("state %q", r.State)
	case !r.belongsTo(item):
		return fmt.Errorf("it names another item or session (%q, %q)", r.Ref, r.Session)
	}
	return nil
}

// Encode returns the file's content: JSON with a two-space indent and a final
// newline, unknown keys included, and no character that a terminal obeys.
func (r Record) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode record of %s: %w", r.Ref, err)
	}
	return safetext.JSON(b.Bytes()), nil
}

// EncodeAll is a list of records as JSON, with a two-space indent and a final
// newline; "[]" when there is none.
func EncodeAll(records []Record) ([]byte, error) {
	if len(records) == 0 {
		return []byte("[]\n"), nil
	}
	type plain Record // without the method that looks after unknown keys and takes twice as long
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	separator := "[\n  "
	for i := range records {
		var r any = plain(records[i])
		if len(records[i].Extra) > 0 {
			r = records[i]
		}
		b.WriteString(separator)
		if err := encoder.Encode(r); err != nil {
			return nil, fmt.Errorf("encode record of %s: %w", records[i].Ref, err)
		}
		b.Truncate(b.Len() - 1) // its newline
		separator = ",\n  "
	}
	b.WriteString("\n]\n")
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

// unmarshalWith reads data into known, a pointer to a struct, and returns the
// keys that are none of its fields.
func unmarshalWith(data []byte, known any) (map[string]json.RawMessage, error) {
	if err := json.Unmarshal(data, known); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	t := reflect.TypeOf(known).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		for key := range all { // the decoder matches names in any case
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
