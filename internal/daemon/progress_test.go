package daemon

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: a slow first cycle logs how far it is, every five seconds and not
// at its end; a quick one logs nothing.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{log: slog.New(slog.NewTextHandler(&out, nil)), last: time.Now()}
		for done := range 13 {
			p.step(done, 12, "octo/a")
			time.Sleep(time.Second)
		}
		text := out.String()
		if strings.Count(text, "\n") != 2 || !strings.Contains(text, "first cycle: 5 of 12 repositories") || !strings.Contains(text, "first cycle: 10 of 12 repositories") {
			t.Errorf("got %q", text)
		}
	})
}
