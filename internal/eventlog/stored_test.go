package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 250_000_000, time.UTC)
	for _, c := range []struct {
		name, line string
		want       Stored
	}{
		{"an event of today", `{"ts":"2026-11-30T10:00:00.250Z","event":"poll.scope_error","level":"error","pid":4242,"scope":"octo/b","will_retry":true}`,
			Stored{Time: at, Event: "poll.scope_error", Level: Error, PID: 4242, Fields: []StoredField{
				{"scope", json.RawMessage(`"octo/b"`)}, {"will_retry", json.RawMessage(`true`)}}}},
		{"an event of tomorrow", `{"z":{"b":[1, null]},"event":"moon.landed","a":1e3,"a":2}`,
			Stored{Event: "moon.landed", Fields: []StoredField{
				{"z", json.RawMessage(`{"b":[1, null]}`)}, {"a", json.RawMessage(`1e3`)}, {"a", json.RawMessage(`2`)}}}},
		{"wrong types", `{"ts":5,"event":"x","level":[],"pid":"4242"}`, Stored{Event: "x"}},
		{"nulls", `{"ts":null,"event":"x","level":null,"pid":null}`, Stored{Event: "x"}},
		{"another time zone", `{"ts":"2026-11-30T11:00:00.25+01:00","event":"x"}`, Stored{Time: at, Event: "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Raw = []byte(c.line)
			got, err := Parse([]byte(c.line + "\r\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{
		"", "null", "5", "[]", `{`, `{}`, `{"event":""}`, `{"event":7}`, `{"event":"x"`,
		`{"event":"x"}{"event":"y"}`, "\x00\x00", `{"event":"x","a":}`, strings.Repeat("[", 100000),
	} {
		if got, err := Parse([]byte(line)); err == nil {
			t.Errorf("Parse(%.40q) = %+v, want an error", line, got)
		}
	}
}

func TestFieldText(t *testing.T) {
	stored, err := Parse([]byte(`{"event":"x","s":"a\nb","n":7,"l":["a","b"],"z":null,"s":"second"}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"s": "a\nb", "n": "7", "l": `["a","b"]`, "missing": ""} {
		if got := stored.Text(name); got != want {
			t.Errorf("Text(%q) = %q, want %q", name, got, want)
		}
	}
}

// parseSlowly is Parse by means of the decoder.
func parseSlowly(line []byte) (Stored, error) {
	line = bytes.TrimRight(line, "\r\n")
	if !json.Valid(line) {
		return Stored{}, errors.New("not JSON")
	}
	s := Stored{Raw: line}
	decoder := json.NewDecoder(bytes.NewReader(line))
	if brace, err := decoder.Token(); err != nil || brace != json.Delim('{') {
		return Stored{}, errors.New("not an object")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return Stored{}, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return Stored{}, err
		}
		s.set(fmt.Sprint(name), value)
	}
	if s.Event == "" {
		return Stored{}, errors.New("no name")
	}
	return s, nil
}

func FuzzParse(f *testing.F) {
	for _, e := range samples() {
		line, err := e.line(time.Unix(0, 0), 1)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"event":"x","a":null}`))
	f.Add([]byte(` { "a" : [ {"b":"}\"]"} , -1e3 ] ,"\u0065vent":"x\\" , "c" : { } , "d":[]}  `))
	f.Add([]byte(`{"ts":"2026-11-30T10:00:00Z","event":"x","ts":"2027-01-01T00:00:00Z","event":"y"}`))
	f.Add([]byte("{\"ts\":\"2026-11-30T10:00:00Z\",\"event\":\"a\xffb\\n\"}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := Parse(line)
		want, wantErr := parseSlowly(line)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("Parse(%q): %v, the decoder says %v", line, err, wantErr)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q) (-decoder +got):\n%s", line, diff)
		}
		for _, field := range got.Fields {
			_ = field.Text()
		}
		at, event, ok := Head(line)
		if err == nil && (!ok || event != got.Event || !at.Equal(got.Time)) {
			t.Errorf("Head(%q) = %s, %q, %t; want %s, %q", line, at, event, ok, got.Time, got.Event)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	line, err := ScopeError("octo/repo-b", "github", "gh issue list --repo exited 1: HTTP 502").line(time.Unix(0, 0), 4242)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := Parse(line); err != nil {
			b.Fatal(err)
		}
	}
}
