package config_test

import (
	"cmp"
	"path/filepath"
	"runtime"
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := config.Options{
				File: write(t, tt.content), Explicit: true,
				Getenv: env("HOME="+home(t), "USERPROFILE="+home(t), "XDG_STATE_HOME="+filepath.Join(home(t), "state")),
			}
			got, doubt, err := config.StateRoot(o)
			if err != nil || doubt != nil || got != tt.want {
				t.Errorf("StateRoot = %q, %v, %v, want %q", got, doubt, err, tt.want)
			}
			if cfg, err := config.Load(o); err == nil && cfg.StateRoot != got {
				t.Errorf("StateRoot = %q, but Load says %q", got, cfg.StateRoot)
			}
		})
	}
}

func TestStateRootIsTakenFromTheFilesFolder(t *testing.T) {
	o := config.Options{File: write(t, "state: {root: x}\n"+smallest), Explicit: true, Getenv: env()}
	got, _, err := config.StateRoot(o)
	if want := filepath.Join(filepath.Dir(o.File), "x"); err != nil || got != want {
		t.Errorf("StateRoot = %q, %v, want %q", got, err, want)
	}
}

// A broken file does not hide the poller: what can be made out of it counts, and
// the doubt says what is wrong.
func TestStateRootOfABrokenFile(t *testing.T) {
	rest := "\npolling: [\n"
	tests := []struct{ name, content, want, doubt string }{
		{"no YAML", "state: [", "", "F:1:8: not valid YAML: sequence end token ']' not found"},
		{"no mapping", "just text", "", `F:1:1: must be a mapping, got "just text"`},
		{"no section", "state: 7\n", "", "F:1:8: state: must be a mapping, got 7"},
		{"no text", "state: {root: 7}\n", "", "F:1:15: state.root: must be a path, got 7"},
		{"nothing", "state:\n  root:\n", "", "F:2:3: state.root: must be a path, got nothing"},
		{"empty", "state: {root: ''}\n", "", "F:1:15: state.root: a path must not be empty"},
		{"twice", "state: {root: /a}\nstate: {root: /b}\n", "/a", "F:2:1: state: the key is already set at line 1"},
		{"the home folder is not known", "state: {root: ~/x}\n", "", `F:1:15: state.root: "~/x": the home folder is not known`},
		{"before the fault", "state:\n  root: /a/b # mine" + rest, "/a/b", "F:"},
		{"after the fault", "polling: [\nstate:\n  # where\n\n  root: '/a b'\nx: }\n", "/a b", "F:"},
		{"in one line", "state: {root: /a}" + rest, "/a", "F:"},
		{"a quoted key", "\"state\" : {root: /a}" + rest, "/a", "F:"},
		{"beside a broken line", "state:\n  keepDays: {{\n  root: /a\n  more: \"" + rest, "/a", "F:"},
		{"itself broken", "state:\n  root: \"/a" + rest, "", "F:"},
		{"a list", "state: [root, /a]" + rest, "", "F:"},
		{"another section's", "other:\n  root: /a\n  state: {root: /b}" + rest, "", "F:"},
		{"binary", "\x00\x01\nstate: {root: /a}\n", "/a", "F:1:1: a NUL byte is not allowed in the file"},
		{"too large", "state: {root: /a}\n" + strings.Repeat("#\n", 1<<19), "/a", "read the configuration: F is larger than 1 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("paths of Unix")
			}
			file := write(t, tt.content)
			got, doubt, err := config.StateRoot(config.Options{File: file, Explicit: true, Getenv: env("XDG_STATE_HOME=/default")})
			if want := cmp.Or(tt.want, "/default/the-loop"); err != nil || got != want {
				t.Errorf("StateRoot = %q, %v, want %q", got, err, want)
			}
			if doubt == nil {
				t.Fatal("no doubt")
			}
			if text := strings.ReplaceAll(doubt.Error(), file, "F"); !strings.HasPrefix(text, tt.doubt) {
				t.Errorf("doubt\n got %q\nwant %q", text, tt.doubt)
			}
		})
	}
}

func TestStateRootWithoutAFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	byDefault := env("XDG_STATE_HOME=" + home(t))
	want := filepath.Join(home(t), "the-loop")
	for _, file := range []string{"", missing} {
		got, doubt, err := config.StateRoot(config.Options{File: file, Getenv: byDefault})
		if err != nil || doubt != nil || got != want {
			t.Errorf("StateRoot of file %q = %q, %v, %v, want %q", file, got, doubt, err, want)
		}
	}
	got, doubt, err := config.StateRoot(config.Options{File: missing, Explicit: true, Getenv: byDefault})
	if err != nil || got != want || hintOf(doubt) == "" {
		t.Errorf("StateRoot of a file that was asked for and is missing = %q, %v, %v, want %q and doubt", got, doubt, err, want)
	}
	if _, _, err := config.StateRoot(config.Options{File: missing, Getenv: env()}); hintOf(err) == "" {
		t.Errorf("StateRoot without any place: %v, want an error with a hint", err)
	}
	root := t.TempDir()
	got, doubt, err = config.StateRoot(config.Options{
		File: missing, Explicit: true, Getenv: env(), Overrides: config.Overrides{StateRoot: root},
	})
	if err != nil || doubt != nil || got != root {
		t.Errorf("StateRoot with --state-root = %q, %v, %v, want %q", got, doubt, err, root)
	}
}
