package config_test

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/config"
)

func TestEventLogPlace(t *testing.T) {
	root := filepath.Join(home(t), "state", "the-loop")
	tests := []struct {
		name, content, want string
		disabled            bool
	}{
		{name: "not in the file", content: smallest, want: filepath.Join(root, "events.jsonl")},
		{name: "an empty file", want: filepath.Join(root, "events.jsonl")},
		{name: "an empty section", content: smallest + "eventLog:\n", want: filepath.Join(root, "events.jsonl")},
		{name: "relative", content: smallest + "eventLog: {path: log/e.jsonl}\n", want: filepath.Join(root, "log", "e.jsonl")},
		{name: "in the home folder", content: smallest + "eventLog: {path: ~/e.jsonl}\n", want: filepath.Join(home(t), "e.jsonl")},
		{name: "another state root", content: smallest + "state: {root: ~/s}\n", want: filepath.Join(home(t), "s", "events.jsonl")},
		{name: "switched off", content: smallest + "eventLog: {enabled: false}\n", want: filepath.Join(root, "events.jsonl"), disabled: true},
		{name: "faults elsewhere", content: "polling: [nope]\nfoo: 1\neventLog: {path: x, maxSizeMB: no}\n", want: filepath.Join(root, "x")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := config.Options{
				File: write(t, tt.content), Explicit: true,
				Getenv: env("HOME="+home(t), "USERPROFILE="+home(t), "XDG_STATE_HOME="+filepath.Join(home(t), "state")),
			}
			path, enabled, doubt, err := config.EventLogPlace(o)
			if doubt != nil {
				t.Errorf("doubt: %v", doubt)
			}
			if err != nil || path != tt.want || enabled == tt.disabled {
				t.Errorf("EventLogPlace = %q, %t, %v; want %q, %t", path, enabled, err, tt.want, !tt.disabled)
			}
			if cfg, err := config.Load(o); err == nil && (cfg.EventLog.Path != path || cfg.EventLog.Enabled != enabled) {
				t.Errorf("EventLogPlace = %q, %t, but Load says %+v", path, enabled, cfg.EventLog)
			}
		})
	}
}

func TestEventLogPlaceOfABrokenFile(t *testing.T) {
	tests := []struct{ name, content, path, want string }{
		{"no YAML", "eventLog: [", "", "F:1:11: not valid YAML: sequence end token ']' not found"},
		{"no mapping", "eventLog: 7\n", "", "F:1:11: eventLog: must be a mapping, got 7"},
		{"no text", "eventLog: {path: 7}\n", "", "F:1:18: eventLog.path: must be a path, got 7"},
		{"an empty path", "eventLog: {path: ''}\n", "", "F:1:18: eventLog.path: a path must not be empty"},
		{"neither true nor false", "eventLog: {enabled: maybe}\n", "", `F:1:21: eventLog.enabled: must be true or false, got "maybe"`},
		{"beside a fault", "eventLog: {path: a}\nx: [", "a", "F:2:4: not valid YAML: sequence end token ']' not found"},
		{"twice", "eventLog: {path: a}\neventLog: {path: b}\n", "a", "F:2:1: eventLog: the key is already set at line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := config.Options{
				File: write(t, tt.content), Explicit: true, Getenv: env(),
				Overrides: config.Overrides{StateRoot: t.TempDir()},
			}
			path, enabled, doubt, err := config.EventLogPlace(o)
			if want := filepath.Join(o.Overrides.StateRoot, cmp.Or(tt.path, "events.jsonl")); err != nil || path != want || !enabled {
				t.Errorf("EventLogPlace = %q, %t, %v; want %q, true", path, enabled, err, want)
			}
			if doubt == nil {
				t.Fatal("no doubt")
			}
			if got := strings.ReplaceAll(doubt.Error(), o.File, "F"); got != tt.want {
				t.Errorf("error\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestEventLogPlaceWithoutAFile(t *testing.T) {
	root := t.TempDir()
	o := config.Options{
		File: filepath.Join(t.TempDir(), "none.yaml"), Getenv: env(),
		Overrides: config.Overrides{StateRoot: root},
	}
	path, enabled, _, err := config.EventLogPlace(o)
	if want := filepath.Join(root, "events.jsonl"); err != nil || path != want || !enabled {
		t.Errorf("EventLogPlace = %q, %t, %v; want %q, true", path, enabled, err, want)
	}
	o.Explicit = true
	if _, _, doubt, _ := config.EventLogPlace(o); hintOf(doubt) == "" {
		t.Errorf("EventLogPlace of a file that was asked for and is missing: %v, want doubt with a hint", doubt)
	}
}
