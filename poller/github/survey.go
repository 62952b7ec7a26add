package github

import (
	"context"
	"fmt"
	"sync"

	"the-loop/gh"
	"the-loop/poller"
)

// A survey asks a host in one call what many repositories hold now. A repository that
// holds exactly the items of its last listing is not listed again. Every other one
// is, whatever went wrong with the survey: only proof spares a listing.

// survey finds the repositories that need no listing in this walk.
func (w *walk) survey(ctx context.Context) {
	defer func() { w.turns.last = w.began }()
	if w.surveyor == nil || len(w.Labels) > 1 { // GitHub's filter means any of several labels, gh's all of them
		return
	}
	var order []string
	byHost := map[string][]*repository{}
	for _, r := range w.repos {
		if !w.surveyable(r) {
			continue
		}
		if byHost[r.Host] == nil {
			order = append(order, r.Host)
		}
		byHost[r.Host] = append(byHost[r.Host], r)
	}
	for _, host := range order {
		w.surveyor.learnLimit(ctx, host, w.Client)
		if w.surveyor.wants(host) {
			w.surveyHost(ctx, host, w.turns.take(host, byHost[host], w.began))
		}
	}
}

// surveysFailing returns the hosts of the walk that would be surveyed if they answered.
func (w *walk) surveysFailing() []poller.SurveyFailing {
	var failing []poller.SurveyFailing
	told := map[string]bool{}
	for _, r := range w.repos {
		if told[r.Host] || len(w.Labels) > 1 || !w.surveyor.wants(r.Host) {
			continue
		}
		told[r.Host] = true
		if f, ok := w.Hosts.surveys.trouble(r.Host); ok {
			failing = append(failing, f)
		}
	}
	return failing
}

// surveyable reports whether the repository's last listing can stand for that of
// this walk: it is of the kinds that this walk asks for.
func (w *walk) surveyable(r *repository) bool {
	if r.kept == nil || r.renamed.present() || r.kept.allPulls != w.mayHear(r) {
		return false
	}
	issues := w.Issues
	if r.issuesOff.present() {
		if !r.issuesOff.withheld(w.cycle, w.ReprobeCycles) {
			return false // their calendar says to ask
		}
		issues = false
	}
	return r.kept.issues == issues && r.kept.pulls == w.PullRequests && (issues || w.PullRequests)
}

// surveyHost asks about repositories of one host. It asks once more about those whose
// spelling of the label it has just learned.
func (w *walk) surveyHost(ctx context.Context, host string, repos []*repository) {
	if len(repos) == 0 {
		return
	}
	round := &surveyRound{walk: w, host: host}
	round.ask(ctx, repos)
	round.ask(ctx, round.learned)
	if ctx.Err() != nil || round.calls == 0 {
		return
	}
	w.surveyCalls += round.calls
	fails, recovered := w.Hosts.surveys.end(host, round.err)
	if fails {
		w.surveyFailures = append(w.surveyFailures, poller.SurveyFailure{
			Host: host, Error: round.err.Error(), Repositories: len(repos) - round.spared,
		})
	}
	if recovered {
		w.surveyRecovered = append(w.surveyRecovered, host)
	}
}

// surveyRound is the survey of one host in one walk.
type surveyRound struct {
	*walk
	host string

	lock    sync.Mutex
	calls   int
	spared  int // repositories that need no listing
	learned []*repository
	err     error // the first trouble
}

// ask asks about repositories in batches, until the host may no longer be surveyed.
func (s *surveyRound) ask(ctx context.Context, repos []*repository) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, s.Concurrency)
	for len(repos) > 0 && ctx.Err() == nil {
		slots <- struct{}{}
		connections, ready := s.Hosts.surveys.ready(s.host)
		_, stopped := s.gate.stopped(s.host)
		if !ready || stopped {
			<-slots
			break
		}
		var batch []*repository
		batch, repos = s.batch(repos, connections)
		wg.Go(func() {
			defer func() { <-slots }()
			s.askBatch(ctx, batch)
		})
	}
	wg.Wait()
}

// batch splits off the repositories for one call.
func (s *surveyRound) batch(repos []*repository, connections int) (batch, rest []*repository) {
	for i, r := range repos {
		connections -= s.question(r).Connections()
		if connections < 0 && i > 0 {
			return repos[:i], repos[i:]
		}
	}
	return repos, nil
}

// question is the part of the survey about one repository.
func (w *walk) question(r *repository) gh.SurveyRepo {
	q := gh.SurveyRepo{Repo: r.Repo, Issues: r.kept.issues, PullRequests: r.kept.pulls, AllPullRequests: r.kept.allPulls}
	if len(w.Labels) > 0 {
		q.Label, q.FindLabel = r.spelling, r.spelling == ""
		if q.FindLabel {
			q.Label = w.Labels[0]
		}
	}
	return q
}

// askBatch makes one call. A panic in it is the survey's failure and only costs the
// listings that it would have spared.
func (s *surveyRound) askBatch(ctx context.Context, batch []*repository) {
	defer func() {
		if p := recover(); p != nil {
			s.Hosts.surveys.failed(s.host)
			s.note(fmt.Errorf("internal error: %v", p))
		}
	}()
	survey := gh.Survey{Host: s.host, First: 1}
	for _, r := range batch {
		survey.Repos = append(survey.Repos, s.question(r))
		survey.First = max(survey.First, r.kept.most())
	}
	answer, err := s.Client.Survey(ctx, survey)
	if ctx.Err() != nil {
		return
	}
	s.Hosts.meter.listed(s.host, 1, max(1, answer.Cost))
	if err != nil {
		s.Hosts.surveys.failed(s.host)
	} else {
		err = s.Hosts.surveys.answered(s.host, answer)
		for i, r := range batch {
			s.judge(r, survey.Repos[i], answer.Repos[i])
		}
	}
	s.note(err)
	s.progress(0, batch[len(batch)-1].scope)
}

// note counts a finished call.
func (s *surveyRound) note(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.calls++
	if s.err == nil {
		s.err = err
	}
}

// judge uses GitHub's answer about one repository. It also serves as the check of its
// name.
func (s *surveyRound) judge(r *repository, asked gh.SurveyRepo, answer *gh.Surveyed) {
	if r.kept.same(asked, answer) {
		r.checked, r.unnamed = s.cycle, problem{}
		s.lock.Lock()
		defer s.lock.Unlock()
		s.unchanged[r] = true
		s.spared++
		return
	}
	if answer != nil && !r.isCalled(answer.NameWithOwner) {
		r.checked = 0 // if found empty, this walk asks for its name
	}
	switch {
	case answer == nil:
	case asked.FindLabel:
		if answer.Labels == nil {
			return
		}
		if r.spelling = spelled(answer.Labels.Names, asked.Label); r.spelling != "" {
			s.lock.Lock()
			defer s.lock.Unlock()
			s.learned = append(s.learned, r)
		}
	case answer.Label != asked.Label:
		r.spelling = "" // the label was renamed or removed
	}
}

// standFor makes the last listing of an unchanged repository the outcome.
func (w *walk) standFor(r *repository, o *outcome) {
	if w.Issues && r.issuesOff.present() {
		o.skip(r, problem{text: r.issuesOff.text}, true)
	}
	if w.PullRequests && w.hears(r, o) {
		o.heard = true
	}
	o.items = r.kept.items
	o.polled, o.unchanged = true, true
	o.empty = len(o.items) == 0
}

// keep stores the listings of this walk that may stand for later ones, and the
// repositories' spelling of the label.
func (w *walk) keep() {
	for i, r := range w.repos {
		o := &w.outcomes[i]
		if o.unchanged {
			continue
		}
		r.kept = nil
		if w.complete(r, o) {
			k := &kept{
				issues: o.issues, pulls: o.pulls, allPulls: o.heard && len(w.Labels) > 0, items: o.items, at: w.began,
			}
			if k.most() <= gh.MaxSurveyed { // no answer holds more
				r.kept = k
			}
		}
		if len(w.Labels) == 1 {
			r.learnSpelling(o.items, w.Labels[0])
		}
	}
}

func (r *repository) learnSpelling(items []poller.WorkItem, label string) {
	for _, item := range items {
		if name := spelled(item.Labels, label); name != "" {
			r.spelling = name
			return
		}
	}
}

// complete reports whether the listing lacks nothing. Disabled issues count as listed.
func (w *walk) complete(r *repository, o *outcome) bool {
	for _, s := range o.skipped {
		if !r.issuesOff.present() || s.Error != r.issuesOff.text {
			return false
		}
	}
	return o.polled && !o.interrupted && !o.dropped && len(o.failures) == 0 && o.pulls == w.PullRequests &&
		(o.issues || !w.Issues || r.issuesOff.present())
}
