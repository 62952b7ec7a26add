package eventlog

import (
	"encoding/json"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func lineOf(t *testing.T, e Event) string {
	t.Helper()
	at := time.Date(2026, 11, 30, 11, 0, 0, 999_999, time.FixedZone("CET", 3600))
	line, err := e.line(at, 4242)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestLine(t *testing.T) {
	const head = `{"ts":"2026-11-30T10:00:00.000Z",`
	at := time.Date(2026, 11, 30, 14, 0, 0, 0, time.FixedZone("CET", 3600))
	for _, c := range []struct {
		name string
		e    Event
		want string
	}{
		{"texts and a boolean", ScopeError("octo/b", "github", "gh issue list --repo exited 1: HTTP 502"),
			`"event":"poll.scope_error","level":"error","pid":4242,"scope":"octo/b","provider":"github","error":"gh issue list --repo exited 1: HTTP 502","will_retry":true}`},
		{"numbers and a list", Cycle(CycleFields{ItemsSeen: 24, ScopesDegraded: []string{"octo/b", "octo/m"}, Duration: 1234 * time.Millisecond}),
			`"event":"poll.cycle","level":"info","pid":4242,"items_seen":24,"spawns":0,"comments_forwarded":0,"closures":0,"failures":0,"errors":0,"interrupted":false,"scopes_polled":0,"scopes_unchanged":0,"scopes_degraded":["octo/b","octo/m"],"duration_ms":1234}`},
		{"an empty list", Started(StartedFields{Interval: time.Minute}),
			`"event":"poller.started","level":"info","pid":4242,"version":"","state_root":"","interval_seconds":60,"sources":[]}`},
		{"a fraction and a time", Paced(PacedFields{Host: "github.com", Interval: 150500 * time.Millisecond, Remaining: 900, ResetAt: at}),
			`"event":"poll.paced","level":"warning","pid":4242,"host":"github.com","interval_seconds":150.5,"remaining":900,"reset_at":"2026-11-30T13:00:00Z"}`},
		{"another pid", Blocked(7, "/state/poll.pid"),
			`"event":"poller.blocked","level":"warning","pid":4242,"holder_pid":7,"path":"/state/poll.pid"}`},
		{"markup and quotes", ItemError(`<b>"&"</b>`, "a\nb\tc\\"),
			`"event":"poll.item_error","level":"error","pid":4242,"ref":"<b>\"&\"</b>","error":"a\nb\tc\\"}`},
		{"what a terminal acts on", ItemError("\x1b[31m\x7f", "\u009b31m \u202eevil\u2028 \U000e0041 é 世界 — 🚀"),
			`"event":"poll.item_error","level":"error","pid":4242,"ref":"\u001b[31m\u007f","error":"\u009b31m \u202eevil\u2028 \udb40\udc41 é 世界 — 🚀"}`},
		{"invalid UTF-8", ItemError("a\xffb", "\xc3"),
			`"event":"poll.item_error","level":"error","pid":4242,"ref":"a\ufffdb","error":"\ufffd"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := lineOf(t, c.e), head+c.want+"\n"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// Any text gives one line of printable JSON that decodes to the same text.
func FuzzLine(f *testing.F) {
	f.Add("plain")
	f.Add("\x00\x1b[2J\u202e\u2029\xff\U000e0041\ufffd")
	f.Fuzz(func(t *testing.T, text string) {
		line, err := ItemError(text, text).line(time.Unix(0, 0), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range string(line[:len(line)-1]) {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q holds %q at %d", line, r, i)
			}
		}
		var got struct{ Ref string }
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if want := string([]rune(text)); got.Ref != want && utf8.ValidString(text) {
			t.Errorf("got %q, want %q", got.Ref, want)
		}
	})
}
