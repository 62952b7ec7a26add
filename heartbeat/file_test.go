package heartbeat_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"the-loop/heartbeat"
	"the-loop/internal/dispatch"
	"the-loop/poller"
)

var notSource = cmpopts.IgnoreFields(heartbeat.File{}, "Source")

func at(clock string) time.Time {
	t, err := time.Parse("15:04:05", clock)
	if err != nil {
		panic(err)
	}
	return time.Date(2026, 11, 30, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

func fullFile() heartbeat.File {
	return heartbeat.File{
		StartedAt:   at("10:00:00"),
		LastCycleAt: at("13:10:00"),
		Interval:    1500 * time.Millisecond,
		LastCycle: poller.Summary{
			ItemsSeen: 24, Spawns: 1, CommentsForwarded: 2, Closures: 3, Failures: 4, Errors: 5, Interrupted: true,
			ScopesPolled:    12,
			ScopesFailed:    []poller.ScopeFailure{{Scope: "octo/b", Error: `HTTP 502: <html> & "more"`, Cause: poller.CauseNoNetwork}},
			ScopesSkipped:   []poller.ScopeFailure{{Scope: "octo/m", Error: "issues are disabled", Permanent: true}},
			ProviderErrors:  []poller.ProviderError{{Provider: "github-2", Error: "could not run gh", Cause: poller.CauseNoGH}},
			Duration:        1234 * time.Millisecond,
			ScopesUnchanged: 10, ScopesAsked: 13, SurveyCalls: 2,
			SurveyFailing: []poller.SurveyFailing{{Host: "ghe.example.com", Since: at("13:00:00"), Error: "HTTP 502"}},
		},
		Version:     1,
		Cycle:       7,
		Progress:    &heartbeat.Progress{StartedAt: at("13:10:50"), UpdatedAt: at("13:11:10"), Done: 17, Total: 41, Scope: "octo/x"},
		ConfigError: "config.yaml:3:1: unknown key",
		LogError:    "2 lines lost",
		Pace:        &heartbeat.Pace{Host: "github.com", Interval: 150 * time.Second, Remaining: 900, ResetAt: at("14:00:00"), Calls: 200},
		Scopes: map[string]heartbeat.Scope{
			"octo/m": {FailingSince: at("12:00:00")},
			"octo/b": {LastSuccessAt: at("13:08:00"), FailingSince: at("13:09:00")},
		},
		Standing: poller.Standing{
			GaveUp:    poller.Waiting{Count: 2, First: "github:octo/a#8", Since: at("12:31:00")},
			Held:      poller.Waiting{Count: 1, First: "github:octo/a#9", Since: at("12:32:00")},
			NoHandler: poller.Waiting{Count: 3, First: "github:octo/a#7", Since: at("12:30:00")},
			Lost:      poller.Waiting{Count: 1, First: "github:octo/a#8", Since: at("12:31:00")},
			Paused:    poller.Waiting{Count: 1, First: "github:octo/a#8", Since: at("12:31:00")},
			Stopped:   poller.Waiting{Count: 2, First: "github:octo/a#9", Since: at("12:32:00")},
			Gone:      []poller.GoneItem{{Ref: "github:octo/a#2", Note: "deleted"}},
			Failing:   []poller.ItemError{{Ref: "github:octo/a#1", Error: "HTTP 502", Since: at("12:33:00")}},
			Unwritten: 4, UnwrittenError: "no space left on device",
			Workload: dispatch.Workload{Running: 4, Waiting: 12, OldestAt: at("12:34:00")},
		},
	}
}

const fullText = `{
  "startedAt": "2026-11-30T10:00:00Z",
  "lastCycleAt": "2026-11-30T13:10:00Z",
  "intervalSeconds": 1.5,
  "lastCycle": {
    "itemsSeen": 24,
    "spawns": 1,
    "commentsForwarded": 2,
    "closures": 3,
    "failures": 4,
    "errors": 5,
    "interrupted": true,
    "scopesPolled": 12,
    "scopesUnchanged": 10,
    "scopesAsked": 13,
    "surveyCalls": 2,
    "surveyFailing": [
      {
        "host": "ghe.example.com",
        "since": "2026-11-30T13:00:00Z",
        "error": "HTTP 502"
      }
    ],
    "scopesFailed": [
      {
        "scope": "octo/b",
        "error": "HTTP 502: <html> & \"more\"",
        "permanent": false,
        "cause": "no-network"
      }
    ],
    "scopesSkipped": [
      {
        "scope": "octo/m",
        "error": "issues are disabled",
        "permanent": true
      }
    ],
    "providerErrors": [
      {
        "provider": "github-2",
        "error": "could not run gh",
        "cause": "no-gh"
      }
    ],
    "durationSeconds": 1.234
  },
  "version": 1,
  "cycle": 7,
  "progress": {
    "startedAt": "2026-11-30T13:10:50Z",
    "updatedAt": "2026-11-30T13:11:10Z",
    "done": 17,
    "total": 41,
    "scope": "octo/x"
  },
  "configError": "config.yaml:3:1: unknown key",
  "logError": "2 lines lost",
  "pace": {
    "host": "github.com",
    "intervalSeconds": 150,
    "remaining": 900,
    "resetAt": "2026-11-30T14:00:00Z",
    "calls": 200
  },
  "scopes": {
    "octo/b": {
      "lastSuccessAt": "2026-11-30T13:08:00Z",
      "failingSince": "2026-11-30T13:09:00Z"
    },
    "octo/m": {
      "lastSuccessAt": "",
      "failingSince": "2026-11-30T12:00:00Z"
    }
  },
  "standing": {
    "gaveUp": {
      "count": 2,
      "first": "github:octo/a#8",
      "since": "2026-11-30T12:31:00Z"
    },
    "held": {
      "count": 1,
      "first": "github:octo/a#9",
      "since": "2026-11-30T12:32:00Z"
    },
    "noHandler": {
      "count": 3,
      "first": "github:octo/a#7",
      "since": "2026-11-30T12:30:00Z"
    },
    "paused": {
      "count": 1,
      "first": "github:octo/a#8",
      "since": "2026-11-30T12:31:00Z"
    },
    "stopped": {
      "count": 2,
      "first": "github:octo/a#9",
      "since": "2026-11-30T12:32:00Z"
    },
    "lost": {
      "count": 1,
      "first": "github:octo/a#8",
      "since": "2026-11-30T12:31:00Z"
    },
    "gone": [
      {
        "ref": "github:octo/a#2",
        "note": "deleted"
      }
    ],
    "failing": [
      {
        "ref": "github:octo/a#1",
        "error": "HTTP 502",
        "since": "2026-11-30T12:33:00Z"
      }
    ],
    "unwritten": {
      "count": 4,
      "error": "no space left on device"
    },
    "deliveries": {
      "running": 4,
      "waiting": 12,
      "oldestAt": "2026-11-30T12:34:00Z"
    }
  }
}
`

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		name string
		file heartbeat.File
		want string
	}{
		{"everything", fullFile(), fullText},
		{"before the first cycle", heartbeat.File{StartedAt: at("10:00:00"), Interval: time.Minute, Version: 1}, `{
  "startedAt": "2026-11-30T10:00:00Z",
  "lastCycleAt": "",
  "intervalSeconds": 60,
  "lastCycle": {},
  "version": 1,
  "cycle": 0
}
`},
		{"a quiet cycle", heartbeat.File{
			StartedAt: at("10:00:00"), LastCycleAt: at("10:00:01").In(time.FixedZone("CET", 3600)),
			Interval: 10 * time.Millisecond, Version: 1, Cycle: 1,
		}, `{
  "startedAt": "2026-11-30T10:00:00Z",
  "lastCycleAt": "2026-11-30T10:00:01Z",
  "intervalSeconds": 0.01,
  "lastCycle": {
    "itemsSeen": 0,
    "spawns": 0,
    "commentsForwarded": 0,
    "closures": 0,
    "failures": 0,
    "errors": 0,
    "interrupted": false,
    "scopesPolled": 0,
    "scopesFailed": [],
    "scopesSkipped": [],
    "durationSeconds": 0
  },
  "version": 1,
  "cycle": 1
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.file.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "root", heartbeat.FileName)
	for range 2 { // the second write replaces the first
		if err := heartbeat.Write(path, fullFile()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := heartbeat.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullFile(), got, notSource); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	checkMode(t, path, 0o600)
	checkMode(t, filepath.Dir(path), 0o700)
	checkOnlyFile(t, path)
}

func checkMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: mode %v, %v; want %v", path, info.Mode().Perm(), err, want)
	}
}

// checkOnlyFile fails if the folder of path holds any other file.
func checkOnlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// A failed write leaves the old content, no temporary file, and one log line.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), heartbeat.FileName)
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := heartbeat.Write(path, fullFile())
	if err == nil || !strings.HasPrefix(err.Error(), "write "+path+": ") || strings.Contains(err.Error(), "\n") ||
		strings.Count(err.Error(), heartbeat.FileName) != 1 {
		t.Errorf("got error %v, want one line with the file's name and the cause", err)
	}
	checkOnlyFile(t, path)
}

func TestReadFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := heartbeat.Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := heartbeat.Read(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder: %v, want another error", err)
	}
	path := filepath.Join(dir, heartbeat.FileName)
	for name, c := range map[string]struct{ content, want string }{
		"empty":        {"", "empty"},
		"blank":        {" \n", "empty"},
		"NULs":         {strings.Repeat("\x00", 4096), "not whole JSON: "},
		"half":         {fullText[:200], "not whole JSON: "},
		"two":          {"{}{}", "not whole JSON: "},
		"null":         {"null", "not a JSON object"},
		"a list":       {"[]", "not a JSON object"},
		"a number":     {"5", "not a JSON object"},
		"deep":         {strings.Repeat(`{"a":`, 100000), "not whole JSON: "},
		"far too long": {strings.Repeat(" ", 17<<20), "larger than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := heartbeat.Read(path)
			if err == nil || !strings.HasPrefix(err.Error(), path+": "+c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got error %v, want %s: %s…", err, path, c.want)
			}
		})
	}
}

func TestTruncatedAnywhere(t *testing.T) {
	for n := range len(fullText) - 1 {
		if got, err := heartbeat.Parse([]byte(fullText[:n])); err == nil {
			t.Fatalf("cut at %d it reads as %+v", n, got)
		}
	}
	if _, err := heartbeat.Parse([]byte(fullText[:len(fullText)-1])); err != nil {
		t.Errorf("without the final newline: %v", err)
	}
}

func TestParseForgives(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       heartbeat.File
	}{
		{"nothing", `{}`, heartbeat.File{}},
		{"nulls", `{"startedAt":null,"lastCycleAt":null,"intervalSeconds":null,"lastCycle":null,"version":null,
			"progress":null,"pace":null,"scopes":null,"configError":null}`, heartbeat.File{}},
		{"nulls within", `{"lastCycle":{"itemsSeen":null,"scopesFailed":null,"scopesSkipped":[null,{"scope":null},{"scope":"octo/m"}]}}`,
			heartbeat.File{LastCycle: poller.Summary{ScopesSkipped: []poller.ScopeFailure{{Scope: "octo/m"}}}}},
		{"wrong types", `{"startedAt":5,"lastCycleAt":[],"intervalSeconds":"60","cycle":"7","version":{},"progress":"half",
			"pace":[],"scopes":["octo/b"],"configError":true,"lastCycle":{"itemsSeen":"24","spawns":1,"interrupted":"no",
			"scopesFailed":{"scope":"octo/b"},"scopesSkipped":["octo/c",{"scope":"octo/m","error":5,"permanent":"yes"}]}}`,
			heartbeat.File{LastCycle: poller.Summary{Spawns: 1, ScopesSkipped: []poller.ScopeFailure{{Scope: "octo/m"}}}}},
		{"other spellings of seconds", `{"intervalSeconds":6e1}`, heartbeat.File{Interval: time.Minute}},
		{"numbers out of reach", `{"cycle":1e300,"intervalSeconds":-1,"version":1e999}`, heartbeat.File{}},
		{"an interval out of reach", `{"intervalSeconds":1e300}`, heartbeat.File{Interval: 100 * 365 * 24 * time.Hour}},
		{"other spellings of times", `{"startedAt":"2026-11-30T11:00:00.9+01:00","lastCycleAt":"yesterday"}`,
			heartbeat.File{StartedAt: at("10:00:00").Add(900 * time.Millisecond)}},
		{"keys twice", `{"cycle":1,"cycle":2}`, heartbeat.File{Cycle: 2}},
		{"an older program's", `{"startedAt":"2026-11-30T10:00:00Z","lastCycleAt":"2026-11-30T13:10:00Z","intervalSeconds":60,
			"lastCycle":{"itemsSeen":24,"errors":1}}`,
			heartbeat.File{StartedAt: at("10:00:00"), LastCycleAt: at("13:10:00"), Interval: time.Minute,
				LastCycle: poller.Summary{ItemsSeen: 24, Errors: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := heartbeat.Parse([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, notSource); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// For any bytes, Parse returns a file or an error. Encode and Parse keep a parsed file
// unchanged.
func FuzzParse(f *testing.F) {
	f.Add([]byte(fullText))
	f.Add([]byte(`{"lastCycleAt":"2026-11-30T13:10:00Z","lastCycle":{"scopesFailed":[{}]}}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := heartbeat.Parse(data)
		if err != nil {
			return
		}
		once, err := file.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := heartbeat.Parse(once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		twice, err := again.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(once), string(twice)); diff != "" {
			t.Errorf("written again (-once +twice):\n%s", diff)
		}
	})
}
