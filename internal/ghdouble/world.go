package ghdouble

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"
)

// host is one GitHub: github.com or an Enterprise server.
type host struct {
	name    string
	version string // of an Enterprise server
	login   string
	rates   map[string]Rate
	repos   map[string]*Repo // by lower-case owner/name
	former  map[string]*Repo // by the names before a rename
}

func newHost(name string) *host {
	return &host{
		name:    name,
		version: "3.18.0",
		login:   "octocat",
		rates:   map[string]Rate{},
		repos:   map[string]*Repo{},
		former:  map[string]*Repo{},
	}
}

// rate returns the host's quota for a resource: the value that a test set, or GitHub's
// default.
func (h *host) rate(resource string) Rate {
	if r, ok := h.rates[resource]; ok {
		if now := time.Now(); r.Counted && now.After(r.Reset) {
			r.Remaining, r.Reset = r.Limit, now.Add(time.Hour)
			h.rates[resource] = r
		}
		return r
	}
	limit := 5000
	if resource == "search" {
		limit = 30
	}
	return Rate{Limit: limit, Remaining: limit, Reset: time.Now().Add(time.Hour)}
}

// find returns the repository of that name. It follows a rename, as the API does; the
// search does not.
func (h *host) find(fullName string) *Repo {
	key := strings.ToLower(fullName)
	if r := cmp.Or(h.repos[key], h.former[key]); r != nil && !r.gone {
		return r
	}
	return nil
}

// byID returns the item with that node id.
func (h *host) byID(id string) *item {
	for _, r := range h.repos {
		for _, it := range r.items {
			if it.nodeID() == id && !r.gone {
				return it
			}
		}
	}
	return nil
}

// byNumber returns the repository that a redirect after a rename points to.
func (h *host) byNumber(id string) *Repo {
	for _, r := range h.repos {
		if fmt.Sprint(r.id) == id {
			return r
		}
	}
	return nil
}

func (r *Repo) fullName() string { return r.owner + "/" + r.name }

// page returns the repository's address for a browser.
func (r *Repo) page() string { return "https://" + r.host.name + "/" + r.fullName() }

// sorted lists issues or pull requests in gh's order, newest first.
func (r *Repo) sorted(pull bool, keep func(*item) bool) []*item {
	var items []*item
	for _, it := range r.items {
		if it.pull == pull && keep(it) {
			items = append(items, it)
		}
	}
	slices.SortFunc(items, func(a, b *item) int { return cmp.Compare(b.Number, a.Number) })
	return items
}

// visible returns the item of that number. With Issues off it finds only pull requests.
func (r *Repo) visible(number int) *item {
	it := r.items[number]
	if it == nil || (r.issuesOff && !it.pull) {
		return nil
	}
	return it
}

// allLabels returns the repository's labels, including unused ones. Case does not
// count: each label keeps its first spelling.
func (r *Repo) allLabels() []string {
	all := slices.Clone(r.labels)
	for _, n := range slices.Sorted(maps.Keys(r.items)) {
		for _, label := range r.items[n].Labels {
			if !hasFold(all, label) {
				all = append(all, label)
			}
		}
	}
	return all
}

// label returns a label in the repository's spelling.
func (r *Repo) label(name string) (string, bool) {
	all := r.allLabels()
	if i := slices.IndexFunc(all, func(l string) bool { return strings.EqualFold(l, name) }); i >= 0 {
		return all[i], true
	}
	return "", false
}

// item is an Item within its repository.
type item struct {
	Item
	pull bool
	repo *Repo
}

// add fills in the fields that the test left out and stores the item.
func (r *Repo) add(given Item, pull bool) {
	it := &item{Item: given, pull: pull, repo: r}
	it.State = cmp.Or(it.State, "open")
	it.Title = cmp.Or(it.Title, fmt.Sprintf("item %d", it.Number))
	it.Author = cmp.Or(it.Author, r.host.login)
	if it.CreatedAt.IsZero() {
		it.CreatedAt = epoch().Add(time.Duration(it.Number) * time.Minute)
	}
	it.UpdatedAt = it.CreatedAt
	it.Comments, it.Reviews, it.ReviewComments = nil, nil, nil
	for _, c := range given.Comments {
		it.addComment(c)
	}
	if pull {
		it.HeadRef = cmp.Or(it.HeadRef, fmt.Sprintf("branch-%d", it.Number))
		for _, v := range given.Reviews {
			it.addReview(v)
		}
		for _, c := range given.ReviewComments {
			it.addReviewComment(c)
		}
	}
	if !given.UpdatedAt.IsZero() {
		it.UpdatedAt = given.UpdatedAt
	}
	r.items[it.Number] = it
}

func (it *item) addComment(c Comment) {
	it.said("IC", len(it.Comments), &c.ID, &c.Author, &c.CreatedAt)
	it.Comments = append(it.Comments, c)
}

func (it *item) addReview(v Review) {
	v.State = cmp.Or(v.State, "COMMENTED")
	it.said("PRR", len(it.Reviews), &v.ID, &v.Author, &v.SubmittedAt)
	it.Reviews = append(it.Reviews, v)
}

func (it *item) addReviewComment(c ReviewComment) {
	it.said("PRRC", len(it.ReviewComments), &c.ID, &c.Author, &c.CreatedAt)
	it.ReviewComments = append(it.ReviewComments, c)
}

// said completes the entry at a position of a conversation. As on GitHub, the item's
// time advances even when the entry carries an earlier date.
func (it *item) said(prefix string, at int, id, author *string, when *time.Time) {
	*id = cmp.Or(*id, fmt.Sprintf("%s_%d_%d_%d", prefix, it.repo.id, it.Number, at+1))
	*author = cmp.Or(*author, it.repo.host.login)
	if when.IsZero() {
		*when = it.CreatedAt.Add(time.Duration(at+1) * time.Second)
	}
	it.touch()
	if when.After(it.UpdatedAt) {
		it.UpdatedAt = *when
	}
}

func (it *item) touch() { it.UpdatedAt = it.UpdatedAt.Add(time.Second) }

func (it *item) labelled(label string) bool { return hasFold(it.Labels, label) }

func (it *item) url() string {
	if it.URL != "" {
		return it.URL
	}
	kind := "issues"
	if it.pull {
		kind = "pull"
	}
	return fmt.Sprintf("%s/%s/%d", it.repo.page(), kind, it.Number)
}

func (it *item) nodeID() string {
	prefix := "I"
	if it.pull {
		prefix = "PR"
	}
	return fmt.Sprintf("%s_%d_%d", prefix, it.repo.id, it.Number)
}

// hasFold reports whether the list holds the name. Like GitHub it ignores case.
func hasFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// epoch returns the start of the double's world.
func epoch() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// stamp returns the time in GitHub's form: UTC, whole seconds.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// databaseID returns the number that the REST API shows beside a node id.
func databaseID(nodeID string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(nodeID))
	return h.Sum32()
}
