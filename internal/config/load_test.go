package config_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/config"
	"the-loop/internal/ref"
)

// env makes an environment of "NAME=value" entries.
func env(entries ...string) func(string) string {
	return func(name string) string {
		for _, e := range entries {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// write puts content into a file named config.yaml in a folder of its own.
func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// home is an absolute folder on every system.
func home(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("/home/octo")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, content string, entries ...string) *config.Config {
	t.Helper()
	cfg, err := config.Load(config.Options{File: write(t, content), Explicit: true, Getenv: env(entries...)})
	if err != nil {
		t.Fatalf("Load:\n%v", err)
	}
	return cfg
}

func handler(t *testing.T, argv ...string) argvtemplate.Template {
	t.Helper()
	parsed, err := argvtemplate.Parse(argv)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

const smallest = `
polling:
  sources:
    - provider: github
      repos: [octo/repo-a]
`

func TestDefaults(t *testing.T) {
	file := write(t, smallest)
	state := filepath.Join(home(t), "state")
	got, err := config.Load(config.Options{File: file, Explicit: true, Getenv: env("XDG_STATE_HOME=" + state)})
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(state, "the-loop")
	want := &config.Config{
		File:      file,
		Digest:    sha256.Sum256([]byte(smallest)),
		StateRoot: root,
		Keep:      90 * 24 * time.Hour,
		Polling: config.Polling{
			Interval:   time.Minute,
			MaxRetries: 3,
			Pace:       true, SkipUnchanged: "auto",
			Sources: []config.Source{{
				Provider:      "github",
				Name:          "github",
				Repos:         []ref.Repo{{Host: "github.com", Owner: "octo", Name: "repo-a"}},
				Labels:        []string{"the-loop"},
				Host:          "github.com",
				Issues:        true,
				PullRequests:  true,
				GHBinary:      "gh",
				Timeout:       time.Minute,
				Limit:         1000,
				ReprobeCycles: 60,
				Concurrency:   1,
				OnUnlabel:     "keep",
			}},
		},
		Routing: config.Routing{
			AuthorizedUsers:         []string{"@me"},
			MaxConcurrentDispatches: 4,
			DispatchTimeout:         30 * time.Minute,
			NotifyAfter:             10 * time.Minute,
			AliveEvery:              5 * time.Minute,
			Priority:                []string{},
		},
		EventLog: config.EventLog{
			Enabled:    true,
			Path:       filepath.Join(root, "events.jsonl"),
			MaxSizeMB:  20,
			MaxBackups: 3,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

const everything = `
state:
  root: state/../state
  keepDays: 7
polling:
  intervalSeconds: 0.25
  maxRetries: 5
  pace: false
  sources:
    - provider: github
      repos: [octo/Repo-A, OCTO/repo-a, ghe.example.com/octo/repo-a, octo/repo-b, github.com/octo/repo-b]
      label: "good first issue, please"
    - provider: github
      name: second
      repos:
        - team/x
        - GitHub.com/team/x
      labels: [a, "b \U0001F41B"]
      host: GHE.example.com
      monitor:
        issues: false
      ghBinary: ./bin/gh
      timeoutSeconds: 1.5
      limit: 50
      reprobeCycles: 2
      concurrency: 8
      maxSessions: 6
      onUnlabel: close
    - provider: github
      repos: [octo/repo-a]
      label: "*"
      monitor:
      ghBinary: ~/bin/gh
routing:
  authorizedUsers: ["@me", octo, "app/dependabot", "renovate[bot]", "*"]
  handlers:
    spawn: [/bin/start, "{{ .Session }}", "", "--url={{.URL}}"]
    comment: ["/bin/tell"]
    close:
  maxConcurrentDispatches: 1
  dispatchTimeoutSeconds: 2
  maxSessions: 60
  maxSessionSeconds: 3600
  priority: [urgent]
eventLog:
  enabled: false
  path: logs/e.jsonl
  maxSizeMB: 1
  maxBackups: 9
`

func TestEveryKey(t *testing.T) {
	got := load(t, everything, "HOME="+home(t))
	folder := filepath.Dir(got.File)
	repo := func(host, owner, name string) ref.Repo { return ref.Repo{Host: host, Owner: owner, Name: name} }
	base := config.Source{
		Provider: "github", Host: "github.com", Issues: true, PullRequests: true, GHBinary: "gh",
		Timeout: time.Minute, Limit: 1000, ReprobeCycles: 60, Concurrency: 1, OnUnlabel: "keep",
	}
	first, third := base, base
	first.Name, third.Name = "github", "github-2"
	first.Labels = []string{"good first issue, please"}
	first.Repos = []ref.Repo{
		repo("github.com", "octo", "Repo-A"),
		repo("ghe.example.com", "octo", "repo-a"),
		repo("github.com", "octo", "repo-b"),
	}
	third.Repos = []ref.Repo{repo("github.com", "octo", "repo-a")}
	third.GHBinary = filepath.Join(home(t), "bin", "gh")
	second := config.Source{
		Provider: "github", Name: "second", Host: "ghe.example.com", PullRequests: true,
		Repos:    []ref.Repo{repo("ghe.example.com", "team", "x"), repo("github.com", "team", "x")},
		Labels:   []string{"a", "b 🐛"},
		GHBinary: filepath.Join(folder, "bin", "gh"), Timeout: 1500 * time.Millisecond, Limit: 50, ReprobeCycles: 2, Concurrency: 8,
		MaxSessions: 6, OnUnlabel: "close",
	}
	want := &config.Config{
		File: got.File, Digest: sha256.Sum256([]byte(everything)),
		StateRoot: filepath.Join(folder, "state"),
		Keep:      7 * 24 * time.Hour,
		Polling: config.Polling{
			Interval: 250 * time.Millisecond, MaxRetries: 5, SkipUnchanged: "auto",
			Sources: []config.Source{first, second, third},
		},
		Routing: config.Routing{
			AuthorizedUsers: []string{"@me", "octo", "app/dependabot", "renovate[bot]", "*"},
			Handlers: config.Handlers{
				Spawn:   handler(t, "/bin/start", "{{ .Session }}", "", "--url={{.URL}}"),
				Comment: handler(t, "/bin/tell"),
			},
			MaxConcurrentDispatches: 1, DispatchTimeout: 2 * time.Second, NotifyAfter: 10 * time.Minute,
			AliveEvery: 5 * time.Minute, MaxSessions: 60, MaxSession: time.Hour, Priority: []string{"urgent"},
		},
		EventLog: config.EventLog{Path: filepath.Join(folder, "state", "logs", "e.jsonl"), MaxSizeMB: 1, MaxBackups: 9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestFormsOfTheSameFile(t *testing.T) {
	tests := []struct{ name, content string }{
		{"windows line ends", strings.ReplaceAll(smallest, "\n", "\r\n")},
		{"a byte order mark", "\uFEFF" + smallest},
		{"a directive and document marks", "%YAML 1.2\n---" + smallest + "...\n"},
		{"an empty second document", "---" + smallest + "---\n# nothing\n"},
		{"flow style", `{"polling": {"sources": [{"provider": "github", "repos": ["octo/repo-a"]}]}}`},
		{"empty sections", smallest + "routing:\nstate:\neventLog: {}\n"},
		{"numbers written in other ways", smallest + "  maxRetries: 3.0\n  intervalSeconds: 6e1\n"},
		{"no final line end", strings.TrimRight(smallest, "\n")},
	}
	want := load(t, smallest, "HOME="+home(t))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := load(t, tt.content, "HOME="+home(t))
			got.File, got.Digest = want.File, want.Digest
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultHost(t *testing.T) {
	tests := []struct {
		name, ghHost, want string
	}{
		{"unset", "", "github.com"},
		{"an enterprise", "GHE.example.com", "ghe.example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := load(t, smallest, "HOME="+home(t), "GH_HOST="+tt.ghHost).Polling.Sources[0]
			if source.Host != tt.want || source.Repos[0].Host != tt.want {
				t.Errorf("host %q, repository's host %q, want %q", source.Host, source.Repos[0].Host, tt.want)
			}
		})
	}
}

func TestAutomaticNamesAvoidTakenOnes(t *testing.T) {
	cfg := load(t, `
polling:
  sources:
    - {provider: github, repos: [o/a]}
    - {provider: github, repos: [o/a], name: github}
    - {provider: github, repos: [o/a], name: github-3}
    - {provider: github, repos: [o/a]}
`, "HOME="+home(t))
	var got []string
	for _, s := range cfg.Polling.Sources {
		got = append(got, s.Name)
	}
	if diff := cmp.Diff([]string{"github-2", "github", "github-3", "github-4"}, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
