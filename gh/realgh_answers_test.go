//go:build unix

package gh

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
)

// octoA is the repository that the double's worlds are about, and away one on
// an Enterprise server.
var (
	octoA = ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "a"}
	away  = ref.Repo{Host: "ghe.example.com", Owner: "Corp", Name: "c"}
)

// TestRealGHWhole makes every call where there is more than a page of everything.
func TestRealGHWhole(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.Repo("octo/a").Crowd("the-loop")
	c := realGH(t, s, time.Minute)
	for _, call := range realCalls() {
		if got, err := call.ask(t.Context(), c, octoA); err != nil || got != call.whole {
			t.Errorf("%s: %d entries, %v, want %d", call.name, got, err, call.whole)
		}
	}
	if got, _, err := c.Issues(t.Context(), octoA, Filter{Limit: 40}); err != nil || len(got) != 40 {
		t.Errorf("40 issues at most: %d, %v", len(got), err)
	}
}

// busy is a world of all that people and programs do to items, and the same on
// an Enterprise server.
func busy(t *testing.T) *ghdouble.Server {
	t.Helper()
	s := ghdouble.Start(t)
	for _, name := range []string{"octo/a", "ghe.example.com/corp/c"} {
		r := s.Repo(name)
		r.AddIssue(ghdouble.Item{
			Number: 1, Title: "a\x1b[31m \u202e <b>", Author: "Mona", Labels: []string{`needs, "care"`, "größe ✓ 日本", "-x", "two words"},
			Comments: []ghdouble.Comment{
				{ID: "IC_1", Author: "dependabot[bot]", Body: "me\ntoo", Minimized: true},
				{ID: "IC_2", Author: "ghost", Body: "gone"},
			},
		})
		r.AddIssue(ghdouble.Item{Number: 2, Author: "ghost", Labels: []string{"needs"}})
		r.AddIssue(ghdouble.Item{Number: 3, Author: "renovate[bot]"})
		r.AddIssue(ghdouble.Item{Number: 4, State: "closed", Labels: []string{"needs"}})
		r.AddPullRequest(ghdouble.Item{
			Number: 9, Title: "p", Body: "Fixes #1", HeadRef: "issue-1", Fork: true, Draft: true, Author: "mona", Labels: []string{`needs, "care"`},
			Reviews: []ghdouble.Review{
				{ID: "R_1", Author: "copilot[bot]", State: "CHANGES_REQUESTED", Body: "why?", SubmittedAt: at("2026-11-30T10:00:00Z")},
				{ID: "R_2", Author: "ghost", State: "PENDING"},
			},
			ReviewComments: []ghdouble.ReviewComment{
				{ID: "RC_1", Author: "mona", Path: "a b.go", Line: 7, OriginalLine: 5, Body: "here"},
				{ID: "RC_2", Author: "ghost", Path: "c.go", OriginalLine: 5, Body: "outdated"},
			},
		})
		r.AddPullRequest(ghdouble.Item{Number: 10, State: "merged"})
	}
	s.SetLogin("ghe.example.com", "worker")
	return s
}

func TestRealGHAnswers(t *testing.T) {
	t.Parallel()
	s := busy(t)
	c := realGH(t, s, time.Minute)
	for _, r := range []ref.Repo{octoA, away} {
		page := "https://" + r.Host + "/" + strings.ToLower(r.Owner+"/"+r.Name)
		equal := func(call string, want, got any, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s of %s: %v", call, r.Full(), err)
			} else if diff := cmp.Diff(want, got, equate); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", call, r.Full(), diff)
			}
		}
		first := Issue{
			Number: 1, Title: "a^[[31m \u202e <b>", URL: page + "/issues/1", Author: "Mona", UpdatedAt: at("2026-01-01T00:01:02Z"),
			Labels: []string{`needs, "care"`, "größe ✓ 日本", "-x", "two words"},
		}
		issues, _, err := c.Issues(t.Context(), r, Filter{})
		equal("issues", []Issue{
			{Number: 3, Title: "item 3", URL: page + "/issues/3", Author: "app/renovate", UpdatedAt: at("2026-01-01T00:03:00Z")},
			{Number: 2, Title: "item 2", URL: page + "/issues/2", Author: deleted(issues), Labels: []string{"needs"}, UpdatedAt: at("2026-01-01T00:02:00Z")},
			first,
		}, issues, err)
		issues, _, err = c.Issues(t.Context(), r, Filter{Labels: first.Labels})
		equal("issues with all labels", []Issue{first}, issues, err)
		issues, _, err = c.Issues(t.Context(), r, Filter{Labels: []string{"needs, care"}})
		equal("issues with no such label", []Issue{}, issues, err)
		pulls, _, err := c.PullRequests(t.Context(), r, Filter{Labels: []string{`needs, "care"`}})
		equal("pull requests", []PullRequest{{
			Number: 9, Title: "p", URL: page + "/pull/9", Author: "mona", Labels: []string{`needs, "care"`}, UpdatedAt: at("2026-11-30T10:00:03Z"),
			HeadRefName: "issue-1", Body: "Fixes #1", IsDraft: true, IsCrossRepository: true,
		}}, pulls, err)
	}
}

// deleted is how this gh calls the author of issue 2, who is gone.
func deleted(issues []Issue) string {
	if len(issues) > 1 && issues[1].Author == "app/" {
		return "app/"
	}
	return ""
}

func TestRealGHConversations(t *testing.T) {
	t.Parallel()
	c := realGH(t, busy(t), time.Minute)
	for _, r := range []ref.Repo{octoA, away} {
		comments, err := c.IssueComments(t.Context(), r, 1)
		if err != nil || len(comments) != 2 || comments[0].ID != "IC_1" || comments[0].Body != "me\ntoo" || !comments[0].Minimized || comments[1].Minimized ||
			!SameLogin(comments[0].Author+"[bot]", "dependabot[bot]") || comments[0].URL == "" ||
			!comments[0].CreatedAt.Equal(at("2026-01-01T00:01:01Z")) || SameLogin(comments[1].Author, comments[1].Author) {
			t.Errorf("comments of %s: %+v, %v", r.Full(), comments, err)
		}
		if comments, err = c.PullRequestComments(t.Context(), r, 9); err != nil || len(comments) != 0 {
			t.Errorf("comments of an empty conversation: %+v, %v", comments, err)
		}
		reviews, err := c.Reviews(t.Context(), r, 9)
		for i := range reviews {
			reviews[i].URL = "" // ends in a number of the double's own
		}
		want := []Review{
			{NodeID: "R_1", State: "CHANGES_REQUESTED", Body: "why?", Author: "copilot[bot]", SubmittedAt: at("2026-11-30T10:00:00Z")},
			{NodeID: "R_2", State: "PENDING"},
		}
		if diff := cmp.Diff(want, reviews); err != nil || diff != "" {
			t.Errorf("reviews of %s: %v (-want +got):\n%s", r.Full(), err, diff)
		}
		inline, err := c.ReviewComments(t.Context(), r, 9)
		for i := range inline {
			inline[i].URL, inline[i].CreatedAt = "", time.Time{}
		}
		wantInline := []ReviewComment{
			{NodeID: "RC_1", Path: "a b.go", Line: 7, Author: "mona", Body: "here"},
			{NodeID: "RC_2", Path: "c.go", Line: 5, Body: "outdated"},
		}
		if diff := cmp.Diff(wantInline, inline); err != nil || diff != "" {
			t.Errorf("inline comments of %s: %v (-want +got):\n%s", r.Full(), err, diff)
		}
	}
}

func TestRealGHSmallAnswers(t *testing.T) {
	t.Parallel()
	s := busy(t)
	c := realGH(t, s, time.Minute)
	yes, no := true, false
	for number, want := range map[int]IssueState{
		1: {State: "open", URL: "https://ghe.example.com/corp/c/issues/1", Title: "a^[[31m \u202e <b>", Author: "Mona",
			Labels: []string{`needs, "care"`, "größe ✓ 日本", "-x", "two words"}},
		4:  {State: "closed", URL: "https://ghe.example.com/corp/c/issues/4", Title: "item 4", Author: "octocat", Labels: []string{"needs"}},
		10: {State: "closed", Merged: true, PullRequest: true, URL: "https://ghe.example.com/corp/c/pull/10", Title: "item 10", Author: "octocat", Labels: []string{}},
	} {
		want.Item = ref.Repo{Host: away.Host, Owner: "corp", Name: "c"}.Item(number)
		if got, err := c.IssueState(t.Context(), away, number); err != nil || !cmp.Equal(got, want) {
			t.Errorf("#%d is %+v, %v, want %+v", number, got, err, want)
		}
	}
	s.Repo("octo/a").Rename("octo/b")
	s.Repo("octo/b").SetIssuesEnabled(false)
	for r, want := range map[ref.Repo]Repository{
		octoA: {NameWithOwner: "octo/b", HasIssuesEnabled: &no},
		away:  {NameWithOwner: "corp/c", HasIssuesEnabled: &yes},
	} {
		got, err := c.Repository(t.Context(), r)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("repository %s: %v (-want +got):\n%s", r.Full(), err, diff)
		}
	}
	// The pull request of a renamed repository is found under the old name.
	if got, err := c.IssueState(t.Context(), octoA, 9); err != nil || got.State != "open" || got.URL != "https://github.com/octo/b/pull/9" {
		t.Errorf("an item of a renamed repository: %+v, %v", got, err)
	}
	reset := time.Unix(2_000_000_000, 0).UTC()
	s.SetRate("ghe.example.com", "graphql", ghdouble.Rate{Limit: 200, Reset: reset})
	limits, err := c.RateLimit(t.Context(), "ghe.example.com")
	if want := (Quota{Limit: 200, Reset: reset}); err != nil || limits["graphql"] != want || limits["core"].Remaining != 5000 {
		t.Errorf("limits %+v, %v, want graphql %+v", limits, err, want)
	}
	for host, want := range map[string]string{ref.GitHubHost: "octocat", "ghe.example.com": "worker"} {
		if got, err := c.Login(t.Context(), host); err != nil || got != want {
			t.Errorf("login on %s: %q, %v, want %s", host, got, err, want)
		}
	}
	if got, err := c.Version(t.Context()); err != nil || !strings.HasPrefix(got, "2.") {
		t.Errorf("version %q, %v", got, err)
	}
}

// TestRealGHOddAnswers has GitHub answer what it should not.
func TestRealGHOddAnswers(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	c := realGH(t, s, time.Minute)
	nodes := func(nodes string) func() {
		return s.Fail(ghdouble.Match{Kind: ghdouble.IssueList}, ghdouble.Fault{Name: "nodes", GraphQL: ghdouble.Reply{
			Body: `{"data":{"repository":{"hasIssuesEnabled":true,"issues":{"nodes":[` + nodes + `]}}}}`,
		}})
	}
	remove := nodes(`null,{"number":1,"url":"https://github.com/octo/a/issues/1","updatedAt":null,"author":null,"labels":null,"title":null}`)
	got, _, err := c.Issues(t.Context(), octoA, Filter{})
	if len(got) == 1 {
		got[0].Author = strings.TrimPrefix(got[0].Author, "app/") // on older versions
	}
	want := []Issue{{Number: 1, URL: "https://github.com/octo/a/issues/1"}}
	if diff := cmp.Diff(want, got, equate); err != nil || diff != "" {
		t.Errorf("an item of nulls: %v (-want +got):\n%s", err, diff)
	}
	remove()

	remove = nodes(`{"number":1,"url":"https://github.com/octo/a/issues/1","title":"a` + "\xff" + `"}`)
	// Older versions replace the bytes, later ones fail.
	if got, _, err := c.Issues(t.Context(), octoA, Filter{}); err == nil && (len(got) != 1 || got[0].Title != "a\ufffd") {
		t.Errorf("invalid UTF-8: %+v", got)
	} else if err != nil {
		wantShown(t, "invalid UTF-8", err)
	}
	remove()

	r.AddIssue(ghdouble.Item{Number: 1, URL: "https://ghe.example.com/octo/a/issues/1"})
	_, _, err = c.Issues(t.Context(), octoA, Filter{})
	wantText(t, err, "gh answered from ghe.example.com: write ghe.example.com/octo/a")
}
