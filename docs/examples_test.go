//go:build unix

package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/internal/config"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/poller"
	"the-loop/status"
)

// TestConfigurationsOfThePagesAreValid takes what a fragment leaves out from
// the command line, as a user could.
func TestConfigurationsOfThePagesAreValid(t *testing.T) {
	section := regexp.MustCompile(`(?m)^(state|polling|routing|eventLog):`)
	for _, p := range pages(t) {
		for _, b := range p.code {
			if b.lang != "yaml" || !section.MatchString(b.text()) {
				continue
			}
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(b.text()), 0o600); err != nil {
				t.Fatal(err)
			}
			o := config.Options{File: file, Explicit: true, Getenv: func(string) string { return "" }}
			o.Overrides.StateRoot = t.TempDir()
			if !strings.Contains(b.text(), "sources:") {
				o.Overrides.Repos = []string{"octo/repo-a"}
			}
			if _, err := config.Load(o); err != nil {
				t.Errorf("%s:%d: %v", p.name, b.line, err)
			}
		}
	}
}

// TestJSONOfThePages: every JSON text can be read and has the keys that the
// program writes, no other.
func TestJSONOfThePages(t *testing.T) {
	known := map[string][]string{
		"event":     nil, // by its kind
		"startedAt": heartbeatKeys(t),
		"running":   append(statusKeys(t), heartbeatKeys(t)...),
		"check":     {"check", "subject", "ok", "level", "message", "fix"},
	}
	for _, p := range pages(t) {
		for _, b := range p.code {
			for _, text := range jsonTexts(b) {
				where := fmt.Sprintf("%s:%d", p.name, b.line)
				var object map[string]any
				if err := json.Unmarshal([]byte(text), &object); err != nil {
					t.Errorf("%s: %v", where, err)
					continue
				}
				switch {
				case object["deliveryId"] != nil: // what a handler gets: internal/session compares it
				case object["ts"] != nil:
					checkEvent(t, where, object)
				default:
					for kind, keys := range known {
						if object[kind] != nil {
							checkKeys(t, where, object, keys)
						}
					}
				}
			}
		}
	}
}

// jsonTexts are the whole of a block of JSON, or the lines of another that are
// objects.
func jsonTexts(b codeBlock) []string {
	if b.lang == "json" {
		return []string{b.text()}
	}
	var texts []string
	for _, line := range b.lines {
		if strings.HasPrefix(line, `{"`) {
			texts = append(texts, line)
		}
	}
	return texts
}

func checkKeys(t *testing.T, where string, object map[string]any, known []string) {
	t.Helper()
	for _, key := range keyPaths("", object) {
		if !slices.Contains(known, key) {
			t.Errorf("%s: the program writes no key %s", where, key)
		}
	}
}

// checkEvent wants an event whole: its kind's fields, and those of every line.
func checkEvent(t *testing.T, where string, event map[string]any) {
	t.Helper()
	for _, kind := range eventlog.Catalogue() {
		if kind.Name != event["event"] {
			continue
		}
		want := []string{"ts", "event", "level", "pid"}
		for _, f := range kind.Fields {
			want = append(want, f.Name)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(event))); diff != "" {
			t.Errorf("%s: fields of %s (-want +got):\n%s", where, kind.Name, diff)
		}
		if event["level"] != string(kind.Level) {
			t.Errorf("%s: level %v, want %s", where, event["level"], kind.Level)
		}
		return
	}
	t.Errorf("%s: no event is called %v", where, event["event"])
}

// keyPaths are the paths of all values that hold no further keys, each once. A
// key that is a name is called by its kind, and what waits has three keys that
// the page describes once.
func keyPaths(path string, value any) []string {
	found := map[string]bool{}
	switch v := value.(type) {
	case map[string]any:
		if v["first"] != nil {
			return []string{path}
		}
		names := map[string]string{
			"scopes": "SCOPE", "quotas": "HOST", "counts.deliveries": "OUTCOME", "counts.sessions": "STATE",
		}
		for key, inner := range v {
			if names[path] != "" {
				key = names[path]
			}
			for _, p := range keyPaths(strings.TrimPrefix(path+"."+key, "."), inner) {
				found[p] = true
			}
		}
	case []any:
		for _, inner := range v {
			for _, p := range keyPaths(path+"[]", inner) {
				found[p] = true
			}
		}
	default:
		found[path] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func keyPathsOf(t *testing.T, text []byte) []string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return keyPaths("", value)
}

func at(text string) time.Time {
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return when
}

// example is the heartbeat whose status the README shows.
func example() heartbeat.File {
	return heartbeat.File{
		StartedAt: at("2026-11-30T10:00:00Z"), LastCycleAt: at("2026-11-30T13:10:00Z"),
		Interval: time.Minute, Version: heartbeat.Version, Cycle: 186,
		LastCycle: poller.Summary{
			ItemsSeen: 24, CommentsForwarded: 1, Errors: 1, ScopesPolled: 12, Duration: 2840 * time.Millisecond,
			ScopesFailed: []poller.ScopeFailure{{Scope: "octo/repo-b", Error: "gh issue list --repo exited 1: HTTP 502"}},
			ScopesSkipped: []poller.ScopeFailure{{Scope: "octo/repo-m", Permanent: true,
				Error: "issues are disabled on this repository; its issues are skipped and re-probed every 60 cycles, " +
					"its pull requests are still polled"}},
		},
		Scopes: map[string]heartbeat.Scope{
			"octo/repo-b": {LastSuccessAt: at("2026-11-30T13:08:57Z"), FailingSince: at("2026-11-30T13:10:00Z")},
			"octo/repo-m": {FailingSince: at("2026-11-30T10:00:03Z")},
		},
	}
}

// paced adds to the example what is there only now and then.
func paced(f heartbeat.File) heartbeat.File {
	f.Pace = &heartbeat.Pace{Host: "github.com", Interval: 150 * time.Second, Remaining: 4700, ResetAt: at("2026-11-30T14:00:00Z"), Calls: 200}
	return f
}

// heartbeatKeys are all keys that a heartbeat can have.
func heartbeatKeys(t *testing.T) []string {
	t.Helper()
	f := paced(example())
	f.Progress = &heartbeat.Progress{StartedAt: f.StartedAt, UpdatedAt: f.StartedAt, Done: 1, Total: 2, Scope: "octo/repo-a"}
	f.ConfigError = "what is wrong"
	waiting := poller.Waiting{Count: 3, First: "github:octo/repo-a#7"}
	f.Standing = poller.Standing{
		GaveUp: waiting, Held: waiting, NoHandler: waiting, Paused: waiting, Stopped: waiting, Lost: waiting, Unwritten: 3,
		Gone:     []poller.GoneItem{{Ref: "github:octo/repo-a#7", Note: "deleted"}},
		Failing:  []poller.ItemError{{Ref: "github:octo/repo-a#7", Error: "why"}},
		Workload: dispatch.Workload{Running: 4, Waiting: 12},
	}
	f.Standing.Queue = poller.Queue{Waiting: 12, Live: 5, Limit: 5, Source: "github"}
	f.Standing.Counts = poller.Counts{Deliveries: map[string]int{"delivered": 3}, Sessions: map[string]int{"active": 5}}
	f.Quotas = map[string]heartbeat.Quota{"github.com": {Limit: 5000}}
	f.LogError, f.Program = "2 lines lost", "1.2"
	f.LastCycle.ScopesUnchanged, f.LastCycle.ScopesAsked, f.LastCycle.SurveyCalls = 1, 2, 1
	f.LastCycle.SurveyFailing = []poller.SurveyFailing{{Host: "ghe.example.com", Error: "why"}}
	f.LastCycle.ProviderErrors = []poller.ProviderError{{Provider: "github", Error: "why", Cause: poller.CauseNoGH}}
	f.LastCycle.ScopesFailed[0].Cause, f.LastCycle.ScopesSkipped[0].Cause = poller.CauseNoNetwork, poller.CauseRateLimit
	text, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return keyPathsOf(t, text)
}

// statusKeys are those that status adds, whatever it finds.
func statusKeys(t *testing.T) []string {
	t.Helper()
	broken := errors.New("not to be read")
	text, err := status.Report{Stopping: true, LockError: broken, HeartbeatError: broken}.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return keyPathsOf(t, text)
}

func TestHeartbeatIsDescribed(t *testing.T) {
	const page = "docs/operations.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n### The heartbeat\n")
	section, _, _ = strings.Cut(section, "\n#")
	ofHeartbeat, ofStatus, found := strings.Cut(section, "`the-loop status --format json` adds")
	if !found {
		t.Fatalf("%s does not say what status adds to the heartbeat", page)
	}
	for list, want := range map[string][]string{
		ofHeartbeat: append(heartbeatKeys(t), "lastCycle"),
		ofStatus:    statusKeys(t),
	} {
		got := listedKeys(list)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, keys (-want +got):\n%s", page, diff)
		}
	}
}

// listedKeys are the keys that begin the entries of a list: "- `a`, `b`: meaning".
func listedKeys(text string) []string {
	var keys []string
	entry := regexp.MustCompile("(?m)^- (`[^`]+`(?:,\\s+`[^`]+`)*): ")
	for _, m := range entry.FindAllStringSubmatch(text, -1) {
		keys = append(keys, keysOf(strings.Join(strings.Fields(m[1]), " "))...)
	}
	return keys
}

// keysOf are the keys of one entry: `a.b`, `.c` are a.b and a.c.
func keysOf(entry string) []string {
	var keys []string
	object := ""
	for key := range strings.SplitSeq(entry, ", ") {
		key = strings.Trim(key, "`")
		if strings.HasPrefix(key, ".") {
			key = object + key
		}
		object = key[:max(strings.LastIndex(key, "."), 0)]
		keys = append(keys, key)
	}
	return keys
}
