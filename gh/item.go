package gh

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"the-loop/internal/ref"
)

// IssueState is an issue or pull request as it describes itself.
type IssueState struct {
	// Item is the one that the answer is about. It differs from the one asked for
	// when the item was moved to another repository.
	Item        ref.Item
	State       string // in lower case: open or closed
	Merged      bool   // a pull request that was merged, and so is closed
	PullRequest bool
	URL         string // the item's web address; "" when gh did not print one
	Title       string
	Author      string // "" for a deleted account
	// Labels are the item's; nil when gh did not print them.
	Labels []string
}

// Closed reports whether the item is closed, merged or not.
func (s IssueState) Closed() bool { return s.State == "closed" }

// Is reports whether the answer is about item n of r.
func (s IssueState) Is(r ref.Repo, n int) bool {
	return s.Item.Number == n && strings.EqualFold(s.Item.NameWithOwner(), r.NameWithOwner())
}

// IssueState asks what became of item n of r, issue or pull request. GitHub
// follows a moved item, so compare the answer with [IssueState.Is]. An answer
// that does not name its item and repository, or whose state is neither open
// nor closed, is an error, and so is one from another host.
func (c *Client) IssueState(ctx context.Context, r ref.Repo, n int) (IssueState, error) {
	if err := checkItem(r, n); err != nil {
		return IssueState{}, err
	}
	args := itemArgs(r, n)
	var answer issueStateAnswer
	if err := c.ask(ctx, args, &answer); err != nil {
		return IssueState{}, err
	}
	return answer.state(r, args)
}

// NoSuchItem reports whether err is GitHub's word that there is no such item:
// 404, or 410 for one that was deleted. It says the same when the whole
// repository is out of reach or has its Issues disabled.
func NoSuchItem(err error) bool {
	status := StatusOf(err)
	return status == StatusNotFound || status == statusGone
}

const statusGone = 410

// itemArgs asks the REST API about item n, issue or pull request.
func itemArgs(r ref.Repo, n int) []string {
	return append(api(r.Host), restPath(r)+"/issues/"+strconv.Itoa(n))
}

type issueStateAnswer struct {
	Number        int    `json:"number"`
	State         string `json:"state"`
	URL           string `json:"html_url"`
	RepositoryURL string `json:"repository_url"`
	Title         string `json:"title"`
	User          actor  `json:"user"`
	Labels        names  `json:"labels"`
	PullRequest   *struct {
		MergedAt stamp `json:"merged_at"`
	} `json:"pull_request"`
}

// names are the labels of an answer, which GitHub writes as objects and, in old
// answers, as text. A list with anything else in it counts as not printed.
type names []string

// UnmarshalJSON never fails; it leaves nil for anything but a list of labels.
func (n *names) UnmarshalJSON(data []byte) error {
	*n = nil
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil || list == nil {
		return nil
	}
	all := names{}
	for _, entry := range list {
		var label struct{ Name string }
		if json.Unmarshal(entry, &label.Name) != nil && json.Unmarshal(entry, &label) != nil || label.Name == "" {
			return nil
		}
		all = append(all, label.Name)
	}
	*n = all
	return nil
}

func (a issueStateAnswer) state(r ref.Repo, args []string) (IssueState, error) {
	s := IssueState{
		State: strings.ToLower(a.State), URL: a.URL, Title: a.Title, Author: a.User.Login, Labels: a.Labels,
		PullRequest: a.PullRequest != nil, Merged: a.PullRequest != nil && !a.PullRequest.MergedAt.IsZero(),
	}
	if a.Number <= 0 {
		return IssueState{}, without(args, "a number")
	}
	if s.State != "open" && s.State != "closed" {
		return IssueState{}, without(args, "a state")
	}
	if err := a.answeredFor(r); err != nil {
		return IssueState{}, err
	}
	owner, name, ok := a.repository()
	if !ok {
		return IssueState{}, without(args, "a repository")
	}
	s.Item = ref.Repo{Host: r.Host, Owner: owner, Name: name}.Item(a.Number)
	return s, nil
}

// answeredFor checks the host of both addresses. The REST API of github.com and
// of the tenants of ghe.com has a host of its own.
func (a issueStateAnswer) answeredFor(r ref.Repo) error {
	if host := hostOf(a.URL); host != "" {
		if err := answeredFrom(r, host); err != nil {
			return err
		}
	}
	host := hostOf(a.RepositoryURL)
	if host == "" || strings.EqualFold(host, "api."+r.Host) {
		return nil
	}
	return answeredFrom(r, host)
}

// repository is the one that the answer's addresses name. An answer has one or
// both of them; two that contradict each other name none.
func (a issueStateAnswer) repository() (owner, name string, ok bool) {
	page, hasPage := a.page()
	place, hasPlace := a.place()
	switch {
	case a.URL != "" && !hasPage, a.RepositoryURL != "" && !hasPlace, !hasPage && !hasPlace:
		return "", "", false
	case hasPage && hasPlace && !strings.EqualFold(page, place):
		return "", "", false
	case hasPlace:
		page = place
	}
	owner, name, _ = strings.Cut(page, "/")
	return owner, name, true
}

// page is OWNER/REPO in the web address, which must be the item's own.
func (a issueStateAnswer) page() (string, bool) {
	path, ok := pathOf(a.URL)
	if !ok {
		return "", false
	}
	number := strconv.Itoa(a.Number)
	for _, kind := range []string{"/issues/", "/pull/"} {
		if full, ok := strings.CutSuffix(path, kind+number); ok {
			full = strings.TrimPrefix(full, "/")
			return full, ref.IsNameWithOwner(full)
		}
	}
	return "", false
}

// place is OWNER/REPO in the repository's address, that of the REST API.
func (a issueStateAnswer) place() (string, bool) {
	path, ok := pathOf(a.RepositoryURL)
	if !ok {
		return "", false
	}
	_, full, ok := strings.Cut(path, "/repos/")
	return full, ok && ref.IsNameWithOwner(full)
}

// pathOf is the path of a web address that has nothing after it.
func pathOf(address string) (string, bool) {
	if !isAddress(address) {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.Fragment != "" {
		return "", false
	}
	return u.Path, true
}
