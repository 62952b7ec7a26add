package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/config"
)

func TestStarterShowsTheDefaults(t *testing.T) {
	want := load(t, `
polling:
  sources:
    - {provider: github, repos: [OWNER/REPO]}
`, "HOME="+home(t))
	got := load(t, string(config.Starter()), "HOME="+home(t))
	got.File, got.Digest = want.File, want.Digest
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration of the starter file (-want +got):\n%s", diff)
	}

	// What is commented out is either the default or an example: the file is
	// valid with it as well, but for labels, which stands in place of label.
	out := regexp.MustCompile(`(?m)^( *)# ( *)([A-Za-z]+:|- )`)
	full := out.ReplaceAllString(string(config.Starter()), "$1$2$3")
	full = regexp.MustCompile(`(?m)^ *label: .*\n`).ReplaceAllString(full, "")
	uncommented := load(t, full, "HOME="+home(t), "XDG_STATE_HOME=/elsewhere")
	if len(uncommented.Routing.Handlers.Spawn) == 0 {
		t.Errorf("the example handlers are not in\n%s", full)
	}
	uncommented.Routing.Handlers = want.Routing.Handlers
	uncommented.Polling.Sources[0].Labels = want.Polling.Sources[0].Labels
	uncommented.File, uncommented.Digest = want.File, want.Digest
	if diff := cmp.Diff(want, uncommented); diff != "" && runtime.GOOS == "linux" {
		t.Errorf("configuration with every comment taken off (-want +got):\n%s", diff)
	}
}

func TestInit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.yaml")
	if err := config.Init(path); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(config.Starter()), string(content)); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if runtime.GOOS != "windows" {
		for _, tt := range []struct {
			path string
			want os.FileMode
		}{{path, 0o600}, {filepath.Dir(path), 0o700 | os.ModeDir}, {filepath.Dir(filepath.Dir(path)), 0o700 | os.ModeDir}} {
			info, err := os.Stat(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode() != tt.want {
				t.Errorf("mode of %s is %v, want %v", tt.path, info.Mode(), tt.want)
			}
		}
	}
}

func TestInitNeverOverwrites(t *testing.T) {
	path := write(t, "mine")
	err := config.Init(path)
	if want := path + " already exists and was left unchanged"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %v", err, want)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "mine" {
		t.Errorf("content is now %q, %v", content, err)
	}
}

func TestInitWithoutAPlace(t *testing.T) {
	err := config.Init("")
	if err == nil {
		t.Fatal("Init succeeded")
	}
	if got, want := hintOf(err), "name one with --config FILE"; got != want {
		t.Errorf("hint of %q is %q, want %q", err, got, want)
	}
}
