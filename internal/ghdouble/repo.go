package ghdouble

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Repo is a repository of the double. Tests may change it while gh asks. A method
// panics when no item has the given number: the test is wrong.
type Repo struct {
	server    *Server
	host      *host
	id        int
	owner     string
	name      string
	issuesOff bool
	archived  bool
	gone      bool // unreachable; set by a fault
	nullNode  bool // lists a null among its items; set by a fault
	slow      time.Duration
	gap       Gap
	labels    []string
	items     map[int]*item
	left      map[int]*departed // deleted and transferred items, by their number here
}

// Repo returns the repository called [HOST/]OWNER/NAME. If none has that name, Repo
// makes it, empty and with Issues on.
func (s *Server) Repo(name string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repo(name)
}

func (s *Server) repo(name string) *Repo {
	hostName, full := splitRepo(name)
	h := s.host(hostName)
	if r := h.find(full); r != nil {
		return r
	}
	owner, short, _ := strings.Cut(full, "/")
	s.lastID++
	r := &Repo{server: s, host: h, id: s.lastID, owner: owner, name: short, items: map[int]*item{}, left: map[int]*departed{}}
	h.repos[strings.ToLower(full)] = r
	return r
}

// RemoveRepo removes the repository. As on GitHub, the API answers the same for a
// repository that does not exist and one that is out of reach.
func (s *Server) RemoveRepo(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(name)
}

func (s *Server) remove(name string) {
	hostName, full := splitRepo(name)
	h := s.host(hostName)
	gone := h.find(full)
	is := func(_ string, r *Repo) bool { return r == gone }
	maps.DeleteFunc(h.repos, is)
	maps.DeleteFunc(h.former, is)
}

// SetLogin sets the user behind every token on that host.
func (s *Server) SetLogin(hostName, login string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host(hostName).login = login
}

// SetVersion makes an Enterprise server that version. Without a version it has every
// feature that the double knows.
func (s *Server) SetVersion(hostName, version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host(hostName).version = version
}

// SetRate sets the remaining "core", "graphql" or "search" quota of that host.
func (s *Server) SetRate(hostName, resource string, rate Rate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host(hostName).rates[resource] = rate
}

// Rate returns the remaining "core", "graphql" or "search" quota of that host.
func (s *Server) Rate(hostName, resource string) Rate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.host(hostName).rate(resource)
}

// AddIssue adds an issue. It replaces an item with the same number.
func (r *Repo) AddIssue(it Item) { r.change(func() { r.add(it, false) }) }

// AddPullRequest adds a pull request. It replaces an item with the same number.
func (r *Repo) AddPullRequest(it Item) { r.change(func() { r.add(it, true) }) }

// AddComment adds a comment to the conversation and advances the item's UpdatedAt.
func (r *Repo) AddComment(number int, c Comment) {
	r.change(func() { r.item(number).addComment(c) })
}

// AddReview adds a review and advances the pull request's UpdatedAt.
func (r *Repo) AddReview(number int, v Review) {
	r.change(func() { r.item(number).addReview(v) })
}

// AddReviewComment adds an inline comment and advances the pull request's UpdatedAt.
func (r *Repo) AddReviewComment(number int, c ReviewComment) {
	r.change(func() { r.item(number).addReviewComment(c) })
}

// SetState closes ("closed"), merges ("merged") or reopens ("open") an item and
// advances its UpdatedAt.
func (r *Repo) SetState(number int, state string) {
	r.change(func() {
		it := r.item(number)
		it.State = state
		it.touch()
	})
}

// Update changes an item in any other way. UpdatedAt changes only if change sets it.
func (r *Repo) Update(number int, change func(*Item)) {
	r.change(func() { change(&r.item(number).Item) })
}

// SetIssuesEnabled turns the repository's Issues on or off.
func (r *Repo) SetIssuesEnabled(on bool) { r.change(func() { r.issuesOff = !on }) }

// AddLabel adds a label that no item carries.
func (r *Repo) AddLabel(name string) { r.change(func() { r.labels = append(r.labels, name) }) }

// RenameLabel changes the spelling of a label on every item that carries it, without
// a change of UpdatedAt.
func (r *Repo) RenameLabel(from, to string) { r.change(func() { r.renameLabel(from, to) }) }

func (r *Repo) renameLabel(from, to string) {
	rename := func(labels []string) []string {
		labels = slices.Clone(labels)
		for i, label := range labels {
			if strings.EqualFold(label, from) {
				labels[i] = to
			}
		}
		return labels
	}
	r.labels = rename(r.labels)
	for _, it := range r.items {
		it.Labels = rename(it.Labels)
	}
}

// Rename gives the repository the new name OWNER/NAME. The API redirects from the old
// name; the search finds nothing under it.
func (r *Repo) Rename(name string) { r.change(func() { r.rename(name) }) }

func (r *Repo) rename(name string) {
	old := strings.ToLower(r.fullName())
	delete(r.host.repos, old)
	r.owner, r.name, _ = strings.Cut(name, "/")
	r.host.repos[strings.ToLower(name)] = r
	r.host.former[old] = r
	delete(r.host.former, strings.ToLower(name))
}

// Crowd fills the repository beyond one page: open issues 1 to 101 and pull requests
// 1001 to 1101, all with the label, 101 comments on 1 and on 1001, and 101 reviews and
// inline comments on 1001.
func (r *Repo) Crowd(label string) {
	const many = 101
	var talk Item
	for range many {
		talk.Comments = append(talk.Comments, Comment{Body: "a comment"})
		talk.Reviews = append(talk.Reviews, Review{Body: "a review"})
		talk.ReviewComments = append(talk.ReviewComments, ReviewComment{Body: "inline", Path: "main.go", Line: 1})
	}
	for n := range many {
		it := Item{Labels: []string{label}}
		if n == 0 {
			it.Comments, it.Reviews, it.ReviewComments = talk.Comments, talk.Reviews, talk.ReviewComments
		}
		it.Number = n + 1
		r.AddIssue(it)
		it.Number += 1000
		r.AddPullRequest(it)
	}
}

func (r *Repo) change(do func()) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	do()
}

func (r *Repo) item(number int) *item {
	it := r.items[number]
	if it == nil {
		panic(fmt.Sprintf("ghdouble: %s has no item %d", r.fullName(), number))
	}
	return it
}

// host returns the host of that name and makes it if new; "" is github.com.
func (s *Server) host(name string) *host {
	if name == "" {
		name = defaultHost
	}
	name = strings.ToLower(name)
	if s.hosts[name] == nil {
		s.hosts[name] = newHost(name)
	}
	return s.hosts[name]
}

const defaultHost = "github.com"

// splitRepo splits [HOST/]OWNER/NAME; without HOST the host is github.com.
func splitRepo(name string) (hostName, full string) {
	if strings.Count(name, "/") < 2 {
		return defaultHost, name
	}
	hostName, full, _ = strings.Cut(name, "/")
	return strings.ToLower(hostName), full
}
