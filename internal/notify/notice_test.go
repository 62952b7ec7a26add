package notify

import (
	"slices"
	"testing"
	"time"
)

func TestObserve(t *testing.T) {
	start := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	down := map[string]string{"octo/a": "HTTP 502"}
	var w Watcher
	for _, step := range []struct {
		name  string
		after time.Duration // since the start
		state State
		want  []string // kind and subject
	}{
		{"all well", 0, State{}, nil},
		{"a blip", time.Minute, State{Degraded: down}, nil},
		{"over", 2 * time.Minute, State{}, nil},
		{"down again", 3 * time.Minute, State{Degraded: down}, nil},
		{"for long", 13 * time.Minute, State{Degraded: down}, []string{"scope-degraded octo/a"}},
		{"told once", 14 * time.Minute, State{Degraded: down}, nil},
		{"recovered", 15 * time.Minute, State{}, []string{"scope-recovered octo/a"}},
		{"no login", 16 * time.Minute, State{NoLogin: "octo/b"}, []string{"login-lost octo/b"}},
		{"still none", 17 * time.Minute, State{NoLogin: "octo/c"}, nil},
		{"given up", 18 * time.Minute, State{GaveUp: 1, GaveUpLast: "github:octo/a#7"}, []string{"gave-up github:octo/a#7"}},
		{"mended", 19 * time.Minute, State{}, nil},
		{"reload failed", 20 * time.Minute, State{ConfigFile: "c.yaml", ConfigError: "x"}, []string{"reload-failed c.yaml"}},
		{"the same", 21 * time.Minute, State{ConfigFile: "c.yaml", ConfigError: "x"}, nil},
		{"another fault", 22 * time.Minute, State{ConfigFile: "c.yaml", ConfigError: "y"}, []string{"reload-failed c.yaml"}},
		{"paced", 23 * time.Minute, State{PacedHost: "github.com"}, []string{"paced github.com"}},
		{"a session lost", 24 * time.Minute, State{PacedHost: "github.com", Lost: 1, LostLast: "github:octo/a#7"}, []string{"session-lost github:octo/a#7"}},
	} {
		var got []string
		for _, n := range w.Observe(start.Add(step.after), 10*time.Minute, step.state) {
			got = append(got, string(n.Kind)+" "+n.Subject)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: notices %q, want %q", step.name, got, step.want)
		}
	}
}
