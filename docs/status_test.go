//go:build unix

package docs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/status"
)

func statusOf(f heartbeat.File) status.Report {
	return status.Report{Running: true, PID: 4242, Heartbeat: f, Now: at("2026-11-30T13:10:12Z")}
}

func TestStatusOfTheREADME(t *testing.T) {
	got := readPage(t, "README.md").block(t, "poller      running").text()
	if diff := cmp.Diff(statusOf(example()).Text(), got); diff != "" {
		t.Errorf("README.md, what status prints (-want +got):\n%s", diff)
	}
}

func TestPaceOfThePages(t *testing.T) {
	got := readPage(t, "docs/operations.md").block(t, "pace:").text()
	for _, line := range statusOf(paced(example())).Lines() {
		if strings.HasPrefix(strings.TrimSpace(line), "pace:") && strings.TrimSpace(line) == strings.TrimSpace(got) {
			return
		}
	}
	t.Errorf("docs/operations.md shows\n%s\nstatus prints\n%s", got, statusOf(paced(example())).Text())
}
