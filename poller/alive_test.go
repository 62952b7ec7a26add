package poller

import (
	"testing"
	"testing/synctest"
	"time"

	"the-loop/internal/dispatch"
)

// TestAliveTurns: a session is asked at once, then at the interval, and in the next
// cycle when it could not be asked.
func TestAliveTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const every = 5 * time.Minute
		p := &Poller{}
		due := func(when string, want bool) {
			t.Helper()
			if got := p.alive.due("github:octo/a#1", every); got != want {
				t.Errorf("%s: due = %t, want %t", when, got, want)
			}
		}
		due("at first", true)
		due("in the same minute", false)
		<-time.After(every)
		due("after the interval", true)
		p.answered("github:octo/a#1", dispatch.Busy, "")
		due("after a delivery was in the way", true)
		p.alive.keep(map[string]bool{"github:octo/a#2": true})
		due("after it ended and began again", true)
	})
}
