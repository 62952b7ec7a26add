package ghdouble

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// rest answers a call to the REST API.
func (c call) rest() Reply {
	switch c.Kind {
	case Root:
		return jsonReply(http.StatusOK, map[string]any{"current_user_url": c.base() + "/user"})
	case APIUser:
		return jsonReply(http.StatusOK, account(c.host.login))
	case APIRateLimit:
		return jsonReply(http.StatusOK, rateLimit(c.host, c.usedUp))
	case Meta:
		return jsonReply(http.StatusOK, meta(c.host))
	case Other:
		return missing()
	}
	if c.repo == nil {
		return missing()
	}
	if c.moved() {
		return c.redirect()
	}
	switch c.Kind {
	case APIRepo:
		return jsonReply(http.StatusOK, restRepo(c.repo))
	case APILabel:
		return c.label()
	}
	return c.restItem()
}

// restItem answers a call about one issue or pull request.
func (c call) restItem() Reply {
	number, _ := strconv.Atoi(c.number)
	it := c.repo.visible(number)
	switch {
	case c.Kind == APIIssue && c.repo.left[number] != nil:
		return c.left(c.repo.left[number])
	case it != nil && c.Kind == APIIssue:
		return jsonReply(http.StatusOK, restItem(it))
	case it != nil && it.pull && c.Kind == APIReviews:
		return c.pages(restReviews(it))
	case it != nil && it.pull && c.Kind == APIReviewComments:
		return c.pages(restReviewComments(it))
	case c.Kind == APIIssue && c.repo.issuesOff:
		return errorReply(http.StatusGone, "Issues are disabled for this repo")
	}
	return missing()
}

func (c call) label() Reply {
	label, ok := c.repo.label(c.labelName)
	if !ok {
		return missing()
	}
	return jsonReply(http.StatusOK, map[string]any{"name": label, "color": "ededed", "description": nil})
}

// moved reports whether gh used a former name of the repository.
func (c call) moved() bool {
	_, full := splitRepo(c.Repo)
	return !c.byID && !strings.EqualFold(full, c.repo.fullName())
}

// redirect sends the client to the repository's number, as GitHub does after a rename.
func (c call) redirect() Reply {
	_, full := splitRepo(c.Repo)
	rest := c.url.EscapedPath()[strings.Index(c.url.EscapedPath(), full)+len(full):]
	target := fmt.Sprintf("%s/repositories/%d%s", c.base(), c.repo.id, rest)
	if c.url.RawQuery != "" {
		target += "?" + c.url.RawQuery
	}
	reply := errorReply(http.StatusMovedPermanently, "Moved Permanently")
	reply.Header = map[string]string{"Location": target}
	return reply
}

// base returns the address of the REST API, as links in answers write it.
func (c call) base() string { return c.host.base() }

func (h *host) base() string {
	if h.name == defaultHost {
		return "https://api.github.com"
	}
	return "https://" + h.name + "/api/v3"
}

// pages returns the requested page with links to the next and the last.
func (c call) pages(all []map[string]any) Reply {
	query := c.url.Query()
	size := positive(query.Get("per_page"), 30)
	size = min(size, 100)
	page := positive(query.Get("page"), 1)
	last := max(1, (len(all)+size-1)/size)
	from := min((page-1)*size, len(all))
	reply := jsonReply(http.StatusOK, all[from:min(from+size, len(all))])
	if page < last {
		reply.Header = map[string]string{"Link": fmt.Sprintf(`<%s>; rel="next", <%s>; rel="last"`,
			c.pageURL(query, page+1), c.pageURL(query, last))}
	}
	return reply
}

func (c call) pageURL(query url.Values, page int) string {
	query.Set("page", strconv.Itoa(page))
	return "https://" + c.authority + c.url.EscapedPath() + "?" + query.Encode()
}

// positive parses a number above zero. It returns otherwise, GitHub's default, for
// any other text.
func positive(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func rateLimit(h *host, usedUp bool) map[string]any {
	resources := map[string]any{}
	for _, name := range []string{"core", "graphql", "search"} {
		r := h.rate(name)
		if usedUp {
			r.Remaining = 0
		}
		resources[name] = map[string]any{
			"limit": r.Limit, "remaining": r.Remaining, "used": r.Limit - r.Remaining, "reset": r.Reset.Unix(),
		}
	}
	return map[string]any{"resources": resources, "rate": resources["core"]}
}

// meta describes the host; for an Enterprise server it holds the version.
func meta(h *host) map[string]any {
	about := map[string]any{"verifiable_password_authentication": false}
	if h.name != defaultHost {
		about["installed_version"] = h.version
	}
	return about
}

// account returns a user as the REST API shows it, an app with its "[bot]".
func account(login string) any {
	switch {
	case login == deletedAccount:
		return nil
	case strings.HasSuffix(login, "[bot]"):
		return map[string]any{"login": login, "type": "Bot"}
	}
	return map[string]any{"login": login, "type": "User"}
}

func restRepo(r *Repo) map[string]any {
	return map[string]any{
		"id": r.id, "name": r.name, "full_name": r.fullName(), "html_url": r.page(), "has_issues": !r.issuesOff,
		"owner": account(r.owner),
	}
}

func restItem(it *item) map[string]any {
	labels := make([]map[string]any, len(it.Labels))
	for i, name := range it.Labels {
		labels[i] = map[string]any{"name": name}
	}
	state := "open"
	if it.State != "open" {
		state = "closed"
	}
	o := map[string]any{
		"node_id": it.nodeID(), "number": it.Number, "title": it.Title, "body": it.Body, "state": state,
		"html_url": it.url(), "repository_url": it.repo.address(), "user": account(it.Author), "labels": labels, "comments": len(it.Comments),
		"created_at": stamp(it.CreatedAt), "updated_at": stamp(it.UpdatedAt), "closed_at": it.closedAt("closed", "merged"),
	}
	if it.pull {
		o["pull_request"] = map[string]any{"html_url": it.url(), "merged_at": it.closedAt("merged")}
	}
	return o
}

func restReviews(it *item) []map[string]any {
	all := make([]map[string]any, len(it.Reviews))
	for i, v := range it.Reviews {
		all[i] = map[string]any{
			"id": databaseID(v.ID), "node_id": v.ID, "user": account(v.Author), "body": v.Body, "state": v.State,
			"html_url":     fmt.Sprintf("%s#pullrequestreview-%d", it.url(), databaseID(v.ID)),
			"submitted_at": stamp(v.SubmittedAt),
		}
		if v.State == "PENDING" {
			delete(all[i], "submitted_at")
		}
	}
	return all
}

func restReviewComments(it *item) []map[string]any {
	all := make([]map[string]any, len(it.ReviewComments))
	for i, c := range it.ReviewComments {
		all[i] = map[string]any{
			"id": databaseID(c.ID), "node_id": c.ID, "user": account(c.Author), "body": c.Body, "path": c.Path,
			"line": nullable(c.Line), "original_line": nullable(c.OriginalLine),
			"html_url":   fmt.Sprintf("%s#discussion_r%d", it.url(), databaseID(c.ID)),
			"created_at": stamp(c.CreatedAt), "updated_at": stamp(c.CreatedAt),
		}
	}
	return all
}

// nullable returns the line, or null for 0.
func nullable(line int) any {
	if line == 0 {
		return nil
	}
	return line
}

func jsonReply(status int, value any) Reply {
	body, err := json.Marshal(value)
	if err != nil {
		return errorReply(http.StatusInternalServerError, err.Error())
	}
	return Reply{Status: status, Body: string(body)}
}

// errorReply returns an error in the form of GitHub's REST API.
func errorReply(status int, message string) Reply {
	return jsonReply(status, map[string]any{"message": message, "documentation_url": "https://docs.github.com/rest"})
}

func missing() Reply { return errorReply(http.StatusNotFound, "Not Found") }
