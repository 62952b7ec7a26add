package command

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/poller"
	"the-loop/status"
)

func TestFrame(t *testing.T) {
	lines := []string{"poller      running", "degraded: 日本語日本語", "c", "d"}
	for _, c := range []struct {
		width, height int
		want          []string
	}{
		{80, 24, []string{"poller      running", "degraded: 日本語日本語", "c", "d"}},
		{80, 5, []string{"poller      running", "degraded: 日本語日本語", "c", "d"}},
		{80, 4, []string{"poller      running", "degraded: 日本語日本語", "… and 2 more lines"}},
		{80, 2, []string{"… and 4 more lines"}},
		{80, 1, []string{"… and 4 more lines"}},
		{14, 24, []string{"poller", "    running", "degraded:", "    日本語日本", "    語", "c", "d"}},
		{14, 6, []string{"poller", "    running", "degraded: 日…", "c", "d"}},
		{14, 5, []string{"poller      r…", "degraded: 日…", "c", "d"}},
	} {
		want := "\x1b[H"
		for _, line := range c.want {
			want += "\x1b[2K" + line + "\n"
		}
		if diff := cmp.Diff(want+"\x1b[J", frame(lines, c.width, c.height)); diff != "" {
			t.Errorf("%d columns, %d lines (-want +got):\n%s", c.width, c.height, diff)
		}
	}
	if len(lines) != 4 || lines[3] != "d" {
		t.Errorf("the lines were changed: %q", lines)
	}
}

func TestWrap(t *testing.T) {
	const line = "            degraded:   octo/b — listing failed, retried next cycle: HTTP 502"
	const column = "                        "
	for _, c := range []struct {
		line        string
		width, rows int
		want        []string
	}{
		{line, 80, 5, []string{line}},
		{line, 60, 1, []string{line}},
		{line, 60, 5, []string{"            degraded:   octo/b — listing failed, retried", column + "next cycle: HTTP 502"}},
		{line, 50, 2, []string{"            degraded:   octo/b — listing failed,", column + "retried next cycle: HTTP 502"}},
		{line, 50, 3, []string{"            degraded:   octo/b — listing failed,", column + "retried next cycle: HTTP", column + "502"}},
		{"            degraded:   " + strings.Repeat("x", 40), 48, 9, []string{"            degraded:   " + strings.Repeat("x", 24), column + strings.Repeat("x", 16)}},
		{"日本語日本語", 5, 9, []string{"日本", " 語日", " 本語"}},
		{"日本", 1, 9, []string{"日本"}},
		{"", 10, 9, []string{""}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.line, c.width, c.rows)); diff != "" {
			t.Errorf("%q in %d columns and %d rows (-want +got):\n%s", c.line, c.width, c.rows, diff)
		}
	}
}

// Each change prints one document within a second. The passing of time alone is
// no change.
func TestPrintChanges(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now().UTC()
			report := status.Report{
				StateRoot: "/state", Running: true, PID: 4242,
				Heartbeat: heartbeat.File{StartedAt: begin, LastCycleAt: begin, Interval: time.Minute},
			}
			var mu sync.Mutex
			gather := func() status.Report {
				mu.Lock()
				defer mu.Unlock()
				now := report
				now.Now = time.Now()
				return now
			}
			var out bytes.Buffer
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error)
			go func() { done <- printChanges(ctx, &out, gather, asJSON) }()
			var want []string
			step := func(after time.Duration, isNew bool, change func()) {
				t.Helper()
				mu.Lock()
				change()
				mu.Unlock()
				<-time.After(after)
				synctest.Wait()
				if isNew {
					text, err := document(gather(), asJSON)
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, withoutAges(string(text)))
				}
				if diff := cmp.Diff(want, documents(out.String(), asJSON)); diff != "" {
					t.Errorf("as JSON: %t (-want +got):\n%s", asJSON, diff)
				}
			}
			step(time.Second, true, func() {})
			step(time.Minute, false, func() {})
			step(time.Second, true, func() { report.Heartbeat.LastCycle = poller.Summary{ItemsSeen: 1} })
			step(time.Minute, false, func() {})
			// The text says once that nothing has moved for too long; JSON never does.
			step(3*time.Minute, !asJSON, func() {})
			step(3*time.Minute, false, func() {})
			step(time.Second, true, func() { report.Running, report.PID = false, 0 })
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// documents splits the output into documents without ages.
func documents(out string, asJSON bool) []string {
	separator, end := "\n\n", "\n"
	if asJSON {
		separator, end = "\n}\n", "\n}\n"
	}
	var list []string
	for part := range strings.SplitSeq(strings.TrimSuffix(out, end), separator) {
		list = append(list, withoutAges(part+end))
	}
	return list
}

func withoutAges(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if before, _, found := strings.Cut(line, " ("); found && strings.HasPrefix(line, "   ") {
			line = before + "\n"
		}
		if before, _, found := strings.Cut(line, "nothing moved for"); found {
			line = before + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
