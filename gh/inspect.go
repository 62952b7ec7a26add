package gh

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"the-loop/internal/ref"
)

// These calls serve a check of the whole set-up; no cycle makes them.

// Path is where gh was found, an absolute path. Its error, an [*Error], is the
// reason that gh cannot be run.
func (c *Client) Path() (string, error) { return c.path() }

// Inspect is [Client.Repository] that asks whether r is archived, too.
func (c *Client) Inspect(ctx context.Context, r ref.Repo) (Repository, error) {
	return c.repository(ctx, r, repositoryFields+",isArchived")
}

// HasLabel asks whether r has the label, in any case of letters.
func (c *Client) HasLabel(ctx context.Context, r ref.Repo, label string) (bool, error) {
	if err := checkRepo(r); err != nil {
		return false, err
	}
	args := append(api(r.Host), restPath(r)+"/labels/"+escapeLabel(label))
	var answer struct {
		Name string `json:"name"`
	}
	err := c.ask(ctx, args, &answer)
	switch {
	case StatusOf(err) == StatusNotFound:
		return false, nil
	case err != nil:
		return false, err
	case answer.Name == "":
		return false, without(args, "a label")
	}
	return true, nil
}

// escapeLabel makes a label one segment of a path. A colon may stand in one,
// but gh would read ":owner" or ":repo" as a place to fill in.
func escapeLabel(label string) string {
	return strings.ReplaceAll(url.PathEscape(label), ":", "%3A")
}

// noField is a name that no field of any gh has.
const noField = "none"

// KnowsClosingReferences asks gh whether it can tell which issues a pull request
// closes. A field that does not exist, asked for after the one in question, keeps
// gh from asking GitHub: it refuses the first one that it does not know.
func (c *Client) KnowsClosingReferences(ctx context.Context) (bool, error) {
	args := []string{"pr", "list", "--json", closingField + "," + noField}
	_, err := c.run(ctx, args...)
	e, ok := errors.AsType[*Error](err)
	switch {
	case rejectsReferences(err):
		return false, nil
	case ok && strings.Contains(e.stderr, `unknown json field: "`+noField+`"`):
		return true, nil
	case err != nil:
		return false, err
	}
	return false, without(args, "a complaint")
}

var statusForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:(?:^|[\s(])http|\bstatus code:) ([1-5]\d\d)\b`)
})

// The statuses that callers ask for. Package net/http would load a whole client and
// server at the start of every command.
const (
	StatusForbidden = 403
	StatusNotFound  = 404
)

// StatusOf returns the HTTP status in err, 0 when gh named none.
func StatusOf(err error) int {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return 0
	}
	m := statusForm().FindStringSubmatch(e.stderr)
	if m == nil {
		return 0
	}
	status, _ := strconv.Atoi(m[1]) // three digits
	return status
}
