package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/config"
)

func TestShowLoadsAgain(t *testing.T) {
	tests := []struct{ name, content string }{
		{"the defaults", smallest},
		{"every key", everything},
		{"odd text", `
polling:
  intervalSeconds: 0.000000001
  sources:
    - provider: github
      name: "a: b # c"
      repos: [octo/a]
      label: "\" \\ {x} [y] 'z' \u00e9 \U0001F469\u200D\U0001F4BB - ~"
      host: localhost:8443
      ghBinary: "/opt/a b/gh\n"
    - provider: github
      repos: [github.com/octo/a, octo/a]
      host: ghe.example.com
      labels: ["true", "12", "null", "*x"]
routing:
  authorizedUsers: []
  handlers:
    spawn: ["a\tb", "\u202e", "\e\a\v\x01", "line\nline\r\n", "\xff\u0085\u2028", ""]
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := load(t, tt.content, "HOME="+home(t))
			shown, err := config.Show(want)
			if err != nil {
				t.Fatal(err)
			}
			got := load(t, string(shown), "HOME=/elsewhere", "GH_HOST=other.example.com")
			got.File, got.Digest = want.File, want.Digest
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("configuration (-want +got):\n%s\nof\n%s", diff, shown)
			}
		})
	}
}

func TestShow(t *testing.T) {
	cfg := load(t, `
state: {root: /var/lib/the-loop}
polling:
  sources:
    - {provider: github, repos: [octo/a], label: "*"}
    - {provider: github, repos: [octo/b], labels: [x, y]}
routing:
  handlers: {spawn: [run, "{{.Ref}}"]}
`, "HOME="+home(t))
	cfg.StateRoot, cfg.EventLog.Path = "/var/lib/the-loop", "/var/lib/the-loop/events.jsonl" // without a drive letter
	shown, err := config.Show(cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := `state:
  root: "/var/lib/the-loop"
  keepDays: 90
polling:
  intervalSeconds: 60
  maxRetries: 3
  pace: true
  skipUnchanged: "auto"
  sources:
    - provider: "github"
      name: "github"
      repos:
        - "github.com/octo/a"
      label: "*"
      host: "github.com"
      monitor:
        issues: true
        pullRequests: true
      ghBinary: "gh"
      timeoutSeconds: 60
      limit: 1000
      reprobeCycles: 60
      concurrency: 1
      maxSessions: 0
      onUnlabel: "keep"
    - provider: "github"
      name: "github-2"
      repos:
        - "github.com/octo/b"
      labels:
        - "x"
        - "y"
      host: "github.com"
      monitor:
        issues: true
        pullRequests: true
      ghBinary: "gh"
      timeoutSeconds: 60
      limit: 1000
      reprobeCycles: 60
      concurrency: 1
      maxSessions: 0
      onUnlabel: "keep"
routing:
  authorizedUsers:
    - "@me"
  handlers:
    spawn:
      - "run"
      - "{{.Ref}}"
    comment: null
    close: null
    update: null
    alive: null
    notify: null
  maxConcurrentDispatches: 4
  dispatchTimeoutSeconds: 1800
  notifyAfterSeconds: 600
  aliveSeconds: 300
  maxSessions: 0
  maxSessionSeconds: 0
  priority: []
eventLog:
  enabled: true
  path: "/var/lib/the-loop/events.jsonl"
  maxSizeMB: 20
  maxBackups: 3
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(shown), "\n")); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}
