//go:build unix

package gh

import (
	"slices"
	"testing"
	"time"

	"the-loop/internal/ghdouble"
)

// talked is a world in which issue 1 and pull request 2 have that many comments,
// reviews and inline comments.
func talked(t *testing.T, length int) (*ghdouble.Server, *Client) {
	t.Helper()
	s := ghdouble.Start(t)
	talk := ghdouble.Item{
		Comments:       slices.Repeat([]ghdouble.Comment{{}}, length),
		Reviews:        slices.Repeat([]ghdouble.Review{{}}, length),
		ReviewComments: slices.Repeat([]ghdouble.ReviewComment{{}}, length),
	}
	talk.Number = 1
	s.Repo("octo/a").AddIssue(talk)
	talk.Number = 2
	s.Repo("octo/a").AddPullRequest(talk)
	return s, realGH(t, s, time.Minute)
}

// TestRealGHFullPage has lists that end where a page does: they are whole, and
// one more call finds that out.
func TestRealGHFullPage(t *testing.T) {
	t.Parallel()
	s, c := talked(t, 200)
	for _, read := range []struct {
		name     string
		ask      func() (int, error)
		kind     ghdouble.Kind
		requests int // of that kind, so far
	}{
		{"issue", func() (int, error) { return count(c.IssueComments(t.Context(), octoA, 1)) }, ghdouble.APIIssue, 1},
		{"pull request", func() (int, error) { return count(c.PullRequestComments(t.Context(), octoA, 2)) }, ghdouble.APIIssue, 2},
		{"reviews", func() (int, error) { return count(c.Reviews(t.Context(), octoA, 2)) }, ghdouble.APIReviews, 3},
		{"inline", func() (int, error) { return count(c.ReviewComments(t.Context(), octoA, 2)) }, ghdouble.APIReviewComments, 3},
	} {
		if got, err := read.ask(); err != nil || got != 200 {
			t.Errorf("%s: %d entries, %v, want 200", read.name, got, err)
		}
		if got := s.Count(ghdouble.Match{Kind: read.kind}); got != read.requests {
			t.Errorf("%s: %d requests, want %d", read.name, got, read.requests)
		}
	}
}

// TestRealGHCut has pages that are missing without gh's saying so. Newer
// versions of gh join the pages of gh api to one list, which is then not closed.
func TestRealGHCut(t *testing.T) {
	t.Parallel()
	noData := ghdouble.Reply{Body: `{"data":null}`}
	nothing := ghdouble.Reply{Status: 204}
	broken := ghdouble.Reply{Status: 502, Body: `{"message":"Server Error"}`}
	pull := func(c *Client) (int, error) { return count(c.PullRequestComments(t.Context(), octoA, 2)) }
	for _, test := range []struct {
		name   string
		length int
		fault  ghdouble.Fault
		read   func(*Client) (int, error)
		want   string
		newer  string // what it is on newer versions, where it differs
	}{
		{"no conversation", 130, ghdouble.Fault{GraphQL: noData}, pull, "gh pr view --json returned 0 of 130 comments", ""},
		{"conversation cut", 130, ghdouble.Fault{GraphQL: noData, LaterPages: true}, pull, "gh pr view --json returned 100 of 130 comments", ""},
		{"nobody to ask", 130, ghdouble.Fault{GraphQL: noData, REST: broken}, pull, "gh api --hostname github.com exited 1: gh: Server Error (HTTP 502)", ""},
		{"an answer of nothing", 130, ghdouble.Fault{GraphQL: noData, REST: nothing}, pull, "gh api printed nothing", ""},
		{"an empty conversation", 0, ghdouble.Fault{GraphQL: noData}, pull, "", ""},
		{"reviews cut", 130, ghdouble.Fault{REST: nothing, LaterPages: true, Times: 1}, func(c *Client) (int, error) {
			return count(c.Reviews(t.Context(), octoA, 2))
		}, "gh api --paginate returned 100 entries and left out the next page", "gh api returned invalid JSON: unexpected EOF"},
		{"inline comments cut", 130, ghdouble.Fault{REST: nothing, LaterPages: true}, func(c *Client) (int, error) {
			return count(c.ReviewComments(t.Context(), octoA, 2))
		}, "gh api printed nothing", "gh api returned invalid JSON: unexpected EOF"},
		{"a page that is none", 130, ghdouble.Fault{REST: ghdouble.Reply{Body: `"later"`}, LaterPages: true}, func(c *Client) (int, error) {
			return count(c.ReviewComments(t.Context(), octoA, 2))
		}, "gh api returned invalid JSON: unexpected string", `gh api returned invalid JSON: invalid character '"' after array element`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, c := talked(t, test.length)
			test.fault.Name = test.name
			s.Fail(ghdouble.Match{}, test.fault)
			got, err := test.read(c)
			if test.want == "" {
				if err != nil || got != test.length {
					t.Errorf("%d entries, %v", got, err)
				}
				return
			}
			if test.newer == "" || err == nil || err.Error() != test.newer {
				wantText(t, err, test.want)
			}
			wantClass(t, err, Transient)
		})
	}
}
