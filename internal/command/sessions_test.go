package command

import (
	"testing"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func TestParseRef(t *testing.T) {
	for typed, want := range map[string]string{
		"github:octo/a#7":                                    "github:octo/a#7",
		"GitHub:Octo/A#7":                                    "github:octo/a#7",
		"octo/a#7":                                           "github:octo/a#7",
		"github.com/octo/a#7":                                "github:octo/a#7",
		"ghe.example.com/octo/a#7":                           "github:ghe.example.com/octo/a#7",
		"ghe.example.com:8443/octo/a#7":                      "github:ghe.example.com:8443/octo/a#7",
		"https://github.com/Octo/a/issues/7":                 "github:octo/a#7",
		"https://github.com/octo/a/pull/7/files":             "github:octo/a#7",
		"https://github.com/octo/a/pull/7#issuecomment-1":    "github:octo/a#7",
		"http://ghe.example.com:8443/octo/a/issues/7?x=y#z1": "github:ghe.example.com:8443/octo/a#7",
	} {
		if got, err := parseRef(typed); err != nil || got.String() != want {
			t.Errorf("parseRef(%q) = %q, %v; want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{
		"", "7", "#7", "octo/a", "octo/a#0", "octo/a#07", "octo/a#-1", "a#7", "gitlab:octo/a#7", "octo/a/b/c#7",
		"https://github.com/octo/a", "https://github.com/octo/a/commit/7", "../../etc#7", "octo/a#7 ",
	} {
		if got, err := parseRef(typed); err == nil {
			t.Errorf("parseRef(%q) = %q, want an error", typed, got)
		}
	}
}

func clock() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

func record(short string, state session.State, age time.Duration, change func(*session.Record)) session.Record {
	r := session.Record{Ref: ref.Prefix + short, Kind: ref.Issue, State: state, SinceAt: clock().Add(-age)}
	if change != nil {
		change(&r)
	}
	return r
}
