package config_test

import (
	"slices"
	"testing"

	"the-loop/internal/config"
)

func TestChanges(t *testing.T) {
	const before = `
polling:
  intervalSeconds: 60
  sources:
    - {provider: github, name: ours, repos: [octo/a, octo/b], label: old}
    - {provider: github, name: gone, repos: [octo/c]}
routing: {handlers: {spawn: [start, secret]}, priority: [x, y]}
`
	for name, c := range map[string]struct {
		after string
		want  []string
	}{
		"nothing": {after: "# a comment\n" + before},
		"each kind": {after: `
polling:
  intervalSeconds: 2.5
  sources:
    - {provider: github, name: ours, repos: [octo/b, octo/d], label: a new one}
    - {provider: github, name: more, repos: [octo/c]}
routing: {handlers: {spawn: [start, token], close: [end]}, priority: [y, x], maxSessions: 5}
`, want: []string{
			"polling.intervalSeconds: 2.5 instead of 60",
			`polling.sources: without "gone"`,
			`polling.sources: new "more"`,
			`polling.sources[ours].label: "a new one" instead of old`,
			"polling.sources[ours].repos: +github.com/octo/d -github.com/octo/a",
			"routing.handlers.close",
			"routing.handlers.spawn",
			"routing.maxSessions: 5 instead of 0",
			"routing.priority: other order",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			load := func(content string) *config.Config {
				cfg, err := config.Load(config.Options{File: write(t, content), Explicit: true, Getenv: env("HOME=" + home(t))})
				if err != nil {
					t.Fatal(err)
				}
				cfg.StateRoot, cfg.EventLog.Path = "/state", "/state/events.jsonl"
				return cfg
			}
			if got := config.Changes(load(before), load(c.after)); !slices.Equal(got, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}
