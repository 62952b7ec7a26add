package github

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// town is a small GitHub behind a client: what the database holds, and what the
// search index, from which gh lists, knows of it.
type town struct {
	t     *testing.T
	mu    sync.Mutex
	repos map[string]*house
	// answer replaces what a survey is answered, when it is not nil.
	answer func(s gh.Survey, whole map[string]any) (string, error)
	calls  []string
	points int // that GraphQL calls have cost
	limit  int // of the quota, 0 for a host that does not tell
	// surveys are the questions.
	surveys []gh.Survey
}

type house struct {
	name      string // OWNER/REPO now
	labels    []string
	issuesOff bool
	down      bool             // its listings fail
	items     map[int]resident // the open ones
	// over are the items that are closed or were moved; one that was deleted is in
	// neither map.
	over map[int]former
	// index is what the search knows, nil for everything.
	index map[int]resident
}

type resident struct {
	pull    bool
	closes  int // the issue that a pull request closes, 0 for none
	updated time.Time
	labels  []string

	author   string
	head     int // of a pull request; an odd one conflicts with its base
	comments []gh.Comment
}

func newTown(t *testing.T, repos ...string) *town {
	w := &town{t: t, repos: map[string]*house{}, limit: 5000}
	for _, r := range repos {
		w.repos[r] = &house{
			name: r, labels: []string{"bug", "the-loop"}, items: map[int]resident{}, over: map[int]former{},
		}
	}
	return w
}

// streets are n repositories.
func streets(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("octo/r%03d", i)
	}
	return names
}

func (w *town) put(repo string, n int, pull bool, updated time.Time) {
	w.repos[repo].items[n] = resident{pull: pull, updated: updated.UTC().Truncate(time.Second), labels: slices.Clone(w.repos[repo].labels[1:])}
}

// called counts the calls with that beginning since it was last reset.
func (w *town) called(prefix string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, c := range w.calls {
		if strings.HasPrefix(c, prefix) {
			n++
		}
	}
	return n
}

func (w *town) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls, w.surveys, w.points = nil, nil, 0
}

// call notes a call and returns the repository that it is about.
func (w *town) call(what string, r ref.Repo) *house {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, what+" "+r.Scope())
	w.points++
	return w.repos[r.Scope()]
}

func (w *town) Resolve() error         { return nil }
func (w *town) PullRequestPoints() int { return 1 }

// listed are the numbers that gh lists of one kind, in order.
func (h *house) listed(pull bool, f gh.Filter) []int {
	var numbers []int
	for n, item := range h.source(f) {
		carries := func(label string) bool {
			return slices.ContainsFunc(item.labels, func(l string) bool { return strings.EqualFold(l, label) })
		}
		if item.pull == pull && !slices.ContainsFunc(f.Labels, func(l string) bool { return !carries(l) }) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// source is where gh finds what it lists: with a label it searches.
func (h *house) source(f gh.Filter) map[int]resident {
	if h.index != nil && len(f.Labels) > 0 {
		return h.index
	}
	return h.items
}

func (w *town) Issues(_ context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error) {
	h := w.call("issue list", r)
	args := []string{"issue", "list", "--repo"}
	switch {
	case h.down:
		return nil, 0, gh.ExitError(args, 1, "HTTP 502")
	case h.issuesOff:
		return nil, 0, gh.ExitError(args, 1, "the '"+r.String()+"' repository has disabled issues")
	case !strings.EqualFold(h.name, r.String()) && len(f.Labels) > 0:
		return nil, 0, nil
	}
	var issues []gh.Issue
	for _, n := range h.listed(false, f) {
		item := h.source(f)[n]
		issues = append(issues, gh.Issue{Number: n, Labels: item.labels, UpdatedAt: item.updated, Author: item.author})
	}
	return issues, len(issues), nil
}

func (w *town) PullRequests(_ context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error) {
	h := w.call("pr list", r)
	if h.down {
		return nil, 0, gh.ExitError([]string{"pr", "list", "--repo"}, 1, "HTTP 502")
	}
	if !strings.EqualFold(h.name, r.String()) && len(f.Labels) > 0 {
		return nil, 0, nil
	}
	var pulls []gh.PullRequest
	for _, n := range h.listed(true, f) {
		item := h.source(f)[n]
		pr := gh.PullRequest{Number: n, Labels: item.labels, UpdatedAt: item.updated, Author: item.author}
		if item.closes > 0 {
			pr.Closing = []ref.Item{{Repo: r, Number: item.closes}}
		}
		pulls = append(pulls, pr)
	}
	return pulls, len(pulls), nil
}

func (w *town) Repository(_ context.Context, r ref.Repo) (gh.Repository, error) {
	h := w.call("repo view", r)
	on := !h.issuesOff
	return gh.Repository{NameWithOwner: h.name, HasIssuesEnabled: &on}, nil
}

func (w *town) RateLimit(context.Context, string) (gh.RateLimits, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, "rate_limit")
	if w.limit == 0 {
		return nil, gh.ExitError([]string{"api", "--hostname"}, 1, "gh: Not Found (HTTP 404)")
	}
	q := gh.Quota{Limit: w.limit, Remaining: w.limit, Reset: time.Now().Add(time.Hour)}
	return gh.RateLimits{"graphql": q, "core": q}, nil
}

// Survey answers from the database, as GitHub's connections do: any of the
// labels, told apart by case.
func (w *town) Survey(_ context.Context, s gh.Survey) (gh.SurveyAnswer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, "survey "+s.Host)
	w.surveys = append(w.surveys, s)
	w.points++
	data := map[string]any{"rateLimit": map[string]any{"cost": 1}}
	for i, asked := range s.Repos {
		data[fmt.Sprintf("r%d", i)] = w.repos[asked.Repo.Scope()].surveyed(asked, s.First)
	}
	text, err := json.Marshal(map[string]any{"data": data})
	if w.answer != nil {
		var replaced string
		replaced, err = w.answer(s, data)
		text = []byte(replaced)
	}
	if err != nil {
		return gh.SurveyAnswer{}, err
	}
	return s.Read(text)
}

func (h *house) surveyed(asked gh.SurveyRepo, first int) any {
	if h.down {
		return nil
	}
	o := map[string]any{"nameWithOwner": h.name, "hasIssuesEnabled": !h.issuesOff}
	items := func(pull bool, label string) any {
		nodes, total := []any{}, 0
		for _, n := range slices.Sorted(maps.Keys(h.items)) {
			item := h.items[n]
			if item.pull != pull || label != "" && !slices.Contains(item.labels, label) {
				continue
			}
			if total++; total <= first {
				nodes = append(nodes, map[string]any{"number": n, "updatedAt": item.updated.Format(time.RFC3339)})
			}
		}
		return map[string]any{"totalCount": total, "nodes": nodes}
	}
	if asked.AllPullRequests {
		o["pullRequests"] = items(true, "")
	}
	if asked.FindLabel {
		names := []any{}
		for _, l := range h.labels[:min(100, len(h.labels))] {
			names = append(names, map[string]any{"name": l})
		}
		o["labels"] = map[string]any{"totalCount": len(h.labels), "nodes": names}
		return o
	}
	if asked.Label != "" {
		o["label"] = nil
		for _, l := range h.labels {
			if strings.EqualFold(l, asked.Label) {
				o["label"] = map[string]any{"name": l}
			}
		}
	}
	if asked.Issues {
		o["issues"] = items(false, asked.Label)
		if h.issuesOff {
			o["issues"] = map[string]any{"totalCount": 0, "nodes": []any{}}
		}
	}
	switch {
	case asked.AllPullRequests:
		o["labelled"] = items(true, asked.Label)
	case asked.PullRequests:
		o["pullRequests"] = items(true, asked.Label)
	}
	return o
}

func (w *town) Login(context.Context, string) (string, error) { return "octocat", nil }

// watch makes a provider of the repositories, with the daemon's parts around it.
type watch struct {
	*Provider
	pacer    *Pacer
	interval time.Duration
}

func (w *town) watch(mode SurveyMode, interval time.Duration, change func(*Options), repos ...string) *watch {
	o := Options{
		Client: w, GH: "gh", Hosts: NewHosts(), Labels: []string{"the-loop"}, Issues: true, PullRequests: true,
		Limit: 1000, ReprobeCycles: 60, Concurrency: 1,
	}
	for _, r := range repos {
		parsed, err := ref.ParseRepo(r, "")
		if err != nil {
			w.t.Fatal(err)
		}
		o.Repos = append(o.Repos, parsed)
	}
	if change != nil {
		change(&o)
	}
	p := New(o)
	NewSurveyor(o.Hosts, SurveyOptions{Mode: mode, Interval: interval}, []*Provider{p})
	return &watch{Provider: p, pacer: NewPacer(o.Hosts, []*Provider{p}), interval: interval}
}

// cycle is one pass, as the daemon makes it, and the wait after it.
func (p *watch) cycle(t *testing.T) poller.Listing {
	t.Helper()
	if p.Provider.cycle == 0 {
		p.pacer.Next(t.Context(), p.interval, 0)
	}
	l, err := p.Listing(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Hosts.CycleDone()
	p.pacer.Next(t.Context(), p.interval, 0)
	<-time.After(p.interval)
	return l
}
