package status

import (
	"fmt"

	"the-loop/internal/counted"
	"the-loop/internal/timetext"
)

// survey adds how many repositories the last cycle did not list again, and the hosts
// that do not answer surveys.
func (l *lines) survey(r Report) {
	c := r.Heartbeat.LastCycle
	if c.ScopesUnchanged > 0 {
		l.add("unchanged", fmt.Sprintf("%d of %d repositories, asked about in %s",
			c.ScopesUnchanged, c.ScopesAsked, counted.Of(c.SurveyCalls, "call", "calls")))
	}
	is := "is"
	if r.past() {
		is = "was"
	}
	for _, f := range c.SurveyFailing {
		where := ""
		if len(c.SurveyFailing) > 1 {
			where = shown(f.Host) + " "
		}
		l.add("survey", fmt.Sprintf("%snot answered since %s, every repository %s listed: %s", where, timetext.UTC(f.Since), is, Brief(f.Error)))
	}
}
