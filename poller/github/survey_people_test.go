package github

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// These are the town's answers about single items, which no index delays.

// noItem is what gh says of an item that was deleted.
func noItem() error {
	return gh.ExitError([]string{"api", "--hostname"}, 1, "gh: Not Found (HTTP 404)")
}

func (w *town) conversation(r ref.Repo, n int) ([]gh.Comment, error) {
	h := w.call("view", r)
	if h.down {
		return nil, gh.ExitError([]string{"issue", "view"}, 1, "HTTP 502")
	}
	return slices.Clone(h.items[n].comments), nil
}

func (w *town) IssueComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return w.conversation(r, n)
}

func (w *town) PullRequestComments(_ context.Context, r ref.Repo, n int) ([]gh.Comment, error) {
	return w.conversation(r, n)
}

func (w *town) Reviews(context.Context, ref.Repo, int) ([]gh.Review, error) { return nil, nil }

func (w *town) ReviewComments(context.Context, ref.Repo, int) ([]gh.ReviewComment, error) {
	return nil, nil
}

func (w *town) IssueState(_ context.Context, r ref.Repo, n int) (gh.IssueState, error) {
	h := w.call("state", r)
	if h.down {
		return gh.IssueState{}, gh.ExitError([]string{"api", "--hostname"}, 1, "gh: Server Error (HTTP 502)")
	}
	if item, open := h.items[n]; open {
		return item.state(r, n, "open"), nil
	}
	if f, known := h.over[n]; known {
		return f.state, nil
	}
	return gh.IssueState{}, noItem()
}

// former is an item as it was, and what it answers now.
type former struct {
	item  resident
	state gh.IssueState
}

func (i resident) state(r ref.Repo, n int, state string) gh.IssueState {
	return gh.IssueState{
		Item: ref.Item{Repo: r, Number: n}, State: state, PullRequest: i.pull, Author: i.author, Labels: slices.Clone(i.labels),
	}
}

func (w *town) PullRequest(_ context.Context, r ref.Repo, n int) (gh.PullRequestState, error) {
	h := w.call("pr state", r)
	if h.down {
		return gh.PullRequestState{}, gh.ExitError([]string{"pr", "view"}, 1, "HTTP 502")
	}
	item, open := h.items[n]
	if !open {
		return gh.PullRequestState{HeadSHA: "end", State: "CLOSED", Mergeable: "UNKNOWN"}, nil
	}
	mergeable := []string{"MERGEABLE", "CONFLICTING"}[item.head%2]
	return gh.PullRequestState{HeadSHA: fmt.Sprint("head-", item.head), State: "OPEN", Mergeable: mergeable}, nil
}

// people do to the town what they do to GitHub.
type people struct {
	*town
	rng  *rand.Rand
	last int // the last number or id given
}

func (p *people) next() int {
	p.last++
	return p.last
}

func (p *people) oneOf(percent int) bool { return p.rng.IntN(100) < percent }

// any is an item of that sort, and its repository; ok is false when there is none.
func (p *people) any(sort func(resident) bool) (name string, n int, ok bool) {
	type found struct {
		name string
		n    int
	}
	var all []found
	for _, name := range slices.Sorted(maps.Keys(p.repos)) {
		for _, n := range slices.Sorted(maps.Keys(p.repos[name].items)) {
			if sort(p.repos[name].items[n]) {
				all = append(all, found{name, n})
			}
		}
	}
	if len(all) == 0 {
		return "", 0, false
	}
	f := all[p.rng.IntN(len(all))]
	return f.name, f.n, true
}

func (p *people) anyRepo() string {
	names := slices.Sorted(maps.Keys(p.repos))
	return names[p.rng.IntN(len(names))]
}

func anItem(resident) bool    { return true }
func anIssue(i resident) bool { return !i.pull }
func aPull(i resident) bool   { return i.pull }
func aLink(i resident) bool   { return i.closes > 0 }

// do is one deed. Deeds upon an item that there is not are none.
func (p *people) do() {
	switch n := p.rng.IntN(30); {
	case n < 6:
		p.come()
	case n < 19:
		p.say()
	case n == 19:
		p.change(aPull, func(h *house, i *resident) { i.closes = p.issueOf(h) })
	case n == 20:
		p.change(aPull, func(_ *house, i *resident) { i.head++ })
	case n < 23:
		p.label()
	case n < 25:
		p.end()
	case n == 25:
		p.reopen()
	case n == 26:
		p.move()
	case n == 27:
		if name, n, ok := p.any(anItem); ok {
			delete(p.repos[name].items, n)
		}
	default:
		p.trouble()
	}
}

func (p *people) come() {
	h := p.repos[p.anyRepo()]
	i := resident{pull: p.oneOf(40), author: "octocat", updated: p.now()}
	if p.oneOf(20) {
		i.author = "mallory"
	}
	if i.pull {
		i.closes = p.issueOf(h)
	}
	if !i.pull && p.oneOf(80) || p.oneOf(20) {
		i.labels = slices.Clone(h.labels[1:])
	}
	h.items[p.next()] = i
}

// issueOf is the number of an issue that a pull request may close, 0 for none.
func (p *people) issueOf(h *house) int {
	var numbers []int
	for _, n := range slices.Sorted(maps.Keys(h.items)) {
		if !h.items[n].pull {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 || p.oneOf(20) {
		return 0
	}
	return numbers[p.rng.IntN(len(numbers))]
}

func (p *people) now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// change is a deed that moves the time of the last change.
func (p *people) change(sort func(resident) bool, how func(*house, *resident)) {
	name, n, ok := p.any(sort)
	if !ok {
		return
	}
	h := p.repos[name]
	i := h.items[n]
	how(h, &i)
	i.updated = p.now()
	h.items[n] = i
}

func (p *people) say() {
	c := gh.Comment{ID: fmt.Sprint("IC_", p.next()), Author: "octocat", Body: "please look at this", CreatedAt: p.now()}
	if p.oneOf(25) {
		c.Author = "mallory"
	}
	if p.oneOf(12) {
		said := []string{"start", "stop", "pause", "resume", "restart"}
		c.Body = "the-loop " + said[p.rng.IntN(len(said))]
	} else if p.oneOf(10) {
		c.Body = session.CommentMarker
	}
	on := anItem
	if p.oneOf(60) {
		on = aLink
	}
	p.change(on, func(_ *house, i *resident) { i.comments = append(slices.Clone(i.comments), c) })
}

// label puts the label on or takes it off, and the time of the last change stays.
func (p *people) label() {
	name, n, ok := p.any(anItem)
	if !ok {
		return
	}
	h := p.repos[name]
	i := h.items[n]
	if i.labels = nil; p.oneOf(60) {
		i.labels = slices.Clone(h.labels[1:])
	}
	h.items[n] = i
}

func (p *people) end() {
	name, n, ok := p.any(anItem)
	if !ok {
		return
	}
	h := p.repos[name]
	i := h.items[n]
	state := i.state(p.at(name), n, "closed")
	state.Merged = i.pull && p.oneOf(50)
	h.over[n] = former{i, state}
	delete(h.items, n)
}

func (p *people) reopen() {
	h := p.repos[p.anyRepo()]
	for _, n := range slices.Sorted(maps.Keys(h.over)) {
		if f := h.over[n]; f.state.State == "closed" && !f.state.Merged {
			p.enter(h, n, f.item)
			delete(h.over, n)
			return
		}
	}
}

// enter makes an item one of the open ones, with the label as it is spelled now.
func (p *people) enter(h *house, n int, i resident) {
	if i.updated = p.now(); len(i.labels) > 0 {
		i.labels = slices.Clone(h.labels[1:])
	}
	h.items[n] = i
}

// move transfers an issue to another repository, where its number is another.
func (p *people) move() {
	from, n, ok := p.any(anIssue)
	to := p.anyRepo()
	if !ok || from == to {
		return
	}
	i := p.repos[from].items[n]
	delete(p.repos[from].items, n)
	there := p.next()
	p.enter(p.repos[to], there, i)
	p.repos[from].over[n] = former{i, i.state(p.at(to), there, "open")}
}

func (p *people) at(name string) ref.Repo {
	owner, repo, _ := strings.Cut(name, "/")
	return ref.Repo{Host: "github.com", Owner: owner, Name: repo}
}

// trouble is what happens to a whole repository. It is over soon.
func (p *people) trouble() {
	h := p.repos[p.anyRepo()]
	switch p.rng.IntN(8) {
	case 0:
		h.issuesOff = !h.issuesOff
	case 1:
		h.down = true
	case 2: // the label is spelled another way, or removed and made again
		spelling := []string{"the-loop", "The-Loop", "THE-LOOP", ""}[p.rng.IntN(4)]
		h.labels = []string{"bug"}
		if spelling != "" {
			h.labels = append(h.labels, spelling)
		}
		for n, i := range h.items {
			if len(i.labels) > 0 {
				i.labels = slices.Clone(h.labels[1:])
				h.items[n] = i
			}
		}
	default:
		h.issuesOff, h.down = false, false
	}
}
