package ghdouble

import (
	"slices"
	"strconv"
	"strings"
)

// searchLimit is the most results that GitHub's search returns.
const searchLimit = 1000

// search returns matching items of the index, newest first. It finds nothing for an
// unknown repository or a name from before a rename.
func (h *host) search(query string) ([]*item, *queryError) {
	q, err := parseSearch(query)
	if err != nil {
		return nil, err
	}
	r := h.repos[strings.ToLower(q.repo)]
	if r == nil || r.gone || (r.issuesOff && !q.pull) {
		return nil, nil
	}
	found := r.sorted(q.pull, q.matches)
	if r.nullNode {
		found = slices.Insert(found, 0, nil)
	}
	return found[:min(len(found), searchLimit)], nil
}

// searchQuery is a search of the form that gh writes for a list.
type searchQuery struct {
	repo   string
	pull   bool
	state  string
	labels []string
}

// parseSearch reads the qualifiers. An unknown qualifier is an error, since a search
// without it would find too much.
func parseSearch(query string) (searchQuery, *queryError) {
	var q searchQuery
	for _, term := range terms(query) {
		key, value, _ := strings.Cut(term, ":")
		switch {
		case key == "repo":
			q.repo = value
		case key == "label":
			q.labels = append(q.labels, value)
		case key == "state" || (key == "is" && (value == "open" || value == "closed" || value == "merged")):
			q.state = value
		case (key == "type" || key == "is") && (value == "pr" || value == "issue"):
			q.pull = value == "pr"
		default:
			return q, &queryError{Type: "INVALID", Message: "the double does not know the search term " + term}
		}
	}
	return q, nil
}

// terms splits a search at blanks outside quotes and removes the quotes.
func terms(query string) []string {
	var all []string
	for {
		query = strings.TrimLeft(query, " ")
		if query == "" {
			return all
		}
		end := strings.IndexAny(query, ` "`)
		if end < 0 {
			end = len(query)
		}
		term, rest := query[:end], query[end:]
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			value, _ := strconv.Unquote(quoted)
			term, rest = term+value, rest[len(quoted):]
		} else if strings.HasPrefix(rest, `"`) {
			term, rest = term+rest, ""
		}
		all, query = append(all, term), rest
	}
}

func (q searchQuery) matches(it *item) bool {
	for _, label := range q.labels {
		if !it.labelled(label) {
			return false
		}
	}
	state := it.State
	if it.Index == "stale" {
		state = "open"
	}
	return it.Index != "missing" && (q.state == "" || strings.EqualFold(q.state, state))
}
