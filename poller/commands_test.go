package poller

import (
	"strings"
	"testing"
)

func TestCommandOf(t *testing.T) {
	for body, want := range map[string]command{
		"the-loop stop":                     cmdStop,
		" \r\n The-Loop  PAUSE \r\nplease":  cmdPause,
		"the-loop\tresume":                  cmdResume,
		"the-loop restart\n\nthe-loop stop": cmdRestart,
		"the-loop start":                    cmdStart,
		"the-loop stop it":                  "",
		"> the-loop stop":                   "",
		"`the-loop stop`":                   "",
		"please\nthe-loop stop":             "",
		"the-loop":                          "",
		"the-loop destroy":                  "",
		"the-loopstop":                      "",
		"":                                  "",
		"\u00a0the-loop\u2003stop\u00a0\nx": cmdStop,
	} {
		if got := commandOf(Comment{Body: body}); got != want {
			t.Errorf("%q is the command %q, want %q", body, got, want)
		}
	}
}

// TestOutcome: what several commands, read at once, make of a live session.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		paused   bool
		commands string // a capital is a stranger's
		want     command
	}{
		{false, "", ""},
		{false, "start", ""},
		{false, "pause", cmdPause},
		{true, "pause", ""},
		{true, "resume", cmdResume},
		{false, "resume", ""},
		{false, "pause resume", ""},
		{true, "resume pause", ""},
		{false, "resume pause", cmdPause},
		{false, "stop", cmdStop},
		{true, "stop", cmdStop},
		{false, "stop pause", cmdStop},
		{false, "pause stop resume", cmdStop},
		{false, "stop start", cmdRestart},
		{false, "start stop", cmdStop},
		{false, "restart", cmdRestart},
		{false, "restart stop", cmdStop},
		{false, "stop restart", cmdRestart},
		{false, "Stop", ""},
		{false, "stop Start", cmdStop},
		{true, "Resume", ""},
	} {
		var requests []request
		for _, word := range strings.Fields(c.commands) {
			low := strings.ToLower(word)
			requests = append(requests, request{command(low), "x", word == low})
		}
		got := command("")
		if o := outcome(c.paused, requests); o != nil {
			got = o.command
		}
		if got != c.want {
			t.Errorf("paused %v, %q: %q, want %q", c.paused, c.commands, got, c.want)
		}
	}
}
