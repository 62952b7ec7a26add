package gh

import (
	"encoding/json"
	"slices"
	"strings"

	"the-loop/internal/ref"
)

// listed is an item in the JSON of both list commands.
type listed struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Author actor  `json:"author"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
	UpdatedAt   stamp      `json:"updatedAt"`
	HeadRefName string     `json:"headRefName"`
	Body        string     `json:"body"`
	IsDraft     bool       `json:"isDraft"`
	Cross       bool       `json:"isCrossRepository"`
	Closing     references `json:"closingIssuesReferences"`
}

func (l listed) labels() []string {
	names := make([]string, 0, len(l.Labels))
	for _, label := range l.Labels {
		if label.Name != "" {
			names = append(names, label.Name)
		}
	}
	return names
}

// carries reports whether the item has all the labels. Labels that gh did not
// print say nothing.
func (l listed) carries(labels []string) bool {
	return l.Labels == nil || HasLabels(l.labels(), labels)
}

// HasLabels reports whether an item's labels contain all the wanted ones, compared
// without case as GitHub does. Every item has "*".
func HasLabels(labels, wanted []string) bool {
	for _, label := range wanted {
		has := func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(label)) }
		if label != everyItem && !slices.ContainsFunc(labels, has) {
			return false
		}
	}
	return true
}

func (l listed) pullRequest() PullRequest {
	return PullRequest{
		Number: l.Number, Title: l.Title, URL: l.URL, Author: l.Author.Login,
		Labels: l.labels(), UpdatedAt: l.UpdatedAt.Time,
		HeadRefName: l.HeadRefName, Body: l.Body, IsDraft: l.IsDraft, IsCrossRepository: l.Cross, Closing: l.Closing,
	}
}

// references reads the closing references of a pull request. What is not
// understood of them is left out: a pull request is also linked by its branch
// and its text, and no listing should fail for them.
type references []ref.Item

// UnmarshalJSON never fails. It takes a list, and one in an object's "nodes".
func (rs *references) UnmarshalJSON(data []byte) error {
	var raw []reference
	var wrapped struct{ Nodes []reference }
	if json.Unmarshal(data, &raw) != nil && json.Unmarshal(data, &wrapped) == nil {
		raw = wrapped.Nodes
	}
	*rs = nil
	for _, one := range raw {
		if item, ok := one.item(); ok {
			*rs = append(*rs, item)
		}
	}
	return nil
}

type reference struct {
	Number     int    `json:"number"`
	URL        string `json:"url"`
	Repository struct {
		Name  string `json:"name"`
		Owner actor  `json:"owner"`
	} `json:"repository"`
}

// item is what r names; the address says what the rest does not.
func (r reference) item() (ref.Item, bool) {
	repo := ref.Repo{Host: hostOf(r.URL), Owner: r.Repository.Owner.Login, Name: r.Repository.Name}
	if found, ok := ref.ParseURL(r.URL); ok && (repo.Owner == "" || repo.Name == "") {
		repo.Owner, repo.Name = found.Owner, found.Name
	}
	return repo.Item(r.Number), r.Number > 0 && repo.Check() == nil
}
