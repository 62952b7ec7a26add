package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/config"
	"the-loop/internal/ref"
)

func TestReposNeedNoFile(t *testing.T) {
	tests := []struct {
		name      string
		file      string
		ghHost    string
		overrides config.Overrides
		repos     []ref.Repo
		labels    []string
	}{
		{
			name:      "no place for a file",
			overrides: config.Overrides{Repos: []string{"octo/a", "ghe.example.com/octo/a", "OCTO/A"}},
			repos: []ref.Repo{
				{Host: "github.com", Owner: "octo", Name: "a"},
				{Host: "ghe.example.com", Owner: "octo", Name: "a"},
			},
			labels: []string{"the-loop"},
		},
		{
			name:      "no file in its place",
			file:      filepath.Join(t.TempDir(), "none.yaml"),
			ghHost:    "ghe.example.com",
			overrides: config.Overrides{Repos: []string{"octo/a"}, Labels: []string{"*"}},
			repos:     []ref.Repo{{Host: "ghe.example.com", Owner: "octo", Name: "a"}},
		},
		{
			name:      "an empty file",
			file:      write(t, ""),
			overrides: config.Overrides{Repos: []string{"octo/a"}, Labels: []string{"a,b", "c"}},
			repos:     []ref.Repo{{Host: "github.com", Owner: "octo", Name: "a"}},
			labels:    []string{"a,b", "c"},
		},
		{
			name:      "a file without sources",
			file:      write(t, "polling:\n  # intervalSeconds: 1\n"),
			overrides: config.Overrides{Repos: []string{"octo/a"}},
			repos:     []ref.Repo{{Host: "github.com", Owner: "octo", Name: "a"}},
			labels:    []string{"the-loop"},
		},
		{
			name:      "a file with other sources",
			file:      write(t, everything),
			overrides: config.Overrides{Repos: []string{"octo/a"}},
			repos:     []ref.Repo{{Host: "github.com", Owner: "octo", Name: "a"}},
			labels:    []string{"the-loop"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := config.Load(config.Options{
				File: tt.file, Overrides: tt.overrides, Getenv: env("HOME="+home(t), "GH_HOST="+tt.ghHost),
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(cfg.Polling.Sources) != 1 {
				t.Fatalf("%d sources, want 1", len(cfg.Polling.Sources))
			}
			got := cfg.Polling.Sources[0]
			if got.Name != "github" {
				t.Errorf("name %q, want github", got.Name)
			}
			if diff := cmp.Diff(tt.repos, got.Repos); diff != "" {
				t.Errorf("repositories (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.labels, got.Labels); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(tt.file); (cfg.File == "") != (err != nil) {
				t.Errorf("file %q of %q", cfg.File, tt.file)
			}
		})
	}
}

func TestOverridesKeepTheRestOfTheFile(t *testing.T) {
	interval := 10 * time.Millisecond
	root := t.TempDir()
	file := write(t, everything)
	read := func(o config.Overrides) *config.Config {
		t.Helper()
		cfg, err := config.Load(config.Options{File: file, Overrides: o, Getenv: env("HOME=" + home(t))})
		if err != nil {
			t.Fatal(err)
		}
		return cfg
	}
	want := read(config.Overrides{})
	want.Polling.Interval = interval
	want.StateRoot = root
	want.EventLog.Path = filepath.Join(root, "logs", "e.jsonl")
	for i := range want.Polling.Sources {
		want.Polling.Sources[i].Labels = []string{"x"}
	}
	got := read(config.Overrides{Labels: []string{"x"}, Interval: &interval, StateRoot: root})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestStateRootOfTheCommandLine(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	// The folder may itself be a link, which the working directory is not.
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, given, want string }{
		{"relative", "state", filepath.Join(folder, "state")},
		{"here", ".", folder},
		{"absolute", folder + "/a/../b", filepath.Join(folder, "b")},
		{"home", "~/state", filepath.Join(home(t), "state")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := config.Load(config.Options{
				File: write(t, smallest), Getenv: env("HOME="+home(t), "USERPROFILE="+home(t)),
				Overrides: config.Overrides{StateRoot: tt.given},
			})
			if err != nil {
				t.Fatal(err)
			}
			if cfg.StateRoot != tt.want {
				t.Errorf("state root %q, want %q", cfg.StateRoot, tt.want)
			}
		})
	}
}

func TestFaultsOfOverrides(t *testing.T) {
	of := func(d time.Duration) *time.Duration { return &d }
	const bounds = "--interval: must be a duration greater than 0s and at most 24h0m0s, got "
	tests := []struct {
		name      string
		content   string
		overrides config.Overrides
		want      []string
	}{
		{"a repository", smallest, config.Overrides{Repos: []string{"octo/a", "nope"}}, []string{`--repo: "nope" is not [HOST/]OWNER/REPO`}},
		{"an empty repository", smallest, config.Overrides{Repos: []string{""}}, []string{`--repo: "" is not [HOST/]OWNER/REPO`}},
		{"a label", smallest, config.Overrides{Labels: []string{""}}, []string{`--label: a label must not be empty; "*" stands for every open item`}},
		{"every item and a label", smallest, config.Overrides{Labels: []string{"*", "x"}}, []string{"--label: * stands for every open item, so it takes no other label beside it"}},
		{"no interval", smallest, config.Overrides{Interval: of(0)}, []string{bounds + "0s"}},
		{"an interval before now", smallest, config.Overrides{Interval: of(-time.Second)}, []string{bounds + "-1s"}},
		{"an interval of days", smallest, config.Overrides{Interval: of(25 * time.Hour)}, []string{bounds + "25h0m0s"}},
		{"a state root", smallest, config.Overrides{StateRoot: "a\x00b"}, []string{"--state-root: a path must not hold a NUL character"}},
		{
			"beside faults of the file", smallest + "  pace: 7\n", config.Overrides{Repos: []string{"nope"}, Interval: of(0)},
			[]string{"F:6:9: polling.pace: must be true or false, got 7", bounds + "0s", `--repo: "nope" is not [HOST/]OWNER/REPO`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.content)
			_, err := config.Load(config.Options{File: file, Overrides: tt.overrides, Getenv: env("HOME=" + home(t))})
			if err == nil {
				t.Fatal("Load succeeded")
			}
			got := strings.Split(strings.ReplaceAll(err.Error(), file, "F"), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}
