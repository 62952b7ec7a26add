package ghdouble

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Kind is the gh command behind a request.
type Kind string

// The kinds of request. A [Match] for "issue" or "api" covers every kind that begins so.
const (
	IssueList         Kind = "issue list"
	IssueView         Kind = "issue view"
	PRList            Kind = "pr list"
	PRView            Kind = "pr view"
	RepoView          Kind = "repo view"
	APIIssue          Kind = "api issue"
	APIReviews        Kind = "api reviews"
	APIReviewComments Kind = "api review-comments"
	APIRepo           Kind = "api repo"
	APILabel          Kind = "api label"
	APIRateLimit      Kind = "api rate_limit"
	APIUser           Kind = "api user"
	// APIGraphQL is a query of gh api graphql that asks about many repositories.
	APIGraphQL Kind = "api graphql"
	// gh sends Root, Viewer, Introspect and Meta of its own accord: to check a token,
	// to learn its user, the fields of the host's schema, and the version of an
	// Enterprise server.
	Root       Kind = "root"
	Viewer     Kind = "viewer"
	Introspect Kind = "introspect"
	Meta       Kind = "meta"
	Other      Kind = "other"
)

// Request is one request that reached the double.
type Request struct {
	Kind   Kind
	Method string
	Host   string // github.com or an Enterprise server, in lower case
	Path   string // with its query
	// Repo is [HOST/]OWNER/NAME as gh asked for it, with HOST only when it is not
	// github.com; empty when the request concerns no repository.
	Repo string
	// LaterPage is true for a page after the first.
	LaterPage bool
	// Operation is the name of a GraphQL query, empty for REST.
	Operation string
	// Fault is the name of the fault that replaced the answer, or empty.
	Fault string
}

// call is a request while the double answers it.
type call struct {
	Request
	authority string // the host of the API: api.github.com
	url       *url.URL
	token     bool // whether the request carries a token

	usedUp    bool // whether a fault has used up the host's quotas
	host      *host
	repo      *Repo // nil when no repository has the name
	byID      bool  // gh asked for the repository by its number
	number    string
	labelName string

	graphql bool
	doc     *document
	vars    map[string]any
	badBody error
}

// newCall classifies a request. Call it with the server locked.
func (s *Server) newCall(r *http.Request, body []byte) *call {
	c := &call{authority: r.Host, url: r.URL, token: r.Header.Get("Authorization") != ""}
	c.Kind, c.Method, c.Path = Other, r.Method, r.URL.RequestURI()
	c.Host = strings.ToLower(r.Host)
	path := strings.Trim(r.URL.EscapedPath(), "/")
	if tail, ok := strings.CutPrefix(c.Host, "api."); ok {
		c.Host = tail
	} else {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "api"), "/")
		path = strings.TrimPrefix(strings.TrimPrefix(path, "v3"), "/")
	}
	c.host = s.host(c.Host)
	if path == "graphql" {
		c.readQuery(body)
	} else {
		c.readPath(strings.Split(path, "/"))
	}
	return c
}

// setRepo records the repository that the request concerns.
func (c *call) setRepo(full string) {
	c.Repo = full
	if c.Host != defaultHost {
		c.Repo = c.Host + "/" + full
	}
	c.find()
}

func (c *call) find() {
	_, full := splitRepo(c.Repo)
	c.repo = c.host.find(full)
}

// readPath classifies a REST request by its path's segments.
func (c *call) readPath(segments []string) {
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = plain
		}
	}
	c.LaterPage = positive(c.url.Query().Get("page"), 1) > 1
	switch first := segments[0]; {
	case first == "repos" && len(segments) >= 3:
		c.setRepo(segments[1] + "/" + segments[2])
		c.readRepoPath(segments[3:])
	case first == "repositories" && len(segments) >= 2:
		c.byID = true
		if r := c.host.byNumber(segments[1]); r != nil {
			c.setRepo(r.fullName())
		}
		c.readRepoPath(segments[2:])
	case len(segments) == 1:
		kinds := map[string]Kind{"": Root, "user": APIUser, "rate_limit": APIRateLimit, "meta": Meta}
		if kind, ok := kinds[first]; ok {
			c.Kind = kind
		}
	}
}

// readRepoPath classifies the segments after a repository's name.
func (c *call) readRepoPath(segments []string) {
	at := func(i int) string {
		if i < len(segments) {
			return segments[i]
		}
		return ""
	}
	c.number = at(1)
	switch {
	case len(segments) == 0:
		c.Kind = APIRepo
	case len(segments) == 2 && at(0) == "issues":
		c.Kind = APIIssue
	case len(segments) == 2 && at(0) == "labels":
		c.Kind, c.labelName = APILabel, at(1)
	case len(segments) == 3 && at(0) == "pulls" && at(2) == "reviews":
		c.Kind = APIReviews
	case len(segments) == 3 && at(0) == "pulls" && at(2) == "comments":
		c.Kind = APIReviewComments
	}
}

// readQuery classifies a GraphQL request by its operation's name, which is the same
// in all versions of gh.
func (c *call) readQuery(body []byte) {
	var request struct {
		Query     string
		Variables map[string]any
	}
	c.graphql = true
	if c.badBody = json.Unmarshal(body, &request); c.badBody != nil {
		return
	}
	if c.doc, c.badBody = parseQuery(request.Query); c.badBody != nil {
		return
	}
	c.vars, c.Operation = request.Variables, c.doc.operation
	kinds := map[string]Kind{
		"IssueList": IssueList, "IssueSearch": IssueList,
		"PullRequestList": PRList, "PullRequestSearch": PRList,
		"IssueByNumber": IssueView, "CommentsForIssue": IssueView,
		"PullRequestByNumber": PRView, "CommentsForPullRequest": PRView,
		"RepositoryInfo": RepoView, "UserCurrent": Viewer,
	}
	if kind, ok := kinds[c.Operation]; ok {
		c.Kind = kind
	} else if strings.Contains(request.Query, " r0:repository(") {
		c.Kind = APIGraphQL
	} else if strings.Contains(request.Query, "__type(") {
		c.Kind = Introspect
	}
	c.readVariables(arguments(request.Variables))
}

func (c *call) readVariables(vars arguments) {
	c.LaterPage = vars.text("endCursor")+vars.text("after") != ""
	name := vars.text("repo") + vars.text("name")
	search := vars.text("q") + vars.text("query")
	if owner := vars.text("owner"); owner != "" {
		c.setRepo(owner + "/" + name)
	} else if it := c.host.byID(vars.text("id")); it != nil {
		c.setRepo(it.repo.fullName())
	} else if q, err := parseSearch(search); err == nil && q.repo != "" {
		c.setRepo(q.repo)
	}
}
