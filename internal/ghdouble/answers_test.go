package ghdouble_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ghdouble"
)

// listed holds the fields of a listed item that the tests check.
type listed struct {
	Number      int
	Title       string
	URL         string
	HeadRefName string
	Body        string
	Author      struct {
		Login string
		IsBot bool `json:"is_bot"`
	}
	Labels []struct{ Name string }
}

func numbers(items []listed) []int {
	var all []int
	for _, it := range items {
		all = append(all, it.Number)
	}
	return all
}

func TestListings(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddIssue(ghdouble.Item{Number: 1, Labels: []string{"a"}})
	r.AddIssue(ghdouble.Item{Number: 2, Labels: []string{"B", "a"}})
	r.AddIssue(ghdouble.Item{Number: 3, Labels: []string{"a,b"}})
	r.AddIssue(ghdouble.Item{Number: 4, Labels: []string{`say "hi" twice`}})
	r.AddIssue(ghdouble.Item{Number: 5, Labels: []string{"a"}, State: "closed"})
	r.AddIssue(ghdouble.Item{Number: 6, Labels: []string{"lag"}, State: "closed", Index: "stale"})
	r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"lag"}, Index: "missing"})
	r.AddPullRequest(ghdouble.Item{Number: 8, Labels: []string{"a"}, HeadRef: "issue-1", Body: "Fixes #1"})
	r.AddPullRequest(ghdouble.Item{Number: 9, State: "merged"})

	for _, test := range []struct {
		what   string
		labels []string
		want   []int
	}{
		{"issue", nil, []int{7, 4, 3, 2, 1}},
		{"issue", []string{"a"}, []int{2, 1}},
		{"issue", []string{"a,b"}, []int{2}},
		{"issue", []string{"a", "b"}, []int{2}},
		{"issue", []string{`"a,b"`}, []int{3}},
		{"issue", []string{`"say ""hi"" twice"`}, []int{4}},
		{"issue", []string{"lag"}, []int{6}},
		{"issue", []string{"none"}, nil},
		{"pr", nil, []int{8}},
		{"pr", []string{"a"}, []int{8}},
		{"pr", []string{"a,b"}, nil},
	} {
		args := []string{test.what, "list", "--repo", "octo/a", "--json", "number"}
		for _, label := range test.labels {
			args = append(args, "--label", label)
		}
		if diff := cmp.Diff(test.want, numbers(one[[]listed](t, ok(t, s, args...)))); diff != "" {
			t.Errorf("gh %s: (-want +got)\n%s", strings.Join(args, " "), diff)
		}
	}
	pull := one[[]listed](t, ok(t, s, "pr", "list", "--repo", "octo/a", "--json", "url,headRefName,body,labels"))[0]
	if pull.URL != "https://github.com/octo/a/pull/8" || pull.HeadRefName != "issue-1" || pull.Body != "Fixes #1" ||
		len(pull.Labels) != 1 || pull.Labels[0].Name != "a" {
		t.Errorf("the pull request is %+v", pull)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	for n := range 250 {
		r.AddIssue(ghdouble.Item{Number: n + 1, Labels: []string{"x"}})
	}
	for _, more := range [][]string{nil, {"--label", "x"}} {
		before := s.Count(ghdouble.Match{Kind: ghdouble.IssueList})
		args := append([]string{"issue", "list", "--repo", "octo/a", "--limit", "200", "--json", "number"}, more...)
		if got := len(one[[]listed](t, ok(t, s, args...))); got != 200 {
			t.Errorf("--limit 200 of 250 items listed %d", got)
		}
		if got := s.Count(ghdouble.Match{Kind: ghdouble.IssueList}) - before; got != 2 {
			t.Errorf("200 items took %d requests, want 2", got)
		}
	}
}

// TestManyChecks: gh prints the checks of every page.
func TestManyChecks(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	checks := make([]ghdouble.Check, 250)
	for i := range checks {
		checks[i] = ghdouble.Check{Name: strconv.Itoa(i), Conclusion: "SUCCESS"}
	}
	s.Repo("octo/a").AddPullRequest(ghdouble.Item{Number: 9, HeadRef: "issue-7", Checks: checks})
	type state struct {
		HeadRefOid        string
		StatusCheckRollup []struct{ Name string }
	}
	pull := one[state](t, ok(t, s, "pr", "view", "9", "--repo", "octo/a", "--json", "headRefOid,statusCheckRollup"))
	if got := len(pull.StatusCheckRollup); got != len(checks) || pull.HeadRefOid == "" {
		t.Errorf("gh printed %d checks of head %q, want %d", got, pull.HeadRefOid, len(checks))
	}
}

// TestConversations reads 101 of everything. gh prints all comments in view but not in
// list; older versions print an array for each page.
func TestConversations(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.Repo("octo/a").Crowd("x")
	type talk struct {
		Number   int
		Comments []struct{ ID, Body, URL string }
	}
	for _, args := range [][]string{{"issue", "view", "1"}, {"pr", "view", "1001"}} {
		out := ok(t, s, append(args, "--repo", "octo/a", "--json", "comments")...)
		if got := one[talk](t, out).Comments; len(got) != 101 || got[0].ID == got[100].ID {
			t.Errorf("gh %v: %d comments, want 101", args, len(got))
		}
	}
	if got := s.Count(ghdouble.Match{Kind: ghdouble.IssueView}); got < 2 {
		t.Errorf("101 comments took %d request, want more", got)
	}
	items := one[[]talk](t, ok(t, s, "issue", "list", "--repo", "octo/a", "--limit", "200", "--json", "number,comments"))
	if got := items[len(items)-1]; got.Number != 1 || len(got.Comments) != 100 {
		t.Errorf("issue list shows %d comments of #%d, want 100 of #1", len(got.Comments), got.Number)
	}
	for _, what := range []string{"reviews", "comments"} {
		pages := decode[[]struct {
			NodeID string `json:"node_id"`
		}](t, ok(t, s, "api", "repos/octo/a/pulls/1001/"+what+"?per_page=100", "--paginate"))
		if got := slices.Concat(pages...); len(got) != 101 || got[100].NodeID == "" {
			t.Errorf("%s: %d in %d arrays, want 101", what, len(got), len(pages))
		}
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/old")
	r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"x"}})
	r.AddPullRequest(ghdouble.Item{Number: 8, Labels: []string{"x"}, Reviews: []ghdouble.Review{{Body: "good"}}})
	r.Rename("octo/new")
	for _, what := range []string{"issue", "pr"} {
		list := []string{what, "list", "--repo", "octo/old", "--json", "number,url"}
		if got := one[[]listed](t, ok(t, s, list...)); len(got) != 1 || !strings.Contains(got[0].URL, "octo/new") {
			t.Errorf("%s list under the old name: %+v, want the item under its new one", what, got)
		}
		if got := ok(t, s, append(list, "--label", "x")...); got != "[]\n" {
			t.Errorf("%s list --label under the old name: %q, want nothing found", what, got)
		}
	}
	if got := ok(t, s, "repo", "view", "octo/old", "--json", "nameWithOwner"); got != `{"nameWithOwner":"octo/new"}`+"\n" {
		t.Errorf("repo view: %q", got)
	}
	if got := ok(t, s, "api", "repos/octo/old/issues/7"); !strings.Contains(got, "octo/new/issues/7") {
		t.Errorf("api issue: %q", got)
	}
	if got := ok(t, s, "api", "repos/octo/old/pulls/8/reviews?per_page=100", "--paginate"); !strings.Contains(got, "good") {
		t.Errorf("api reviews: %q", got)
	}
}

func TestAuthors(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	for n, author := range []string{"ghost", "dependabot[bot]", "alice"} {
		r.AddIssue(ghdouble.Item{Number: n + 1, Author: author})
	}
	got := one[[]listed](t, ok(t, s, "issue", "list", "--repo", "octo/a", "--json", "author"))
	if got[0].Author.Login != "alice" || got[0].Author.IsBot {
		t.Errorf("a user is %+v", got[0].Author)
	}
	if got[1].Author.Login != "app/dependabot" || !got[1].Author.IsBot {
		t.Errorf("an app is %+v", got[1].Author)
	}
	if login := got[2].Author.Login; login != "app/" && login != "" {
		t.Errorf("a deleted account is %q", login)
	}
	if got := ok(t, s, "api", "repos/octo/a/issues/1"); !strings.Contains(got, `"user":null`) {
		t.Errorf("a deleted account in the REST API: %s", got)
	}
}

func TestItemStates(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddIssue(ghdouble.Item{Number: 1})
	r.AddIssue(ghdouble.Item{Number: 2, State: "closed"})
	r.AddPullRequest(ghdouble.Item{Number: 3, State: "closed"})
	r.AddPullRequest(ghdouble.Item{Number: 4})
	r.SetState(4, "merged")
	type state struct {
		Number      int
		State       string
		PullRequest *struct {
			MergedAt *string `json:"merged_at"`
		} `json:"pull_request"`
	}
	for n, want := range []string{"open false false", "closed false false", "closed true false", "closed true true"} {
		it := one[state](t, ok(t, s, "api", fmt.Sprintf("repos/octo/a/issues/%d", n+1)))
		pull := it.PullRequest != nil
		got := fmt.Sprintf("%s %t %t", it.State, pull, pull && it.PullRequest.MergedAt != nil)
		if got != want {
			t.Errorf("#%d is %s, want %s", n+1, got, want)
		}
	}
	if got := ok(t, s, "pr", "view", "4", "--repo", "octo/a", "--json", "number,state"); got != `{"number":4,"state":"MERGED"}`+"\n" {
		t.Errorf("pr view: %q", got)
	}
	got := gh(t.Context(), t, s, nil, "api", "repos/octo/a/issues/99")
	if got.exit != 1 || got.stderr != "gh: Not Found (HTTP 404)\n" {
		t.Errorf("an item that is not there: %+v", got)
	}
}

// TestText sends texts as people and programs write them in comments.
func TestText(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddIssue(ghdouble.Item{Number: 1, Title: "a\x1b[31m \u202e\u200b\x7f <b>"})
	r.AddPullRequest(ghdouble.Item{Number: 2, Body: strings.Repeat("0123456789", 1<<20)})
	title := one[[]listed](t, ok(t, s, "issue", "list", "--repo", "octo/a", "--json", "title"))[0].Title
	if want := "a^[[31m \u202e\u200b\x7f <b>"; title != want {
		t.Errorf("title %q, want %q", title, want)
	}
	body := one[[]listed](t, ok(t, s, "pr", "list", "--repo", "octo/a", "--json", "body"))[0].Body
	if len(body) != 10<<20 {
		t.Errorf("a body of 10 MiB came as %d bytes", len(body))
	}
}

// TestInvalidUTF8 covers the one fact that differs between versions: gh replaces the
// bytes, or the whole list fails.
func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.Fail(ghdouble.Match{}, ghdouble.Fault{Name: "bytes", GraphQL: ghdouble.Reply{
		Body: `{"data":{"repository":{"hasIssuesEnabled":true,"issues":{"nodes":[{"number":1,"title":"a` + "\xff" + `"}]}}}}`,
	}})
	got := gh(t.Context(), t, s, nil, "issue", "list", "--repo", "octo/a", "--json", "title")
	if got.exit == 0 && !strings.Contains(got.stdout, "a\ufffd") {
		t.Errorf("invalid UTF-8 came as %+v", got)
	}
	if got.exit != 0 && got.stdout != "" {
		t.Errorf("a list that failed printed %q", got.stdout)
	}
}

func TestEnterprise(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.SetLogin("ghe.example.com", "worker")
	s.Repo("ghe.example.com/corp/c").Crowd("x")
	for _, call := range ghdouble.Calls("ghe.example.com/corp/c", "x", 1, 1001) {
		ok(t, s, call.Args...)
	}
	out := ok(t, s, "pr", "list", "--repo", "ghe.example.com/corp/c", "--label", "x", "--json", "url")
	if want := "https://ghe.example.com/corp/c/pull/"; !strings.Contains(out, want) {
		t.Errorf("no url begins with %s: %.200s", want, out)
	}
	if got := ok(t, s, "api", "--hostname", "ghe.example.com", "user"); !strings.Contains(got, `"worker"`) {
		t.Errorf("user: %s", got)
	}
	for _, r := range s.Requests() {
		if r.Host != "ghe.example.com" || r.Kind == ghdouble.Other {
			t.Errorf("unexpected request %+v", r)
		}
	}
}

// TestServerVersions tries servers with and without the advanced search of issues, which
// newer versions of gh use if the server has it.
func TestServerVersions(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.SetVersion("old.example.com", "3.14.2")
	s.SetVersion("new.example.com", "3.18.1")
	for host, advanced := range map[string]bool{"old.example.com": false, "new.example.com": true, "github.com": true} {
		s.Repo(host + "/octo/a").AddIssue(ghdouble.Item{Number: 7, Labels: []string{"x"}})
		out := ok(t, s, "issue", "list", "--repo", host+"/octo/a", "--label", "x", "--json", "number")
		if diff := cmp.Diff([]int{7}, numbers(one[[]listed](t, out))); diff != "" {
			t.Errorf("issues of %s (-want +got):\n%s", host, diff)
		}
		address := "http://" + host + "/api/graphql"
		if host == "github.com" {
			address = "http://api.github.com/graphql"
		}
		got, err := ask(t.Context(), s, address,
			`{"query":"{search(type:ISSUE_ADVANCED,query:\"repo:octo/a type:issue\",first:9){nodes{...on Issue{number}}}}"}`)
		if err != nil || strings.Contains(got.body, `"number":7`) != advanced {
			t.Errorf("an advanced search of %s: %+v, %v", host, got, err)
		}
	}
	if got := get(t, s, "meta"); strings.Contains(got.body, "installed_version") {
		t.Errorf("github.com has a version: %+v", got)
	}
}

func TestAccount(t *testing.T) {
	t.Parallel()
	s := ghdouble.Start(t)
	s.SetLogin("github.com", "hubot")
	r := s.Repo("octo/a")
	r.AddLabel("my label/x")
	if got := ok(t, s, "api", "user"); !strings.Contains(got, `"login":"hubot"`) {
		t.Errorf("user: %s", got)
	}
	if got := ok(t, s, "api", "repos/octo/a"); !strings.Contains(got, `"full_name":"octo/a"`) {
		t.Errorf("repository: %s", got)
	}
	if got := ok(t, s, "api", "repos/octo/a/labels/my%20label%2Fx"); !strings.Contains(got, `"name":"my label/x"`) {
		t.Errorf("label: %s", got)
	}
	if got := gh(t.Context(), t, s, nil, "api", "repos/octo/a/labels/none"); got.stderr != "gh: Not Found (HTTP 404)\n" {
		t.Errorf("a label that is not there: %+v", got)
	}
	got := gh(t.Context(), t, s, nil, "auth", "status")
	if got.exit != 0 || !strings.Contains(got.stdout+got.stderr, "hubot") {
		t.Errorf("auth status: %+v", got)
	}
}

// TestAuthStatus: gh blames the token for any failure, on stderr with exit code 1 (2.23)
// or on stdout with 0 (2.46).
func TestAuthStatus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"401", "502", "secondary", "eof"} {
		fact, err := ghdouble.FactNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		s := ghdouble.Start(t)
		s.Fail(ghdouble.Match{}, fact.Fault)
		got := gh(t.Context(), t, s, nil, "auth", "status")
		if !strings.Contains(got.stdout+got.stderr, "token in GH_TOKEN is ") {
			t.Errorf("auth status under %s: %+v", name, got)
		}
	}
}
