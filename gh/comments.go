package gh

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// Comment is one entry of a conversation.
type Comment struct {
	ID        string // GraphQL's node id, never empty
	Author    string // "app/x" for an app; "" or "app/" for a deleted account
	Body      string
	URL       string
	CreatedAt time.Time // zero when gh did not tell
	Minimized bool      // hidden on GitHub; the REST API does not tell of reviews and their comments
}

// Review is one review of a pull request.
type Review struct {
	NodeID      string // GraphQL's node id, never empty
	State       string // as it came: APPROVED, COMMENTED, PENDING, …
	Body        string // often empty
	Author      string // "x[bot]" for an app; "" for a deleted account
	URL         string
	SubmittedAt time.Time // zero while it is pending
}

// ReviewComment is one comment on a line of a pull request's change.
type ReviewComment struct {
	NodeID    string // GraphQL's node id, never empty
	Path      string
	Line      int    // the original line when the change moved on, 0 for a whole file
	Author    string // "x[bot]" for an app; "" for a deleted account
	Body      string
	URL       string
	CreatedAt time.Time // zero when gh did not tell
}

// IssueComments reads the whole conversation of issue n, in GitHub's order. A
// comment without an id is dropped, as everywhere here: without one it could not be
// recognized later.
func (c *Client) IssueComments(ctx context.Context, r ref.Repo, n int) ([]Comment, error) {
	return c.conversation(ctx, "issue", r, n)
}

// PullRequestComments reads the whole conversation of pull request n, in
// GitHub's order. Its reviews are not part of it.
func (c *Client) PullRequestComments(ctx context.Context, r ref.Repo, n int) ([]Comment, error) {
	return c.conversation(ctx, "pr", r, n)
}

func (c *Client) conversation(ctx context.Context, kind string, r ref.Repo, n int) ([]Comment, error) {
	if err := checkItem(r, n); err != nil {
		return nil, err
	}
	args := []string{kind, "view", strconv.Itoa(n), "--repo", r.Full(), "--json", "comments"}
	out, err := c.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	raw, err := decodeConversation(args, out)
	if err != nil {
		return nil, err
	}
	if err := c.wholeConversation(ctx, kind, r, n, raw); err != nil {
		return nil, err
	}
	return identified(c, r, n, raw), nil
}

// decodeConversation reads {"comments": […]}. An answer without the key is
// about something else; the result is nil when the list is null.
func decodeConversation(args []string, out []byte) ([]commentJSON, error) {
	var answer struct {
		Comments json.RawMessage `json:"comments"`
	}
	if err := decode(out, &answer); err != nil {
		return nil, invalidJSON(args, err)
	}
	if answer.Comments == nil {
		return nil, without(args, "comments")
	}
	var raw []commentJSON
	if err := decode(answer.Comments, &raw); err != nil {
		return nil, invalidJSON(args, err)
	}
	return raw, nil
}

// Reviews reads all reviews of pull request n, in GitHub's order. Their bodies
// are what [Client.PullRequestComments] leaves out.
func (c *Client) Reviews(ctx context.Context, r ref.Repo, n int) ([]Review, error) {
	raw, err := pages[reviewJSON](ctx, c, r, n, "reviews")
	if err != nil {
		return nil, err
	}
	return identified(c, r, n, raw), nil
}

// ReviewComments reads all comments on lines of pull request n, in GitHub's
// order.
func (c *Client) ReviewComments(ctx context.Context, r ref.Repo, n int) ([]ReviewComment, error) {
	raw, err := pages[reviewCommentJSON](ctx, c, r, n, "comments")
	if err != nil {
		return nil, err
	}
	return identified(c, r, n, raw), nil
}

// pages asks the REST API for every page of a list that belongs to pull
// request n.
func pages[J any](ctx context.Context, c *Client, r ref.Repo, n int, list string) ([]J, error) {
	if err := checkItem(r, n); err != nil {
		return nil, err
	}
	endpoint := restPath(r) + "/pulls/" + strconv.Itoa(n) + "/" + list + "?per_page=" + strconv.Itoa(pageSize)
	args := append(api(r.Host), endpoint, "--paginate")
	out, err := c.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	raw, err := decodePages[J](out)
	if err != nil {
		return nil, invalidJSON(args, err)
	}
	if err := wholePages(ctx, c, args, raw); err != nil {
		return nil, err
	}
	return raw, nil
}

// identified converts the entries that have an id and warns of the others.
func identified[E any, J interface{ entry() (E, bool) }](c *Client, r ref.Repo, n int, raw []J) []E {
	entries := make([]E, 0, len(raw))
	for _, one := range raw {
		if entry, ok := one.entry(); ok {
			entries = append(entries, entry)
		}
	}
	if dropped := len(raw) - len(entries); dropped > 0 {
		c.log.Warn("gh printed comments without an id; they are dropped",
			"repo", r.Full(), "number", n, "dropped", dropped)
	}
	return entries
}

// checkItem is checkRepo for an item of the repository.
func checkItem(r ref.Repo, n int) error {
	if n <= 0 {
		return newError(nil, "could not run gh: %s has no item %d", safetext.Quote(r.Full()), n)
	}
	return checkRepo(r)
}

// The JSON of the three lists. Each entry reports whether it has an id.

type commentJSON struct {
	ID        string `json:"id"`
	Author    actor  `json:"author"`
	Body      string `json:"body"`
	URL       string `json:"url"`
	CreatedAt stamp  `json:"createdAt"`
	Minimized bool   `json:"isMinimized"`
}

func (j commentJSON) entry() (Comment, bool) {
	return Comment{
		ID: j.ID, Author: j.Author.Login, Body: j.Body, URL: j.URL, CreatedAt: j.CreatedAt.Time, Minimized: j.Minimized,
	}, j.ID != ""
}

type reviewJSON struct {
	NodeID      string `json:"node_id"`
	State       string `json:"state"`
	Body        string `json:"body"`
	User        actor  `json:"user"`
	URL         string `json:"html_url"`
	SubmittedAt stamp  `json:"submitted_at"`
}

func (j reviewJSON) entry() (Review, bool) {
	return Review{
		NodeID: j.NodeID, State: j.State, Body: j.Body, Author: j.User.Login, URL: j.URL,
		SubmittedAt: j.SubmittedAt.Time,
	}, j.NodeID != ""
}

type reviewCommentJSON struct {
	NodeID       string `json:"node_id"`
	Path         string `json:"path"`
	Line         int    `json:"line"`
	OriginalLine int    `json:"original_line"`
	Body         string `json:"body"`
	User         actor  `json:"user"`
	URL          string `json:"html_url"`
	CreatedAt    stamp  `json:"created_at"`
}

func (j reviewCommentJSON) entry() (ReviewComment, bool) {
	line := j.Line
	if line == 0 {
		line = j.OriginalLine
	}
	return ReviewComment{
		NodeID: j.NodeID, Path: j.Path, Line: line, Author: j.User.Login, Body: j.Body, URL: j.URL,
		CreatedAt: j.CreatedAt.Time,
	}, j.NodeID != ""
}
