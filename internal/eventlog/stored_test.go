package eventlog

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 250_000_000, time.UTC)
	for _, c := range []struct {
		name, line string
		want       Stored
	}{
		{"an event of today", `{"ts":"2026-11-30T10:00:00.250Z","event":"poll.scope_error","level":"error","pid":4242,"scope":"octo/b","will_retry":true}`,
			Stored{Time: at, Event: "poll.scope_error", Level: Error, PID: 4242, Fields: map[string]json.RawMessage{
				"scope": json.RawMessage(`"octo/b"`), "will_retry": json.RawMessage(`true`)}}},
		{"an event of tomorrow", `{"z":{"b":[1, null]},"event":"moon.landed","a":1e3,"a":2}`,
			Stored{Event: "moon.landed", Fields: map[string]json.RawMessage{
				"z": json.RawMessage(`{"b":[1, null]}`), "a": json.RawMessage(`2`)}}},
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
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
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
	stored, err := Parse([]byte(`{"event":"x","s":"a\nb","n":7,"l":["a","b"],"e":"","z":null}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"s": "a\nb", "n": "7", "l": `["a","b"]`, "z": "null", "e": "", "missing": ""} {
		if got := stored.Text(name); got != want {
			t.Errorf("Text(%q) = %q, want %q", name, got, want)
		}
	}
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
		stored, err := Parse(line)
		if err == nil && (stored.Event == "" || !json.Valid(stored.Raw)) {
			t.Errorf("Parse(%q) = %+v", line, stored)
		}
		for name := range stored.Fields {
			_ = stored.Text(name)
		}
		// The daemon writes each key once, and valid UTF-8.
		odd := bytes.Count(line, []byte(`"ts"`)) > 1 || bytes.Count(line, []byte(`"event"`)) > 1 ||
			bytes.Contains(line, []byte(`\u`)) || !utf8.Valid(line)
		if at, event, ok := Head(line); ok && err == nil && !odd && (event != stored.Event || !at.Equal(stored.Time)) {
			t.Errorf("Head(%q) = %s, %q; want %s, %q", line, at, event, stored.Time, stored.Event)
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
