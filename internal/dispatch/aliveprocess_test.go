//go:build unix

package dispatch

import (
	"testing"

	"the-loop/internal/session"
)

func TestAnswersOfAliveHandlers(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   Answer
	}{{"exit 0", Lives}, {"exit 1", Gone}, {"exit 75", Unknown}, {"kill -9 $$", Unknown}, {"read x", Gone}} {
		d := New(Options{StateRoot: t.TempDir()})
		got := make(chan Answer, 1)
		d.Ask(session.Target{Session: "a"}, handlerOf(t, "/bin/sh", "-c", tt.script), func(a Answer, _ string) { got <- a })
		if a := <-got; a != tt.want {
			t.Errorf("%q: answer = %d, want %d", tt.script, a, tt.want)
		}
		d.Stop(t.Context())
	}
	d := New(Options{StateRoot: t.TempDir()})
	reasons := make(chan string, 1)
	d.Ask(session.Target{Session: "a"}, handlerOf(t, "/no/such"), func(_ Answer, reason string) { reasons <- reason })
	if reason := <-reasons; reason == "" {
		t.Error("a handler that cannot be run gives no reason")
	}
	d.Stop(t.Context())
}
