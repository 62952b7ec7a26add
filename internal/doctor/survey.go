package doctor

import (
	"context"
	"fmt"
	"math"
	"time"

	"the-loop/gh"
	"the-loop/internal/counted"
	"the-loop/internal/ref"
)

// mostSurveyed is how many repositories the daemon asks about in one call.
const mostSurveyed = 50

// surveyed reports whether the daemon surveys the account's host instead of listing
// every repository in every cycle.
func (e *examination) surveyed(a *account, hourly int) bool {
	switch e.Config.Polling.SkipUnchanged {
	case "always":
		return a.surveyCalls > 0
	case "auto":
		return a.surveyCalls > 0 && float64(hourly) > share*float64(a.points)
	}
	return false
}

// quiet returns the cost of a cycle in which nothing changed: the surveys, the
// listings due within half an hour, and everything that is listed in full.
func (a *account) quiet(interval time.Duration) int {
	const within = 30 * time.Minute
	due := float64(interval) / float64(max(within-interval, interval))
	return int(math.Ceil(float64(a.surveyCalls)/(2*mostSurveyed))) +
		int(math.Ceil(due*float64(a.surveyCost))) + a.cost - a.surveyCost
}

// survey makes one survey of the account's host and reports whether it was answered.
func (e *examination) survey(ctx context.Context, a *account) bool {
	const check = "survey"
	subject := "survey"
	if a.host != ref.GitHubHost {
		subject += " of " + a.host
	}
	if n := e.plan.severalLabels; n == 1 {
		e.warn(check, subject, "1 source has several labels and is listed in full", "use one label where it is enough")
	} else if n > 1 {
		e.warn(check, subject, fmt.Sprintf("%d sources have several labels and are listed in full", n), "use one label where it is enough")
	}
	s := gh.Survey{Host: a.host, First: 1}
	for _, r := range a.of.repos {
		if len(r.labels) > 1 || len(s.Repos) == mostSurveyed {
			continue
		}
		asked := gh.SurveyRepo{Repo: r.Repo, Issues: r.issues, PullRequests: r.pulls}
		if len(r.labels) == 1 {
			asked.Label = r.labels[0]
		}
		s.Repos = append(s.Repos, asked)
	}
	if a.of.missed != "" || len(s.Repos) == 0 {
		return false
	}
	const fix = "set polling.skipUnchanged: never"
	begin := time.Now()
	answer, err := a.by.client.Survey(ctx, s)
	took := time.Since(begin)
	told := 0
	for _, r := range answer.Repos {
		if r != nil {
			told++
		}
	}
	switch {
	case err != nil:
		e.fail(check, subject, said(err), fix)
	case told == 0:
		e.fail(check, subject, "it answered for none of "+counted.Of(len(s.Repos), "repository", "repositories"), fix)
	default:
		e.ok(check, subject, fmt.Sprintf("%s in %s for %s",
			counted.Of(told, "repository", "repositories"), short(took), counted.Of(max(1, answer.Cost), "point", "points")))
		return true
	}
	return false
}
