package doctor

import (
	"context"
	"fmt"
	"math"
	"time"

	"the-loop/internal/counted"
)

// share is the part of a login's quota that listings may use. The rest is for comments
// and for everything else the login does.
const share = 0.9

// account is a login on a host, with everything that all programs together ask there.
type account struct {
	host, login string
	calls       int
	cost        int // of the calls, in points
	points      int // of an hour

	// surveyCalls are the calls that a survey can spare, surveyCost their points.
	surveyCalls, surveyCost int
	by                      *program // one gh of the account, and its host
	of                      *host
}

// quota compares the cost of an hour of listings with the quota of the login. It
// assumes cycles of no length; real ones cost less, but their length is the network's.
func (e *examination) quota(ctx context.Context) {
	if e.plan.interval <= 0 {
		return
	}
	for _, a := range e.accounts() {
		hourly := pointsAnHour(a.cost, e.plan.interval)
		sum := fmt.Sprintf("%s a cycle, one cycle %s: %d of %d points an hour",
			counted.Of(a.calls, "call", "calls"), every(e.plan.interval), hourly, a.points)
		most := share * float64(a.points)
		if e.surveyed(a, hourly) && e.survey(ctx, a) {
			hourly = pointsAnHour(a.quiet(e.plan.interval), e.plan.interval)
			sum += fmt.Sprintf("; about %d with the survey, while little changes", hourly)
		}
		if float64(hourly) <= most {
			e.ok("quota", a.host, sum)
			continue
		}
		seconds := int(math.Ceil(float64(a.cost) * 3600 / most))
		fix := fmt.Sprintf("set polling.intervalSeconds: %d", seconds)
		switch {
		case e.plan.pace:
			e.warn("quota", a.host, sum, fix+" (until then polling.pace waits longer)")
		case hourly > a.points:
			e.fail("quota", a.host, sum, fix)
		default:
			e.warn("quota", a.host, sum, fix)
		}
	}
}

// accounts returns the logins with a known quota.
func (e *examination) accounts() []*account {
	var accounts []*account
	find := func(p *program, h *host) *account {
		for _, a := range accounts {
			if a.host == h.name && a.login == h.login {
				return a
			}
		}
		accounts = append(accounts, &account{host: h.name, login: h.login, points: h.points, by: p, of: h})
		return accounts[len(accounts)-1]
	}
	for _, p := range e.plan.programs {
		for _, h := range p.hosts {
			if h.points > 0 {
				find(p, h).add(p, h)
			}
		}
	}
	return accounts
}

// add adds the calls of a host. By GitHub's formula a listing costs one point; a
// listing of pull requests that asks which issues they close costs two.
func (a *account) add(p *program, h *host) {
	a.calls += h.calls
	a.cost += h.calls
	a.surveyCalls += h.surveyCalls
	a.surveyCost += h.surveyCalls
	if p.references {
		a.cost += h.pulls
		a.surveyCost += h.surveyPulls
	}
}

func pointsAnHour(cost int, interval time.Duration) int {
	return int(math.Ceil(float64(cost) * float64(time.Hour) / float64(interval)))
}

// every puts an interval into words.
func every(interval time.Duration) string {
	switch interval {
	case time.Second:
		return "a second"
	case time.Minute:
		return "a minute"
	case time.Hour:
		return "an hour"
	}
	return "every " + short(interval)
}

// mostAtOnce is the highest concurrency that doctor recommends: more runs into
// secondary limits, and each gh takes about 40 MiB.
const mostAtOnce = 8

// cycleTime compares the length of a cycle with the interval. It takes the time of the
// repository questions for that of a listing: both start one gh that asks GraphQL
// once.
func (e *examination) cycleTime() {
	const check, subject = "cycle-time", "cycle"
	if e.answers == 0 || e.plan.interval <= 0 {
		return
	}
	each := e.spent / time.Duration(e.answers)
	calls, widest, takes := 0, 0, time.Duration(0)
	for _, w := range e.plan.workload {
		calls += w.calls
		widest = max(widest, w.repos)
		takes += time.Duration(w.calls) * each / time.Duration(max(1, min(w.concurrency, w.repos)))
	}
	sum := fmt.Sprintf("about %s (%s of %s%s)", short(takes), counted.Of(calls, "call", "calls"), short(each), e.atOnce())
	if takes <= e.plan.interval {
		e.ok(check, subject, sum)
		return
	}
	e.warn(check, subject, sum+", longer than the "+short(e.plan.interval)+" interval",
		shorten(time.Duration(calls)*each, takes, e.plan.interval, widest))
}

// shorten says how to fit a cycle into its interval: by more concurrency if there are
// enough repositories, else by a longer interval.
func shorten(oneByOne, takes, interval time.Duration, widest int) string {
	n := math.Ceil(float64(oneByOne) / float64(interval))
	if n <= float64(min(mostAtOnce, widest)) {
		return fmt.Sprintf("set the source's concurrency: %.0f", n)
	}
	return fmt.Sprintf("set polling.intervalSeconds: %.0f", math.Ceil(takes.Seconds()))
}

// atOnce names the concurrency if all sources have the same.
func (e *examination) atOnce() string {
	n := e.plan.workload[0].concurrency
	for _, w := range e.plan.workload {
		if w.concurrency != n {
			return ""
		}
	}
	if n == 1 {
		return ", one at a time"
	}
	return fmt.Sprintf(", %d at a time", n)
}
