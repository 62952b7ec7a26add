package status_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/internal/runlock"
	"the-loop/poller"
	"the-loop/status"
)

func writeHeartbeat(t testing.TB, root, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, heartbeat.FileName), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantJSON(t *testing.T, r status.Report, want string) {
	t.Helper()
	got, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGatherNothing(t *testing.T) {
	root := filepath.Join(t.TempDir(), "none")
	r := status.Gather(root, at("13:10:12"))
	if r.Running {
		t.Error("it runs")
	}
	wantText(t, r, `
		poller      not running
		            last cycle: unknown — no heartbeat recorded
		`)
	wantJSON(t, r, fmt.Sprintf(`{
  "running": false,
  "pid": 0,
  "stateRoot": %q
}
`, root))
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("asking created something: %v", err)
	}
}

func TestGatherRunning(t *testing.T) {
	root := t.TempDir()
	lock, err := runlock.Acquire(filepath.Join(root, runlock.FileName))
	if err != nil {
		t.Fatal(err)
	}
	file := heartbeat.File{
		StartedAt: at("10:00:00"), LastCycleAt: at("13:10:00"), Interval: time.Minute, Version: 1, Cycle: 3,
		LastCycle: poller.Summary{ItemsSeen: 24, CommentsForwarded: 1, Errors: 1, ScopesPolled: 12,
			ScopesFailed: []poller.ScopeFailure{failure("octo/repo-b", "<HTTP 502>")}},
	}
	if err := heartbeat.Write(filepath.Join(root, heartbeat.FileName), file); err != nil {
		t.Fatal(err)
	}
	r := status.Gather(root, at("13:10:12"))
	wantText(t, r, fmt.Sprintf(`
		poller      running (pid %d)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded, 1 error(s)
		            degraded:   octo/repo-b — listing failed, retried next cycle: <HTTP 502>
		`, os.Getpid()))
	want := fmt.Sprintf(`{
  "running": true,
  "pid": %d,
  "stateRoot": %q,
  "startedAt": "2026-11-30T10:00:00Z",
  "lastCycleAt": "2026-11-30T13:10:00Z",
  "intervalSeconds": 60,
  "lastCycle": {
    "itemsSeen": 24,
    "spawns": 0,
    "commentsForwarded": 1,
    "closures": 0,
    "failures": 0,
    "errors": 1,
    "interrupted": false,
    "scopesPolled": 12,
    "scopesFailed": [
      {
        "scope": "octo/repo-b",
        "error": "<HTTP 502>",
        "permanent": false
      }
    ],
    "scopesSkipped": [],
    "durationSeconds": 0
  },
  "cycle": 3,
  "version": 1
}
`, os.Getpid(), root)
	wantJSON(t, r, want)
	// The same from a heartbeat that no file was read for.
	wantJSON(t, status.Report{StateRoot: root, Running: true, PID: os.Getpid(), Heartbeat: file}, want)

	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if r := status.Gather(root, at("13:10:12")); r.Running || r.PID != 0 || r.Heartbeat.Cycle != 3 {
		t.Errorf("after the release: %+v", r)
	}
}

// An unlocked file proves nothing, whatever pid is in it.
func TestGatherStalePID(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, runlock.FileName), []byte(fmt.Sprintln(os.Getpid())), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := status.Gather(root, at("13:10:12")); r.Running || r.PID != 0 {
		t.Errorf("running %v, pid %d", r.Running, r.PID)
	}
}

func TestGatherBrokenFiles(t *testing.T) {
	root := t.TempDir()
	lock := filepath.Join(root, runlock.FileName)
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	writeHeartbeat(t, root, "\x00\x00")
	r := status.Gather(root, at("13:10:12"))
	file := filepath.Join(root, heartbeat.FileName)
	wantText(t, r, fmt.Sprintf(`
		poller      unknown — lock: open %s: it is not a regular file
		            last cycle: unknown — the heartbeat cannot be read: %s: not whole JSON: invalid character '\x00' looking for beginning of value
		`, lock, file))
	wantJSON(t, r, fmt.Sprintf(`{
  "running": false,
  "pid": 0,
  "stateRoot": %q,
  "lockError": "lock: open %s: it is not a regular file",
  "heartbeatError": "%s: not whole JSON: invalid character '\\x00' looking for beginning of value"
}
`, root, lock, file))
}

func TestJSONCopiesTheHeartbeat(t *testing.T) {
	root := t.TempDir()
	writeHeartbeat(t, root, `{"future":{"b":1,"a":[1.50,null]},"lastCycle":{"itemsSeen":24,"later":"`+"\u202e\u009b\U000e0041\xff"+`"},
		"pid":1,"running":true,"stateRoot":"elsewhere","lastCycleAt":null,"cycle":1,"cycle":2}`)
	wantJSON(t, status.Gather(root, at("13:10:12")), fmt.Sprintf(`{
  "running": false,
  "pid": 0,
  "stateRoot": %q,
  "startedAt": "",
  "lastCycleAt": "",
  "intervalSeconds": 0,
  "lastCycle": {
    "itemsSeen": 24,
    "later": "\u202e\u009b\udb40\udc41\ufffd"
  },
  "cycle": 2,
  "future": {
    "b": 1,
    "a": [
      1.50,
      null
    ]
  }
}
`, root))
}

// An older program's heartbeat, to the byte as that one would show it.
func TestOlderHeartbeat(t *testing.T) {
	root := t.TempDir()
	writeHeartbeat(t, root, `{"startedAt":"2026-11-30T10:00:00+00:00","lastCycleAt":"2026-11-30T13:10:00Z","intervalSeconds":60,
		"lastCycle":{"itemsSeen":24,"spawns":0,"commentsForwarded":1,"closures":0,"failures":0,"errors":1,"interrupted":false}}`)
	wantText(t, status.Gather(root, at("13:13:00")), `
		poller      not running
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (3m ago, before it stopped) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded, 1 error(s)
		`)
}

// Whatever the file holds, the report is a report: lines of known keys without
// a character that a terminal would act on, and JSON.
func FuzzGather(f *testing.F) {
	full, err := heartbeat.File{
		StartedAt: at("10:00:00"), LastCycleAt: at("13:10:00"), Interval: time.Minute, ConfigError: "x\ny",
		Progress: &heartbeat.Progress{Total: 3, Scope: "octo/\u202ex"}, Pace: &heartbeat.Pace{Host: "h\x1b"},
		LastCycle: poller.Summary{ScopesFailed: []poller.ScopeFailure{failure("octo/b", "HTTP 401\r\nhint: x")},
			ProviderErrors: []poller.ProviderError{{Provider: "p", Error: "\u009b31m"}}},
	}.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte(`{"lastCycle":{"scopesFailed":[{"scope":"a\n            hint: b","error":"` + "\xff\u2028" + `"}]}}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		root := t.TempDir()
		writeHeartbeat(t, root, string(content))
		for _, running := range []bool{false, true} {
			r := status.Gather(root, at("13:10:12"))
			r.Running = running
			checkLines(t, r)
			out, err := r.JSON()
			if err != nil || !json.Valid(out) {
				t.Fatalf("JSON = %q, %v", out, err)
			}
		}
	})
}

func checkLines(t *testing.T, r status.Report) {
	t.Helper()
	text := r.Text()
	if !utf8.ValidString(text) || len(r.Lines()) != strings.Count(text, "\n") {
		t.Fatalf("%q is not one line each of %q", text, r.Lines())
	}
	for i, line := range r.Lines() {
		for _, c := range line {
			if !unicode.IsPrint(c) && c != '\ufe0e' && c != '\ufe0f' {
				t.Fatalf("%q holds %q", line, c)
			}
		}
		known := i == 0 && strings.HasPrefix(line, "poller      ")
		for _, key := range []string{"started:    ", "last cycle: ", "progress:   ", "stale:      ", "pace:       ", "config:     ", "degraded:   ", "hint:       "} {
			known = known || i > 0 && strings.HasPrefix(line, strings.Repeat(" ", 12)+key) && len(line) > 24
		}
		if !known {
			t.Fatalf("%q is no line of a report", line)
		}
	}
}

func BenchmarkGather(b *testing.B) {
	root := b.TempDir()
	var file heartbeat.File
	file.LastCycleAt = at("13:10:00")
	for i := range 500 {
		file.LastCycle.ScopesFailed = append(file.LastCycle.ScopesFailed, failure(fmt.Sprintf("octo/repo-%d", i), "gh issue list --repo exited 1: HTTP 502"))
	}
	if err := heartbeat.Write(filepath.Join(root, heartbeat.FileName), file); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_ = status.Gather(root, at("13:10:12")).Text()
	}
}
