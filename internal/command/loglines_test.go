package command

import (
	"bytes"
	"errors"
	"log/slog"
	"regexp"
	"testing"
	"time"
)

// TestLogLines: a line of the log on a terminal reads as in the demo.
func TestLogLines(t *testing.T) {
	for _, c := range []struct {
		name string
		log  func(*slog.Logger)
		want string
	}{
		{"a session", func(l *slog.Logger) {
			l.Info("session started", "ref", "github:octo/api#7", "session", "api-7-abc")
		}, `INFO  session started: github:octo/api#7`},
		{"a failure", func(l *slog.Logger) {
			l.Error("scope failed, retried next cycle", "scope", "octo/web", "provider", "github", "error", errors.New("HTTP 502"))
		}, `ERROR scope failed, retried next cycle: octo/web: HTTP 502`},
		{"a failure with GitHub's boilerplate", func(l *slog.Logger) {
			l.Error("scope failed, retried next cycle", "scope", "octo/web", "error", "gh pr list --repo exited 1: HTTP 502: Something went wrong while executing "+
				"your query. Please include `0000:0000` when reporting this issue. (https://api.github.com/graphql)")
		}, `ERROR scope failed, retried next cycle: octo/web: gh pr list --repo exited 1: HTTP 502`},
		{"further attributes", func(l *slog.Logger) {
			l.Warn("handler failed", "ref", "github:octo/api#7", "event", "spawn", "attempt", 2, "error", "exit status 1")
		}, `WARN  handler failed: github:octo/api#7: exit status 1 \(event spawn, attempt 2\)`},
		{"hostile text", func(l *slog.Logger) { l.Info("x", "error", "a\x1b[31m\nb") }, `INFO  x: a[^\x1b]*b`},
		{"attributes of the logger", func(l *slog.Logger) { l.With("scope", "octo/a").Info("x", "interval", time.Minute) }, `INFO  x: octo/a \(interval 1m0s\)`},
		{"nothing below the level", func(l *slog.Logger) { l.Debug("x") }, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			c.log(slog.New(newLines(&out, slog.LevelInfo, palette{})))
			want := `^\d\d:\d\d:\d\d ` + c.want + `\n$`
			if c.want == "" {
				want = "^$"
			}
			if !regexp.MustCompile(want).MatchString(out.String()) {
				t.Errorf("got %q, want %s", out.String(), want)
			}
		})
	}
}
