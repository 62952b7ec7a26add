package gh

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// everyItem is the label that stands for none.
const everyItem = "*"

// DefaultLimit is the limit of a [Filter] that names none.
const DefaultLimit = 1000

// Filter narrows a listing.
type Filter struct {
	// Labels must all be present on an item. None, or "*", is every open item.
	Labels []string
	// Limit is how many items gh prints at most; it does not say that there
	// are more. 0 or less means [DefaultLimit].
	Limit int
}

// Issue is one open issue of a listing.
type Issue struct {
	Number    int    // greater than 0
	Title     string // as its author wrote it
	URL       string // never empty
	Author    string // "app/x" for an app; "" or "app/" for a deleted account
	Labels    []string
	UpdatedAt time.Time // zero when gh did not tell
}

// PullRequest is one open pull request of a listing.
type PullRequest struct {
	Number      int    // greater than 0
	Title       string // as its author wrote it
	URL         string // never empty
	Author      string // "app/x" for an app; "" or "app/" for a deleted account
	Labels      []string
	UpdatedAt   time.Time // zero when gh did not tell
	HeadRefName string
	Body        string
	IsDraft     bool
	// IsCrossRepository is set when HeadRefName is a fork's branch.
	IsCrossRepository bool
	// Closing holds the issues that merging it closes; none when gh is too old
	// to tell.
	Closing []ref.Item
}

const (
	issueFields       = "number,title,labels,updatedAt,url,author"
	pullRequestFields = "number,title,labels,updatedAt,url,headRefName,body,author,isDraft,isCrossRepository"
	closingField      = "closingIssuesReferences"
)

// Issues lists the open issues of r that pass the filter. An item is dropped
// when it has no number, when its address is not that of an item of r with this
// number, or when it names its labels and lacks one of the filter's: GitHub's
// search is minutes behind. total counts those, too; hold it against the
// limit. An item on another host than r's is an error: gh asked the wrong host.
func (c *Client) Issues(ctx context.Context, r ref.Repo, f Filter) (issues []Issue, total int, err error) {
	items, total, err := c.list(ctx, "issue", r, f, issueFields)
	if err != nil {
		return nil, 0, err
	}
	issues = make([]Issue, len(items))
	for i, p := range items {
		issues[i] = Issue{p.Number, p.Title, p.URL, p.Author, p.Labels, p.UpdatedAt}
	}
	return issues, total, nil
}

// PullRequests lists the open pull requests of r that pass the filter, under
// the rules of [Client.Issues]. Of a gh that does not know which issues a pull
// request closes, it warns once and does not ask for them again.
func (c *Client) PullRequests(ctx context.Context, r ref.Repo, f Filter) (pulls []PullRequest, total int, err error) {
	asked := c.asksReferences()
	fields := pullRequestFields
	if asked {
		fields += "," + closingField
	}
	pulls, total, err = c.list(ctx, "pr", r, f, fields)
	if asked && rejectsReferences(err) {
		c.stopReferences()
		pulls, total, err = c.list(ctx, "pr", r, f, pullRequestFields)
	}
	return pulls, total, err
}

// PullRequestPoints is what each page of 100 of such a listing costs of a host's
// quota, by GitHub's formula for GraphQL: the labels of the 100 are a point, and
// the issues that they close another.
func (c *Client) PullRequestPoints() int {
	if c.asksReferences() {
		return 2
	}
	return 1
}

func rejectsReferences(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && strings.Contains(e.stderr, strings.ToLower(`unknown json field: "`+closingField+`"`))
}

func (c *Client) asksReferences() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.noRefs
}

// stopReferences notes that this gh knows no closing references.
func (c *Client) stopReferences() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noRefs {
		return // another call found out first
	}
	c.noRefs = true
	c.log.Info("gh is too old to tell which issues a pull request closes; "+
		"branch names and closing keywords are used alone", "gh", c.found.path, "field", closingField)
}

// list runs gh issue list or gh pr list. An issue has only the fields that it shares
// with a pull request. The number counts all items, including dropped ones.
func (c *Client) list(ctx context.Context, kind string, r ref.Repo, f Filter, fields string) ([]PullRequest, int, error) {
	if err := checkRepo(r); err != nil {
		return nil, 0, err
	}
	args := []string{kind, "list", "--repo", r.Full()}
	for _, label := range f.Labels {
		if label != everyItem {
			args = append(args, "--label", quoteCSV(label))
		}
	}
	limit := f.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	args = append(args, "--state", "open", "--limit", strconv.Itoa(limit), "--json", fields)
	end, err := c.call(ctx, args)
	if err != nil {
		return nil, 0, err
	}
	all, err := decodeList(args, end.stdout)
	if err != nil {
		c.distrust(end.cache, args)
		return nil, 0, err
	}
	items, err := c.usable(r, kind, f.Labels, all)
	if err != nil {
		return nil, 0, err
	}
	return items, len(all), nil
}

// quoteCSV quotes a label for --label, which gh reads as CSV: a comma would
// make two labels of it, a quote would be a syntax error.
func quoteCSV(label string) string {
	return `"` + strings.ReplaceAll(label, `"`, `""`) + `"`
}

func decodeList(args []string, out []byte) ([]listed, error) {
	var all []listed
	if err := decode(out, &all); err != nil {
		return nil, invalidJSON(args, err)
	}
	return all, nil
}

// usable returns the items that can be worked with, or an error if one of
// them is on another host than r.
func (c *Client) usable(r ref.Repo, kind string, labels []string, all []listed) ([]PullRequest, error) {
	items := make([]PullRequest, 0, len(all))
	for _, item := range all {
		host := hostOf(item.URL)
		if item.Number > 0 && host != "" {
			if err := answeredFrom(r, host); err != nil {
				return nil, err
			}
		}
		switch {
		case item.Number <= 0 || host == "":
			c.drop(r, kind, item, "gh listed an item without number or url; it is dropped")
		case !isItem(r, item.URL, item.Number):
			c.drop(r, kind, item, "gh listed an item with the url of something else; it is dropped", "url", safetext.Quote(item.URL))
		case !item.carries(labels):
			// The search index is minutes behind, and this says so in each cycle.
			c.log.Debug("gh listed an item without the label; it is dropped", "repo", r.String(), "kind", kind, "number", item.Number)
		default:
			items = append(items, item.pullRequest())
		}
	}
	return items, nil
}

// drop warns of an item that cannot be worked with.
func (c *Client) drop(r ref.Repo, kind string, item listed, why string, more ...any) {
	c.log.Warn(why, append([]any{"repo", r.String(), "kind", kind, "number", item.Number, "title", safetext.Quote(item.Title)}, more...)...)
}

// answeredFrom is the failure of an answer about r that came from another
// host, as when gh is logged in to one host only and takes that for its
// default. It is nil when host is r's own.
func answeredFrom(r ref.Repo, host string) error {
	if strings.EqualFold(host, r.Host) {
		return nil
	}
	return newError(nil, "gh answered from %s: write %s/%s", host, host, r.NameWithOwner())
}

// checkRepo refuses a repository that [ref.ParseRepo] would not have made, before
// anything of it reaches gh.
func checkRepo(r ref.Repo) error {
	if err := r.Check(); err != nil {
		return newError(nil, "could not run gh: %s", err)
	}
	return nil
}
