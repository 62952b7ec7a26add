package github

import (
	"context"
	"fmt"
	"sync"
	"time"

	"the-loop/gh"
	"the-loop/poller"
)

// The texts for everything that was not asked or could not be believed.
const (
	textIssuesOff = "issues are disabled on this repository; its issues are skipped and re-probed every %d cycles, its pull requests are still polled"
	textRenamed   = "is now called %s; GitHub's search finds nothing under the old name, change it in the configuration"
	textCutOff    = "listing is cut off at %d items; narrow the label or raise limit"
)

// walk is one Listing call: the outcome of each repository, and the hosts that were
// left alone on the way.
type walk struct {
	*Provider
	step     poller.Step
	outcomes []outcome
	rechecks map[*repository]bool // renamed repositories to ask for their names in this walk
	checks   int                  // identity checks left for this walk

	began     time.Time
	unchanged map[*repository]bool // spared by the survey

	surveyCalls     int
	surveyFailures  []poller.SurveyFailure
	surveyRecovered []string

	mu     sync.Mutex
	done   int
	limits []poller.HostLimit
}

// outcome is the result of asking one repository.
type outcome struct {
	items     []poller.WorkItem // every listed item of this repository
	failures  []poller.ScopeFailure
	skipped   []poller.ScopeFailure
	recovered bool
	polled    bool
	// answered counts listings that answered, failed those that did not. Withheld ones
	// count as neither.
	answered, failed int
	// issues and pulls are set if the listing of that kind answered.
	issues, pulls bool
	// unchanged is set if the last listing stands for this walk's.
	unchanged bool
	// dropped is set if gh listed items of another repository.
	dropped bool
	// heard is set if the pull requests without the labels were listed, unheard if there
	// were too many.
	heard, unheard bool
	// empty is set if every listing that was asked answered with nothing.
	empty bool
	// interrupted is set if the context ended before everything was asked.
	interrupted bool
}

func newWalk(p *Provider, step poller.Step) *walk {
	if step == nil {
		step = func(int, int, string) {}
	}
	w := &walk{
		Provider: p, step: step, outcomes: make([]outcome, len(p.repos)),
		began: time.Now(), unchanged: map[*repository]bool{},
	}
	w.checks = max(5, len(p.repos)/10)
	w.planRechecks()
	return w
}

// run asks all repositories, Concurrency of them at once. It returns when all have been
// asked or the context has ended.
func (w *walk) run(ctx context.Context) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, w.Concurrency)
	for i, r := range w.repos {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			w.outcomes[i].interrupted = true
			continue
		}
		w.progress(0, r.scope)
		wg.Go(func() {
			defer func() { <-slots }()
			w.ask(ctx, r, &w.outcomes[i])
			w.progress(1, r.scope)
		})
	}
	wg.Wait()
}

func (w *walk) progress(done int, scope string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += done
	w.step(w.done, len(w.repos), scope)
}

// ask makes the calls of one repository. A panic in it is that repository's
// failure, on whichever goroutine it happens.
func (w *walk) ask(ctx context.Context, r *repository, o *outcome) {
	defer func() {
		if p := recover(); p != nil {
			o.failures = append(o.failures, poller.ScopeFailure{Scope: r.scope, Error: fmt.Sprintf("internal error: %v", p)})
		}
	}()
	if ctx.Err() != nil {
		o.interrupted = true
		return
	}
	if w.unchanged[r] {
		w.standFor(r, o)
		return
	}
	if why, stopped := w.gate.stopped(r.Host); stopped {
		o.skip(r, why, false)
		return
	}
	if r.renamed.present() && !w.oldNameAnswers(ctx, r, o) {
		return
	}
	if w.Issues {
		w.askIssues(ctx, r, o)
	}
	if r.renamed.present() {
		return // found out together with the disabled Issues
	}
	if why, stopped := w.gate.stopped(r.Host); stopped {
		if len(o.failures) == 0 { // otherwise this scope met the limit itself and has only failed
			o.skip(r, why, false)
		}
		return
	}
	if w.PullRequests {
		w.askPullRequests(ctx, r, o)
	}
	if len(o.items) > 0 {
		r.unnamed = problem{} // it exists and may be seen
	}
	o.empty = o.answered > 0 && o.failed == 0 && len(o.items) == 0
}

// askIssues lists the issues, unless a permanent condition withholds that.
func (w *walk) askIssues(ctx context.Context, r *repository, o *outcome) {
	if r.issuesOff.withheld(w.cycle, w.ReprobeCycles) {
		o.skip(r, r.issuesOff.problem(), true)
		return
	}
	issues, listed, err := w.Client.Issues(ctx, r.Repo, gh.Filter{Labels: w.Labels, Limit: w.Limit})
	w.Hosts.meter.listed(r.Host, 1, pages(listed))
	if gh.ClassOf(err) == gh.IssuesDisabled {
		w.issuesDisabled(ctx, r, o, err)
		return
	}
	items := make([]poller.WorkItem, 0, len(issues))
	for _, is := range issues {
		items = append(items, issueItem(r, is))
	}
	if o.issues = w.took(ctx, r, o, items, listed, err); !o.issues {
		return
	}
	w.checkCutOff(r, o, listed)
	if r.issuesOff.present() {
		r.issuesOff = standing{}
		o.recovered = true
	}
}

// issuesDisabled handles gh's message that Issues are off. gh prints the same for a
// broken answer of GitHub's. At a first sighting a second call therefore decides. Only
// two clear answers overrule the message: that Issues are on, and that there is no
// such repository. gh prints the latter for a second broken answer, and never for a
// repository whose Issues are off. The second call also shows a new name, under which
// the search would have found the items.
func (w *walk) issuesDisabled(ctx context.Context, r *repository, o *outcome, err error) {
	o.failed++
	if r.issuesOff.present() {
		r.issuesOff.since = w.cycle
		o.skip(r, r.issuesOff.problem(), true)
		return
	}
	repo, viewErr := w.view(ctx, r)
	if ctx.Err() != nil {
		o.interrupted = true
		return
	}
	enabled := viewErr == nil && repo.HasIssuesEnabled != nil && *repo.HasIssuesEnabled
	believed := !enabled && !gh.NotResolvable(viewErr)
	if believed {
		r.issuesOff = standing{since: w.cycle, text: fmt.Sprintf(textIssuesOff, w.ReprobeCycles)}
	}
	o.fail(r, problemOf(err), believed)
	if viewErr == nil && !r.isCalled(repo.NameWithOwner) {
		w.renamed(r, o, repo.NameWithOwner)
	}
}

func (w *walk) askPullRequests(ctx context.Context, r *repository, o *outcome) {
	if w.hears(r, o) && w.askWithoutLabel(ctx, r, o) {
		return
	}
	pulls, listed, err := w.Client.PullRequests(ctx, r.Repo, gh.Filter{Labels: w.Labels, Limit: w.Limit})
	w.Hosts.meter.listed(r.Host, 1, pages(listed)*w.Client.PullRequestPoints())
	items := make([]poller.WorkItem, 0, len(pulls))
	for _, pr := range pulls {
		items = append(items, pullRequestItem(r, pr, w.links))
	}
	if o.pulls = w.took(ctx, r, o, items, listed, err); o.pulls {
		w.checkCutOff(r, o, listed)
	}
}

// took records the result of one listing and reports whether it answered. listed
// counts all items that gh printed.
func (w *walk) took(ctx context.Context, r *repository, o *outcome, items []poller.WorkItem, listed int, err error) bool {
	if err != nil {
		o.failed++
		if ctx.Err() != nil {
			o.interrupted = true
			return false
		}
		w.heed(ctx, r.Host, err)
		o.fail(r, problemOf(err), false)
		return false
	}
	w.heed(ctx, r.Host, nil)
	o.polled = true
	o.answered++
	o.dropped = o.dropped || listed > len(items)
	o.items = append(o.items, items...)
	return true
}

// pages returns the number of requests, 100 entries each, behind so many entries.
func pages(entries int) int { return max(1, (entries+99)/100) }

// searchLimit is the maximum number of items from GitHub's search, whatever is asked
// for. gh does not report the cut.
const searchLimit = 1000

// checkCutOff fails the scope if a listing of so many items may be incomplete.
func (w *walk) checkCutOff(r *repository, o *outcome, listed int) {
	if w.cutOff(listed) {
		o.fail(r, problem{text: fmt.Sprintf(textCutOff, listed)}, false)
	}
}

// cutOff reports whether a listing of so many items may be incomplete. With a label it
// is a search.
func (w *walk) cutOff(items int) bool {
	return items == w.Limit || len(w.Labels) > 0 && items >= searchLimit
}

// heed stops asking a host after an error that concerns the whole host.
func (w *walk) heed(ctx context.Context, host string, err error) {
	if limit := w.gate.heed(ctx, host, err, graphQL); limit != nil {
		w.mu.Lock()
		w.limits = append(w.limits, *limit)
		w.mu.Unlock()
	}
}

// listing combines the outcomes in the order of the configuration.
func (w *walk) listing() poller.Listing {
	l := poller.Listing{
		Limited: w.limits, SurveyCalls: w.surveyCalls, SurveyFailures: w.surveyFailures, SurveyRecovered: w.surveyRecovered,
		SurveyFailing: w.surveysFailing(),
	}
	for i, o := range w.outcomes {
		scope := w.repos[i].scope
		l.Items = append(l.Items, w.chosen(o.items)...)
		l.Failures = append(l.Failures, o.failures...)
		l.Skipped = append(l.Skipped, o.skipped...)
		if o.recovered {
			l.Recovered = append(l.Recovered, scope)
		}
		if o.polled {
			l.Polled = append(l.Polled, scope)
		}
		if o.unchanged {
			l.Unchanged = append(l.Unchanged, scope)
		}
		if o.heard {
			l.Heard = append(l.Heard, scope)
		}
		if o.unheard {
			l.Unheard = append(l.Unheard, scope)
		}
		l.Interrupted = l.Interrupted || o.interrupted
	}
	return l
}

// problem is the reason why something was not seen: a text and its cause.
type problem struct {
	text  string
	cause poller.Cause
}

func problemOf(err error) problem { return problem{err.Error(), poller.Cause(gh.CauseOf(err))} }

func (o *outcome) fail(r *repository, p problem, permanent bool) {
	o.failures = append(o.failures, p.failure(r, permanent))
}

func (o *outcome) skip(r *repository, p problem, permanent bool) {
	o.skipped = append(o.skipped, p.failure(r, permanent))
}

func (p problem) failure(r *repository, permanent bool) poller.ScopeFailure {
	return poller.ScopeFailure{Scope: r.scope, Error: p.text, Permanent: permanent, Cause: p.cause}
}
