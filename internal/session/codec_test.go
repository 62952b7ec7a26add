package session

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ref"
)

func day(hour int) time.Time { return time.Date(2026, 11, 30, hour, 0, 0, 0, time.UTC) }

func fullRecord(t testing.TB) Record {
	r := newRecord(mustRef(t, "github:octo/repo#42"))
	r.Kind, r.Title, r.URL, r.Author = "issue", "Add a <login> & more", "https://github.com/octo/repo/issues/42", "alice"
	r.Owner = "Octo"
	r.SetState(StateActive, day(9))
	r.Generation, r.AdoptedBy, r.LastDeliveryAt = 2, "bob", day(10)
	r.ReadTo, r.Settle, r.UnauthorizedTold = day(8), true, true
	r.Fed = true
	r.MarkSeen("IC_1", "IC_2")
	r.Pending = []Pending{{
		ID: r.DeliveryID(EventComment, "IC_3"), Event: EventComment, CommentID: "IC_3",
		SessionRef: "github:octo/repo#7", Attempts: 1, LastError: "handler exited 1", LastAttemptAt: day(11),
	}}
	r.GaveUp = []GaveUp{{
		DeliveryID: "close-x", Event: EventClose, Closure: "merged", Program: "1.2.3", At: day(12), Error: "handler exited 2",
	}}
	return r
}

func TestRecordOnDisk(t *testing.T) {
	rec := fullRecord(t)
	got, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "ref": "github:octo/repo#42",
  "kind": "issue",
  "host": "github.com",
  "owner": "Octo",
  "repo": "repo",
  "number": 42,
  "title": "Add a <login> & more",
  "url": "https://github.com/octo/repo/issues/42",
  "author": "alice",
  "session": "SESSION",
  "state": "active",
  "since": "2026-11-30T09:00:00Z",
  "generation": 2,
  "adoptedBy": "bob",
  "lastDeliveryAt": "2026-11-30T10:00:00Z",
  "readTo": "2026-11-30T08:00:00Z",
  "settle": true,
  "fed": true,
  "unauthorizedTold": true,
  "pending": [
    {
      "id": "PENDING",
      "event": "comment",
      "commentId": "IC_3",
      "sessionRef": "github:octo/repo#7",
      "attempts": 1,
      "lastError": "handler exited 1",
      "lastAttemptAt": "2026-11-30T11:00:00Z"
    }
  ],
  "gaveUp": [
    {
      "deliveryId": "close-x",
      "event": "close",
      "closure": "merged",
      "program": "1.2.3",
      "at": "2026-11-30T12:00:00Z",
      "error": "handler exited 2"
    }
  ],
  "seen": [
    "IC_1",
    "IC_2"
  ]
}
`
	want = strings.NewReplacer("SESSION", rec.Session, "PENDING", rec.Pending[0].ID).Replace(want)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("record on disk (-want +got):\n%s", diff)
	}
	back, err := decodeRecord(got, mustRef(t, rec.Ref))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec, back); diff != "" {
		t.Errorf("record read back (-want +got):\n%s", diff)
	}
}

func TestUnknownKeysArePreserved(t *testing.T) {
	rec := fullRecord(t)
	data, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, edit := range []struct{ old, new string }{
		{`"kind": "issue"`, `"kind": "issue", "mood": {"a": [1, 2.50, null]}`},
		{`"attempts": 1`, `"attempts": 1, "backoff": "5m"`},
		{`"program": "1.2.3"`, `"program": "1.2.3", "why": "<unknown>"`},
	} {
		text = strings.Replace(text, edit.old, edit.new, 1)
	}
	got, err := decodeRecord([]byte(text), mustRef(t, rec.Ref))
	if err != nil {
		t.Fatal(err)
	}
	got.AdoptedBy = "carol"
	again, err := got.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(again, &doc); err != nil {
		t.Fatalf("%v in\n%s", err, again)
	}
	want := map[string]any{"a": []any{1.0, 2.5, nil}}
	if diff := cmp.Diff(want, doc["mood"]); diff != "" {
		t.Errorf("unknown key (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(again), "2.50") {
		t.Errorf("the number was respelled:\n%s", again)
	}
	if got := doc["pending"].([]any)[0].(map[string]any)["backoff"]; got != "5m" {
		t.Errorf("unknown key of a pending delivery = %v, want 5m", got)
	}
	if got := doc["gaveUp"].([]any)[0].(map[string]any)["why"]; got != "<unknown>" {
		t.Errorf("unknown key of what was given up = %v, want <unknown>", got)
	}
	if doc["adoptedBy"] != "carol" {
		t.Errorf("adoptedBy = %v, want carol", doc["adoptedBy"])
	}
}

func TestDecodeRefuses(t *testing.T) {
	rec := fullRecord(t)
	whole, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	edit := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("no %s in the record", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, data := range map[string]string{
		"no bytes":           "",
		"blanks":             " \n",
		"half an object":     text[:len(text)/2],
		"NULs":               strings.Repeat("\x00", len(text)),
		"NULs at the end":    text[:100] + strings.Repeat("\x00", 100),
		"two objects":        text + text,
		"garbage after it":   text + "x",
		"a brace after it":   text + "}",
		"a bracket after it": text + "]",
		"null":               "null",
		"a list":             "[]",
		"an empty object":    "{}",
		"a wrong type":       edit(`"number": 42`, `"number": "42"`),
		"a wrong list":       edit(`"seen": [`, `"seen": [{}, `),
		"a broken time":      edit(`"2026-11-30T09:00:00Z"`, `"yesterday"`),
		"format 0":           edit(`"version": 1`, `"version": 0`),
		"format -1":          edit(`"version": 1`, `"version": -1`),
		"another ref":        edit(`#42"`, `#43"`),
		"another number":     edit(`"number": 42`, `"number": 43`),
		"another owner":      edit(`"owner": "Octo"`, `"owner": "Other"`),
		"an unknown state":   edit(`"state": "active"`, `"state": "asleep"`),
		"no state":           edit(`"state": "active"`, `"state": ""`),
		"unknown key, wrong": edit(`"number": 42`, `"new": 1, "number": "42"`),
	} {
		_, err := decodeRecord([]byte(data), mustRef(t, rec.Ref))
		if corrupt := (*corruptError)(nil); !errors.As(err, &corrupt) {
			t.Errorf("%s: error = %v, want it corrupt", name, err)
		}
	}
}

// Handlers get the session's name and the item's address: a file is not
// believed about either.
func TestDecodeBelievesNoNameOrAddress(t *testing.T) {
	item := mustRef(t, "github:ghe.example.com/Octo/x#7")
	issue, pull := "https://ghe.example.com/octo/x/issues/7", "https://ghe.example.com/octo/x/pull/7"
	for _, c := range []struct{ kind, url, want string }{
		{"issue", issue, issue},
		{"issue", "https://ghe.example.com/OCTO/X/issues/7", "https://ghe.example.com/OCTO/X/issues/7"},
		{"pull-request", pull, pull},
		{"", pull, pull},
		{"issue", "", ""},
		{"issue", "https://evil.example/octo/x/issues/7", issue},
		{"pull-request", "https://evil.example/octo/x/pull/7", pull},
		{"issue", "http://ghe.example.com/octo/x/issues/7", issue},
		{"issue", "https://ghe.example.com/octo/x/issues/8", issue},
		{"issue", issue + "#issuecomment-1", issue},
		{"issue", "https://ghe.example.com@evil.example/octo/x/issues/7", issue},
		{"", "javascript:alert(1)", issue},
	} {
		rec := newRecord(item)
		rec.Kind, rec.URL, rec.Session = ref.Kind(c.kind), c.url, "../../victim"
		data, err := rec.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeRecord(data, item)
		if err != nil || got.Session != Name(item) || got.URL != c.want {
			t.Errorf("%s %q: session %q, url %q, %v; want url %q", c.kind, c.url, got.Session, got.URL, err, c.want)
		}
	}
}

func TestDecodeNewer(t *testing.T) {
	for name, data := range map[string]string{
		"with what we know": `{"version": 4, "ref": "github:octo/repo#42"}`,
		"wholly different":  `{"ref": 7, "seen": {"a": 1}, "version": 19}`,
	} {
		_, err := decodeRecord([]byte(data), mustRef(t, "github:octo/repo#42"))
		if newer := (*NewerError)(nil); !errors.As(err, &newer) {
			t.Errorf("%s: error = %v, want a NewerError", name, err)
		}
	}
}

// A person looks at records with cat: nothing in one may reach the terminal.
func TestEncodeEscapes(t *testing.T) {
	rec := newRecord(mustRef(t, "github:octo/repo#42"))
	rec.Title = "a\x1b[31mb\u009bc\u202ed\u200be\x7ff\U000e0041g\uFEFFh\tü😀\u2028"
	data, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `"title": "a\u001b[31mb\u009bc\u202ed\u200be\u007ff\udb40\udc41g\ufeffh\tü😀\u2028"`
	if !strings.Contains(string(data), want) {
		t.Errorf("got\n%s\nwant %s in it", data, want)
	}
	back, err := decodeRecord(data, mustRef(t, rec.Ref))
	if err != nil || back.Title != rec.Title {
		t.Errorf("read back %q, %v, want %q", back.Title, err, rec.Title)
	}
}

func FuzzDecodeRecord(f *testing.F) {
	whole, err := fullRecord(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:200])
	usual := fullRecord(f)
	usual.Pending, usual.GaveUp = nil, nil
	plain, err := usual.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Add([]byte(strings.Replace(string(whole), `"kind"`, `"x": [{}], "kind"`, 1)))
	f.Add([]byte(`{"version":3}`))
	f.Add([]byte("{\n  \"version\": 1,\n  \"seen\": [\n    \"a\",\n    \"b\"\n  ]\n}\n"))
	f.Add([]byte("{\"seen\":[],\n  \"seen\": [\n    \"a\\n\",\n    \"b\"\n  ]\n}\n"))
	item := mustRef(f, "github:octo/repo#42")
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := decodeRecord(data, item)
		if err != nil {
			return
		}
		first, err := rec.Encode()
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		back, err := decodeRecord(first, item)
		if err != nil {
			t.Fatalf("own output refused: %v\n%s", err, first)
		}
		second, err := back.Encode()
		if err != nil || string(second) != string(first) {
			t.Fatalf("%v: encoded anew it differs:\n%s\n%s", err, first, second)
		}
	})
}
