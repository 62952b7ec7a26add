package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/config"
)

func TestStateRoot(t *testing.T) {
	byDefault := filepath.Join(home(t), "state", "the-loop")
	tests := []struct{ name, content, want string }{
		{"not in the file", smallest, byDefault},
		{"an empty section", "state:\n" + smallest, byDefault},
		{"an empty file", "", byDefault},
		{"faults elsewhere", "polling: [nope]\nfoo: !!str bar\n", byDefault},
		{"absolute", "state: {root: " + filepath.ToSlash(home(t)) + "/x}\nfoo: 1\n", filepath.Join(home(t), "x")},
		{"in the home folder", "state: {root: ~/x}\n", filepath.Join(home(t), "x")},
		{"by an alias", "foo: &r ~/x\nstate: {root: *r}\n", filepath.Join(home(t), "x")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := config.Options{
				File: write(t, tt.content), Explicit: true,
				Getenv: env("HOME="+home(t), "USERPROFILE="+home(t), "XDG_STATE_HOME="+filepath.Join(home(t), "state")),
			}
			got, err := config.StateRoot(o)
			if err != nil || got != tt.want {
				t.Errorf("StateRoot = %q, %v, want %q", got, err, tt.want)
			}
			if cfg, err := config.Load(o); err == nil && cfg.StateRoot != got {
				t.Errorf("StateRoot = %q, but Load says %q", got, cfg.StateRoot)
			}
		})
	}
}

func TestStateRootIsTakenFromTheFilesFolder(t *testing.T) {
	o := config.Options{File: write(t, "state: {root: x}\n"+smallest), Explicit: true, Getenv: env()}
	got, err := config.StateRoot(o)
	if want := filepath.Join(filepath.Dir(o.File), "x"); err != nil || got != want {
		t.Errorf("StateRoot = %q, %v, want %q", got, err, want)
	}
}

func TestStateRootThatCannotBeTold(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"no YAML", "state: [", "F:1:8: not valid YAML: sequence end token ']' not found"},
		{"no mapping", "just text", `F:1:1: must be a mapping, got "just text"`},
		{"no section", "state: 7\n", "F:1:8: state: must be a mapping, got 7"},
		{"no text", "state: {root: 7}\n", "F:1:15: state.root: must be a path, got 7"},
		{"nothing", "state:\n  root:\n", "F:2:3: state.root: must be a path, got nothing"},
		{"empty", "state: {root: ''}\n", "F:1:15: state.root: a path must not be empty"},
		{"twice", "state: {root: /a}\nstate: {root: /b}\n", "F:2:1: state: the key is there already, at line 1"},
		{"the home folder is not known", "state: {root: ~/x}\n", `F:1:15: state.root: "~/x": the home folder is not known`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.content)
			_, err := config.StateRoot(config.Options{File: file, Explicit: true, Getenv: env()})
			if err == nil {
				t.Fatal("StateRoot succeeded")
			}
			if got := strings.ReplaceAll(err.Error(), file, "F"); got != tt.want {
				t.Errorf("error\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestStateRootWithoutAFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	byDefault := env("XDG_STATE_HOME=" + home(t))
	for _, file := range []string{"", missing} {
		got, err := config.StateRoot(config.Options{File: file, Getenv: byDefault})
		if want := filepath.Join(home(t), "the-loop"); err != nil || got != want {
			t.Errorf("StateRoot of file %q = %q, %v, want %q", file, got, err, want)
		}
	}
	if _, err := config.StateRoot(config.Options{File: missing, Explicit: true, Getenv: byDefault}); hintOf(err) == "" {
		t.Errorf("StateRoot of a file that was asked for and is missing: %v, want an error with a hint", err)
	}
	root := t.TempDir()
	got, err := config.StateRoot(config.Options{
		File: missing, Explicit: true, Getenv: env(), Overrides: config.Overrides{StateRoot: root},
	})
	if err != nil || got != root {
		t.Errorf("StateRoot with --state-root = %q, %v, want %q", got, err, root)
	}
}
