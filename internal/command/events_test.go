package command

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"the-loop/internal/eventlog"
)

type nopCloser struct{ *bytes.Buffer }

func (nopCloser) Close() error { return nil }

// stored returns an event as the log holds it.
func stored(t testing.TB, e eventlog.Event) eventlog.Stored {
	t.Helper()
	var line bytes.Buffer
	at := time.Date(2026, 11, 30, 10, 0, 0, 999_000_000, time.UTC)
	eventlog.New(nopCloser{&line}, nil, func() time.Time { return at }).Write(e)
	s, err := eventlog.Parse(line.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEventWords(t *testing.T) {
	d := eventlog.Delivery{Ref: "github:octo/a#7", Session: "a-7-x", Handler: "comment", ID: "comment-x", Attempt: 2}
	until := time.Date(2026, 11, 30, 10, 30, 0, 0, time.UTC)
	words := newEventWords(palette{})
	seen := map[string]bool{}
	for _, c := range []struct {
		event eventlog.Event
		want  string
	}{
		{eventlog.Started(eventlog.StartedFields{Version: "v1", StateRoot: "/s", Interval: 150 * time.Second, Sources: []string{"github", "b"}}),
			"info poller.started — version v1, one cycle every 2m30s, sources: github, b"},
		{eventlog.Stopped("asked to stop", 3), "info poller.stopped — asked to stop, after 3 cycles"},
		{eventlog.Blocked(4242, "/s/poll.pid"), "warning poller.blocked — pid 4242 holds /s/poll.pid"},
		{eventlog.Blocked(0, "/s/poll.pid"), "warning poller.blocked — another process holds /s/poll.pid"},
		{eventlog.ConfigReloaded("/c.yaml", nil), "info config.reloaded — /c.yaml, no setting changed"},
		{eventlog.ConfigReloaded("/c.yaml", []string{"polling.pace: false instead of true", "routing.priority: +a"}),
			"info config.reloaded — /c.yaml: polling.pace: false instead of true; routing.priority: +a"},
		{eventlog.ConfigReloadFailed("/c.yaml", "/c.yaml:1:1: no"), "warning config.reload_failed — /c.yaml:1:1: no"},
		{eventlog.Cycle(eventlog.CycleFields{ItemsSeen: 24, Duration: 1200 * time.Millisecond}),
			"info poll.cycle — 24 item(s), 0 spawn(s), 0 comment(s) forwarded, 1.2s"},
		{eventlog.Cycle(eventlog.CycleFields{Closures: 1, Failures: 2, Errors: 3, Interrupted: true, ScopesDegraded: []string{"a", "b"}}),
			"info poll.cycle — 0 item(s), 0 spawn(s), 0 comment(s) forwarded, 1 closed, 2 gave up, 3 error(s), 2 scope(s) degraded, interrupted, 0s"},
		{eventlog.ProviderError("github", "no gh"), "error poll.provider_error github — no gh"},
		{eventlog.ScopeError("octo/b", "github", "HTTP 502"), "error poll.scope_error octo/b — HTTP 502"},
		{eventlog.ScopeDegraded("octo/m", "github", "has disabled issues", 60), "warning poll.scope_degraded octo/m — has disabled issues"},
		{eventlog.ScopeRecovered("octo/m", "github"), "info poll.scope_recovered octo/m"},
		{eventlog.UnlabelledSkipped("octo/a", "github", 60),
			"warning poll.unlabelled_skipped octo/a — more than 300 open pull requests, those without the label are not listed"},
		{eventlog.RateLimited("github.com", until), "warning poll.rate_limited github.com — left alone until 2026-11-30T10:30:00Z"},
		{eventlog.Paced(eventlog.PacedFields{Host: "github.com", Interval: 15 * time.Minute, Remaining: 120, ResetAt: until}),
			"warning poll.paced github.com — one cycle every 15m, 120 points left until 2026-11-30T10:30:00Z"},
		{eventlog.SurveyFailed("github.com", "gh api timed out after 1m0s", 500),
			"warning poll.survey_failed github.com — every repository is listed: gh api timed out after 1m0s"},
		{eventlog.SurveyRecovered("github.com"), "info poll.survey_recovered github.com"},
		{eventlog.ItemError("github:octo/a#7", "boom"), "error poll.item_error github:octo/a#7 — boom"},
		{eventlog.ItemSeen("github:octo/a#7", "issue", "mallory"), "info poll.item_seen github:octo/a#7 — issue by mallory"},
		{eventlog.Unauthorized("github:octo/a#7", "mallory"), "info poll.unauthorized github:octo/a#7 — by mallory"},
		{eventlog.Unauthorized("github:octo/a#7", ""), "info poll.unauthorized github:octo/a#7 — by a deleted account"},
		{eventlog.Adopted("github:octo/a#7", "alice", "IC_1"), "info poll.adopted github:octo/a#7 — by alice"},
		{eventlog.Command("github:octo/a#7", "stop", "alice", true), "info poll.command github:octo/a#7 — stop, by alice"},
		{eventlog.Command("github:octo/a#7", "stop", "eve", false), "info poll.command github:octo/a#7 — stop, by eve, who is not authorized"},
		{eventlog.Queued("github:octo/a#7"), "info poll.queued github:octo/a#7 — waits for room"},
		{eventlog.ClosureDetected("github:octo/a#7", "a-7-x", "merged"), "info poll.closure_detected github:octo/a#7 — merged"},
		{eventlog.ItemGone("github:octo/a#7", "a-7-x", "moved to octo/b#9"), "warning poll.item_gone github:octo/a#7 — moved to octo/b#9, its session is kept"},
		{eventlog.Rearmed("github:octo/a#7", "a-7-x", "spawn", "sessions retry"), "info poll.rearmed github:octo/a#7 — spawn, by sessions retry"},
		{eventlog.SessionSpawned("github:octo/a#7", "a-7-x", "spawn-x"), "info session.spawned github:octo/a#7 — a-7-x"},
		{eventlog.SessionLost("github:octo/a#7", "a-7-x", 1, true), "warning session.lost github:octo/a#7 — lost, starts again"},
		{eventlog.SessionLost("github:octo/a#7", "a-7-x", 3, false), "warning session.lost github:octo/a#7 — lost too often, given up"},
		{eventlog.SessionClosed("github:octo/a#7", "a-7-x", "closed"), "info session.closed github:octo/a#7 — closed"},
		{eventlog.NotifyFailed("gave-up", "github:octo/a#7", "exit status 1", true), "warning notify.failed — gave-up github:octo/a#7: exit status 1"},
		{eventlog.RecordCorrupt("github:octo/a#7", "/r", "/r.corrupt", "half"), "warning session.record_corrupt github:octo/a#7 — half; moved to /r.corrupt"},
		{eventlog.RecordCorrupt("github:octo/a#7", "/r", "", "half"), "warning session.record_corrupt github:octo/a#7 — half"},
		{eventlog.CommentForwarded(d, "IC_1", "alice"), "info poll.comment_forwarded github:octo/a#7 — comment by alice, attempt 2"},
		{eventlog.CommentFailed(d, "IC_1", "exit 1"), "error poll.comment_failed github:octo/a#7 — exit 1"},
		{eventlog.UpdateForwarded(d, "checks"), "info poll.update_forwarded github:octo/a#7 — checks, attempt 2"},
		{eventlog.UpdateFailed(d, "checks", "exit 1"), "error poll.update_failed github:octo/a#7 — exit 1"},
		{eventlog.SpawnFailed(d, "exit 1"), "error poll.spawn_failed github:octo/a#7 — exit 1"},
		{eventlog.CloseFailed(d, "exit 1"), "error poll.close_failed github:octo/a#7 — exit 1"},
		{eventlog.DispatchQueued(d), "info dispatch.queued github:octo/a#7 — comment, attempt 2"},
		{eventlog.DispatchSucceeded(d, 90*time.Second), "info dispatch.succeeded github:octo/a#7 — comment, attempt 2, 1m30s"},
		{eventlog.DispatchFailed(d, time.Second, "exit 1"), "warning dispatch.failed github:octo/a#7 — comment, attempt 2, 1s: exit 1"},
		{eventlog.DispatchDeferred(d, time.Second), "info dispatch.deferred github:octo/a#7 — comment, attempt 2, put off to the next cycle"},
		{eventlog.DispatchAbandoned(d, "stopping"), "info dispatch.abandoned github:octo/a#7 — comment, attempt 2: stopping"},
	} {
		seen[c.event.Name()] = true
		if got, want := words.line(stored(t, c.event)), "2026-11-30T10:00:00Z "+c.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, k := range eventlog.Catalogue() {
		if !seen[k.Name] || words.kinds[k.Name] == nil {
			t.Errorf("%s is put into words: %t, and tested: %t", k.Name, words.kinds[k.Name] != nil, seen[k.Name])
		}
	}
	if len(words.kinds) != len(eventlog.Catalogue()) {
		t.Errorf("words for %d kinds of event, the catalogue has %d", len(words.kinds), len(eventlog.Catalogue()))
	}
}

// A field that is missing, or has another type, costs its own words only.
func TestEventWordsOfStrangeEvents(t *testing.T) {
	words := newEventWords(palette{})
	for line, want := range map[string]string{
		`{"event":"poll.cycle"}`: "- - poll.cycle — 0 item(s), 0 spawn(s), 0 comment(s) forwarded, 0s",
		`{"event":"poll.scope_error","scope":null,"provider":"github","error":null}`:         "- - poll.scope_error github",
		`{"event":"poll.cycle","items_seen":"many","scopes_degraded":7,"duration_ms":1.5e3}`: "- - poll.cycle — 0 item(s), 0 spawn(s), 0 comment(s) forwarded, 1.5s",
		`{"event":"a\nb","level":"\u001b[31m","x\ty":"1\n2","host":"h"}`:                     "- \ufffd[31m a b h — x y=1 2",
		`{"event":"new","reason":"because","n":1}`:                                           "- - new — because",
		`{"event":"new","ts":"2026-11-30T12:00:00+02:00"}`:                                   "2026-11-30T10:00:00Z - new",
	} {
		s, err := eventlog.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := words.line(s); got != want {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

func TestEventWordsInColour(t *testing.T) {
	words := newEventWords(palette{on: true})
	for e, want := range map[string]string{
		"info": " info poll", "warning": " \x1b[33mwarning\x1b[0m poll", "error": " \x1b[31merror\x1b[0m poll",
	} {
		s := stored(t, eventlog.ItemError("r", "e"))
		s.Level = eventlog.Level(e)
		if got := words.line(s); !strings.Contains(got, want) {
			t.Errorf("%q does not contain %q", got, want)
		}
	}
}

func FuzzEventWords(f *testing.F) {
	for _, k := range eventlog.Catalogue() {
		f.Add([]byte(`{"event":"` + k.Name + `","error":"\u001b[0m\u202e\n","scope":"a b","sources":["\u0000"]}`))
	}
	words := newEventWords(palette{})
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := eventlog.Parse(line)
		if err != nil {
			return
		}
		for _, r := range words.line(s) {
			if !unicode.IsPrint(r) && r != 0xFE0E && r != 0xFE0F {
				t.Fatalf("%q is shown as %q", line, words.line(s))
			}
		}
	})
}

func TestParseSince(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0s": 0, "90s": 90 * time.Second, "2h30m": 150 * time.Minute, "7d": 7 * 24 * time.Hour,
		"1d12h": 36 * time.Hour, "0d": 0, "1.5h": 90 * time.Minute, "36500d": 36500 * 24 * time.Hour,
	} {
		if got, err := parseSince(s); err != nil || got != want {
			t.Errorf("parseSince(%q) = %s, %v; want %s", s, got, err, want)
		}
	}
	for _, s := range []string{"", "7", "d", "-1h", "-1d", "1d-2h", "1d 2h", "yesterday", "1.5d", "99999999d", "65535d2562047h", "+1h", "1h7d", "2026-11-30"} {
		if got, err := parseSince(s); err == nil {
			t.Errorf("parseSince(%q) = %s, want an error", s, got)
		}
	}
}

// A line that cannot be written ends the printing.
func TestEventsCannotBeWritten(t *testing.T) {
	full := errors.New("no space left on device")
	a := &app{stdout: failingWriter{full}, stderr: new(bytes.Buffer)}
	p := a.eventPrinter(eventOptions{since: -1}, "events.jsonl")
	err := p.end(p.print(stored(t, eventlog.ItemError("r", "e")).Raw))
	if !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestEventFilter(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		types []string
		since time.Time
		want  bool
	}{
		{want: true},
		{types: []string{"poll.*"}, want: true},
		{types: []string{"poll.scope_error"}, want: true},
		{types: []string{"session.*", "*_error"}, want: true},
		{types: []string{"session.*"}},
		{types: []string{"poll"}},
		{since: now, want: true},
		{since: now.Add(time.Second)},
		{types: []string{"*"}, since: now.Add(time.Second)},
	} {
		p := &eventPrinter{types: c.types, since: c.since}
		if got := p.wants(now, "poll.scope_error"); got != c.want {
			t.Errorf("%v since %s: %t, want %t", c.types, c.since, got, c.want)
		}
	}
}
