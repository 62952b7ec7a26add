package status_test

import (
	"testing"
	"time"

	"the-loop/poller"
	"the-loop/status"
)

func TestSurvey(t *testing.T) {
	since := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	failing := poller.SurveyFailing{Host: "github.com", Since: since, Error: "gh api timed out after 1m0s"}
	other := poller.SurveyFailing{Host: "ghe.example.com", Since: since, Error: gitHub502}
	for _, c := range []struct {
		name              string
		summary           poller.Summary
		unchanged, survey string
	}{
		{"no survey", poller.Summary{ScopesPolled: 500, ScopesAsked: 500}, "", ""},
		{"everything changed", poller.Summary{ScopesAsked: 500, SurveyCalls: 10}, "", ""},
		{"most is unchanged", poller.Summary{ScopesUnchanged: 466, ScopesAsked: 500, SurveyCalls: 10},
			"466 of 500 repositories, asked about in 10 calls", ""},
		{"one call", poller.Summary{ScopesUnchanged: 39, ScopesAsked: 40, SurveyCalls: 1},
			"39 of 40 repositories, asked about in 1 call", ""},
		{"it fails", poller.Summary{ScopesAsked: 40, SurveyFailing: []poller.SurveyFailing{failing}}, "",
			"not answered since 2026-11-30T12:00:00Z, every repository is listed: gh api timed out after 1m0s"},
		{"two fail", poller.Summary{ScopesAsked: 40, SurveyFailing: []poller.SurveyFailing{failing, other}}, "",
			"github.com not answered since 2026-11-30T12:00:00Z, every repository is listed: gh api timed out after 1m0s\n" +
				"ghe.example.com not answered since 2026-11-30T12:00:00Z, every repository is listed: HTTP 502"},
	} {
		r := running(c.summary)
		if got := line(t, r, "unchanged"); got != c.unchanged {
			t.Errorf("%s: got %q, want %q", c.name, got, c.unchanged)
		}
		if got := line(t, r, "survey"); got != c.survey {
			t.Errorf("%s: got %q, want %q", c.name, got, c.survey)
		}
	}
	r := with(running(poller.Summary{SurveyFailing: []poller.SurveyFailing{failing}}), func(r *status.Report) { r.Running = false })
	if got, want := line(t, r, "survey"), "not answered since 2026-11-30T12:00:00Z, every repository was listed: gh api timed out after 1m0s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
