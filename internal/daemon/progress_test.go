package daemon

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A slow first cycle logs its progress, first soon and then seldom. A quick one logs
// nothing. No line reports the end of the cycle, since the cycle line does.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(slog.New(slog.NewTextHandler(&out, nil)))
		begin := time.Now()
		for i := range 10 {
			<-time.After(time.Second)
			p.step(i+1, 10, fmt.Sprintf("octo/r%d", i+1))
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			_, line, _ = strings.Cut(line, "msg=")
			got = append(got, strings.TrimSpace(line))
		}
		want := []string{
			`"first cycle: 2 of 10 repositories" scope=octo/r2`,
			`"first cycle: 7 of 10 repositories" scope=octo/r7`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", time.Since(begin), diff)
		}
	})
}
