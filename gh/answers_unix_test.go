//go:build unix

package gh

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"the-loop/internal/ref"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// equate takes a nil and an empty list for the same: both hold nothing.
var equate = cmpopts.EquateEmpty()

func TestIssuesAnswer(t *testing.T) {
	f := answering(t, `[
		{"number":1,"title":"a \u202e title","url":"https://github.com/octo/repo-b/issues/1","author":{"login":"Mona","is_bot":false},
			"labels":[{"id":"L_1","name":"the-loop"},{"name":"a,b"},{"name":""}],"updatedAt":"2026-11-30T10:00:00Z","unknown":{}},
		{"number":2,"title":"bot","url":"https://github.com/octo/repo-b/issues/2","author":{"is_bot":true,"login":"app/dependabot"},"labels":[],"updatedAt":"0001-01-01T00:00:00Z"},
		{"number":3,"url":"https://GitHub.com:443/octo/repo-b/issues/3","author":null,"labels":null,"updatedAt":null,"title":null},
		{"number":4,"url":"https://github.com/octo/repo-b/issues/4","author":{"login":""},"updatedAt":""},
		{"number":5,"url":"https://github.com/octo/repo-b/issues/5","author":{"login":"app/"},"updatedAt":"soon"},
		{"number":0,"title":"","url":""}, null,
		{"number":6,"title":"no url","url":""}, {"number":7,"url":"nowhere"}, {"number":-8,"url":"https://github.com/octo/repo-b/issues/8"}
	]`, "", 0)
	want := []Issue{
		{Number: 1, Title: "a \u202e title", URL: "https://github.com/octo/repo-b/issues/1", Author: "Mona",
			Labels: []string{"the-loop", "a,b"}, UpdatedAt: at("2026-11-30T10:00:00Z")},
		{Number: 2, Title: "bot", URL: "https://github.com/octo/repo-b/issues/2", Author: "app/dependabot"},
		{Number: 3, URL: "https://GitHub.com:443/octo/repo-b/issues/3"},
		{Number: 4, URL: "https://github.com/octo/repo-b/issues/4"},
		{Number: 5, URL: "https://github.com/octo/repo-b/issues/5", Author: "app/"},
	}
	got, err := f.issues()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, equate); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
	if n := strings.Count(f.log.String(), "level=WARN"); n != 5 {
		t.Errorf("%d warnings, want one for each of the 5 dropped items:\n%s", n, &f.log)
	}
}

func TestPullRequestsAnswer(t *testing.T) {
	f := answering(t, `[{"number":9,"title":"p","url":"https://ghe.example.com/octo/repo-b/pull/9","author":{"login":"mona"},
		"labels":[{"name":"x"}],"updatedAt":"2026-11-30T10:00:00Z","headRefName":"issue-4","body":"Fixes #4","isDraft":true,"isCrossRepository":true,
		"closingIssuesReferences":[
			{"id":"I_1","number":4,"url":"https://ghe.example.com/octo/repo-b/issues/4","repository":{"id":"R_1","name":"repo-b","owner":{"id":"O","login":"octo"}}},
			{"number":5,"url":"https://ghe.example.com/other/repo-c/issues/5"},
			{"number":0,"url":"https://ghe.example.com/octo/repo-b/issues/4"}, {"number":6}, null,
			{"number":7,"url":"https://ghe.example.com/-evil/x/issues/7"}, {"number":8,"url":"https://ghe.example.com/"}, {"number":9,"url":"%"}
		]},
		{"number":10,"url":"https://ghe.example.com/octo/repo-b/pull/10","closingIssuesReferences":{"nodes":[{"number":4,"url":"https://ghe.example.com/octo/repo-b/issues/4"}]}},
		{"number":11,"url":"https://ghe.example.com/octo/repo-b/pull/11","closingIssuesReferences":null},
		{"number":12,"url":"https://ghe.example.com/octo/repo-b/pull/12","closingIssuesReferences":"none"}
	]`, "", 0)
	four := ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "repo-b"}.Item(4)
	want := []PullRequest{
		{Number: 9, Title: "p", URL: "https://ghe.example.com/octo/repo-b/pull/9", Author: "mona", Labels: []string{"x"},
			UpdatedAt: at("2026-11-30T10:00:00Z"), HeadRefName: "issue-4", Body: "Fixes #4", IsDraft: true, IsCrossRepository: true,
			Closing: []ref.Item{four, ref.Repo{Host: "ghe.example.com", Owner: "other", Name: "repo-c"}.Item(5)}},
		{Number: 10, URL: "https://ghe.example.com/octo/repo-b/pull/10", Closing: []ref.Item{four}},
		{Number: 11, URL: "https://ghe.example.com/octo/repo-b/pull/11"},
		{Number: 12, URL: "https://ghe.example.com/octo/repo-b/pull/12"},
	}
	got, _, err := f.PullRequests(t.Context(), ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "repo-b"}, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, equate); diff != "" {
		t.Errorf("pull requests (-want +got):\n%s", diff)
	}
}

func TestAnswerFromAnotherHost(t *testing.T) {
	ghe := ref.Repo{Host: "ghe.example.com", Owner: "Octo", Name: "Repo-B"}
	tests := []struct {
		name, url string
		repo      ref.Repo
		want      string
	}{
		{"github.com wanted", "https://ghe.example.com/octo/repo-b/issues/1", repo, "gh answered from ghe.example.com: write ghe.example.com/octo/repo-b"},
		{"github.com answered", "https://github.com/octo/repo-b/issues/1", ghe, "gh answered from github.com: write github.com/Octo/Repo-B"},
		{"another port", "https://ghe.example.com:8443/octo/repo-b/issues/1", ghe, "gh answered from ghe.example.com:8443: write ghe.example.com:8443/Octo/Repo-B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			item := `{"number":1,"state":"closed","url":"` + tt.url + `","html_url":"` + tt.url + `"}`
			f := answering(t, "["+item+"]", "", 0)
			_, _, err := f.Issues(t.Context(), tt.repo, Filter{})
			wantText(t, err, tt.want)
			_, _, err = f.PullRequests(t.Context(), tt.repo, Filter{})
			wantText(t, err, tt.want)
			f.answer(item, "", 0)
			_, err = f.IssueState(t.Context(), tt.repo, 1)
			wantText(t, err, tt.want)
			wantClass(t, err, Transient)
		})
	}
}

func TestConversationAnswer(t *testing.T) {
	f := answering(t, `{"comments":[
		{"id":"IC_1","author":{"login":"mona"},"body":"hi\n<!-- x -->","url":"https://github.com/c/1","createdAt":"2026-11-30T10:00:00Z","viewerDidAuthor":true,"isMinimized":true},
		{"id":"IC_2","author":null,"body":"","url":"","createdAt":null}, {"author":{"login":"x"},"body":"lost"}, null
	]}`, "", 0)
	want := []Comment{
		{ID: "IC_1", Author: "mona", Body: "hi\n<!-- x -->", URL: "https://github.com/c/1", CreatedAt: at("2026-11-30T10:00:00Z"), Minimized: true},
		{ID: "IC_2"},
	}
	for name, call := range map[string]func() ([]Comment, error){
		"issue":        func() ([]Comment, error) { return f.IssueComments(t.Context(), repo, 1) },
		"pull request": func() ([]Comment, error) { return f.PullRequestComments(t.Context(), repo, 1) },
	} {
		f.log.Reset()
		got, err := call()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equate); diff != "" {
			t.Errorf("comments of %s (-want +got):\n%s", name, diff)
		}
		if !strings.Contains(f.log.String(), "dropped=2") {
			t.Errorf("no warning of the dropped comments:\n%s", &f.log)
		}
	}
	f.answer(`{"comments":[]}`, "", 0)
	if got, err := f.IssueComments(t.Context(), repo, 1); err != nil || len(got) != 0 {
		t.Errorf("comments of an empty conversation = %v, %v, want none", got, err)
	}
}

func TestReviewsAnswer(t *testing.T) {
	const page1 = `[{"id":1,"node_id":"R_1","user":{"login":"dependabot[bot]"},"body":"","state":"COMMENTED","html_url":"https://github.com/r/1","submitted_at":"2026-11-30T10:00:00Z"}]`
	const page2 = `[{"node_id":"R_2","user":null,"body":"text","state":"PENDING"}]`
	want := []Review{
		{NodeID: "R_1", State: "COMMENTED", Author: "dependabot[bot]", URL: "https://github.com/r/1", SubmittedAt: at("2026-11-30T10:00:00Z")},
		{NodeID: "R_2", State: "PENDING", Body: "text"},
	}
	joined := page1[:len(page1)-1] + "," + page2[1:]
	for _, out := range []string{page1 + page2, page1 + "\n" + page2 + "\n[]\n", "[]" + joined} {
		f := answering(t, out, "", 0)
		got, err := f.Reviews(t.Context(), repo, 1)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equate); diff != "" {
			t.Errorf("reviews of %s (-want +got):\n%s", out, diff)
		}
	}
	f := answering(t, "[]", "", 0)
	if got, err := f.Reviews(t.Context(), repo, 1); err != nil || len(got) != 0 {
		t.Errorf("Reviews() = %v, %v, want none", got, err)
	}
}

func TestReviewCommentsAnswer(t *testing.T) {
	f := answering(t, `[
		{"node_id":"RC_1","path":"a/b.go","line":7,"original_line":5,"user":{"login":"mona"},"body":"b","html_url":"https://github.com/rc/1","created_at":"2026-11-30T10:00:00Z"},
		{"node_id":"RC_2","path":"c.go","line":null,"original_line":5,"user":null},
		{"node_id":"RC_3","path":"d.go","line":null,"original_line":null}
	][{"node_id":"RC_4"},{"body":"lost"}]`, "", 0)
	want := []ReviewComment{
		{NodeID: "RC_1", Path: "a/b.go", Line: 7, Author: "mona", Body: "b", URL: "https://github.com/rc/1", CreatedAt: at("2026-11-30T10:00:00Z")},
		{NodeID: "RC_2", Path: "c.go", Line: 5},
		{NodeID: "RC_3", Path: "d.go"},
		{NodeID: "RC_4"},
	}
	got, err := f.ReviewComments(t.Context(), repo, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, equate); diff != "" {
		t.Errorf("review comments (-want +got):\n%s", diff)
	}
}

func TestSmallAnswers(t *testing.T) {
	f := answering(t, "", "", 0)
	yes, no := true, false
	const page, place = `"html_url":"https://github.com/o/r/issues/5"`, `"repository_url":"https://api.github.com/repos/o/r"`
	issue := func(state string) IssueState {
		return IssueState{Item: ref.Repo{Host: ref.GitHubHost, Owner: "o", Name: "r"}.Item(5), State: state}
	}
	paged, merged := issue("open"), issue("closed")
	paged.URL, paged.Title, paged.Author = "https://github.com/o/r/issues/5", "t", "mona"
	merged.URL, merged.PullRequest, merged.Merged = "https://github.com/o/r/pull/5", true, true
	unmerged := issue("closed")
	unmerged.PullRequest = true
	labelled, bare := issue("open"), issue("open")
	labelled.Labels, bare.Labels = []string{"a", "b"}, []string{}
	states := map[string]IssueState{
		`{"number":5,"state":"open","labels":[{"name":"a"},"b"],` + place + `}`:                                                        labelled,
		`{"number":5,"state":"open","labels":[],` + place + `}`:                                                                        bare,
		`{"number":5,"state":"open","labels":[{"name":"a"},7],` + place + `}`:                                                          issue("open"),
		`{"number":5,"state":"open","labels":null,` + place + `}`:                                                                      issue("open"),
		`{"number":5,"state":"open","labels":{"a":1},` + place + `}`:                                                                   issue("open"),
		`{"number":5,"state":"open","title":"t","user":{"login":"mona"},` + page + `}`:                                                 paged,
		`{"number":5,"state":"open","title":"t","user":{"login":"mona"},` + page + `,` + place + `}`:                                   paged,
		`{"number":5,"state":"CLOSED",` + place + `}`:                                                                                  issue("closed"),
		`{"number":5,"state":"closed","pull_request":{"merged_at":null},` + place + `}`:                                                unmerged,
		`{"number":5,"state":"closed","pull_request":{"merged_at":"2026-11-30T10:00:00Z"},"html_url":"https://github.com/o/r/pull/5"}`: merged,
		`{"number":5,"state":"closed","pull_request":null,"user":null,` + place + `}`:                                                  issue("closed"),
	}
	for out, want := range states {
		f.answer(out, "", 0)
		if got, err := f.IssueState(t.Context(), repo, 5); err != nil || !cmp.Equal(got, want) || got.Closed() != (want.State == "closed") {
			t.Errorf("IssueState() of %s = %+v, %v, want %+v", out, got, err, want)
		}
	}
	repositories := map[string]Repository{
		`{"nameWithOwner":"Octo/New","hasIssuesEnabled":true}`:  {NameWithOwner: "Octo/New", HasIssuesEnabled: &yes},
		`{"nameWithOwner":"Octo/New","hasIssuesEnabled":false}`: {NameWithOwner: "Octo/New", HasIssuesEnabled: &no},
		`{"nameWithOwner":"Octo/New","hasIssuesEnabled":null}`:  {NameWithOwner: "Octo/New"},
		`{"nameWithOwner":"Octo/New"}`:                          {NameWithOwner: "Octo/New"},
	}
	for out, want := range repositories {
		f.answer(out, "", 0)
		got, err := f.Repository(t.Context(), repo)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Repository() of %s: %v (-want +got):\n%s", out, err, diff)
		}
	}
	f.answer(`{"resources":{"core":{"limit":5000,"used":1,"remaining":4999,"reset":1796032800},"graphql":{"limit":5000,"remaining":0,"reset":1796032860},
		"search":{"limit":30,"reset":1},"other":{}},"rate":{}}`, "", 0)
	limits, err := f.RateLimit(t.Context(), ref.GitHubHost)
	wantLimits := RateLimits{
		"core":    {Limit: 5000, Remaining: 4999, Reset: time.Unix(1796032800, 0).UTC()},
		"graphql": {Limit: 5000, Remaining: 0, Reset: time.Unix(1796032860, 0).UTC()},
	}
	if diff := cmp.Diff(wantLimits, limits); err != nil || diff != "" {
		t.Errorf("RateLimit() error %v (-want +got):\n%s", err, diff)
	}
	f.answer(`{"login":"Mona"}`, "", 0)
	if got, err := f.Login(t.Context(), ref.GitHubHost); got != "Mona" || err != nil {
		t.Errorf("Login() = %q, %v, want Mona", got, err)
	}
	f.answer("gh version 2.23.0 (2023-02-27 Debian 2.23.0+dfsg1-1)\nhttps://github.com/cli/cli\n", "", 0)
	if got, err := f.Version(t.Context()); got != "2.23.0" || err != nil {
		t.Errorf("Version() = %q, %v, want 2.23.0", got, err)
	}
}

// TestNothingEmptyIsAnAnswer gives every call what is none: each must fail.
func TestNothingEmptyIsAnAnswer(t *testing.T) {
	const (
		nothing  = " printed nothing"
		invalid  = " returned invalid JSON: "
		portal   = "<html><body>log in</body></html>"
		badHTML  = invalid + "invalid character '<' looking for beginning of value"
		isObject = invalid + "unexpected object"
		isList   = invalid + "unexpected array"

		noRepository = " returned an answer without a repository"
	)
	calls := []struct {
		name, command string
		call          func(*fake) error
		answers       map[string]string // stdout and what follows the command in the text
	}{
		{"Issues", "gh issue", func(f *fake) error { _, err := f.issues(); return err }, map[string]string{
			"": nothing, " \n\t": nothing, "null": nothing, " null\n": nothing, "{}": isObject, portal: badHTML,
			`[{"number":1`: invalid + "unexpected end of JSON input", `[] []`: invalid + "invalid character '[' after top-level value",
			"[]x": invalid + "invalid character 'x' after top-level value", `[5]`: invalid + "unexpected number",
			`[{"title":7}]`: invalid + "unexpected number as title", "\x00": invalid + "invalid character '\\x00' looking for beginning of value",
		}},
		{"PullRequests", "gh pr", func(f *fake) error { _, _, err := f.PullRequests(f.t.Context(), repo, Filter{}); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": isObject, portal: badHTML,
		}},
		{"IssueComments", "gh issue", func(f *fake) error { _, err := f.IssueComments(f.t.Context(), repo, 1); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": " returned an answer without comments", "[]": isList, portal: badHTML,
			`{"comments":{}}`: isObject, `{"number":0,"state":""}`: " returned an answer without comments",
			`{"comments":[`: invalid + "unexpected end of JSON input",
		}},
		{"PullRequestComments", "gh pr", func(f *fake) error { _, err := f.PullRequestComments(f.t.Context(), repo, 1); return err }, map[string]string{
			"": nothing, "{}": " returned an answer without comments",
		}},
		{"Reviews", "gh api", func(f *fake) error { _, err := f.Reviews(f.t.Context(), repo, 1); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": isObject, portal: badHTML, "[][": invalid + "unexpected EOF",
			`[{"node_id":"R_1"}]{"message":"Server Error"}`: isObject, "[]null": invalid + "unexpected null",
			`[]x`: invalid + "invalid character 'x' looking for beginning of value",
		}},
		{"ReviewComments", "gh api", func(f *fake) error { _, err := f.ReviewComments(f.t.Context(), repo, 1); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": isObject, `[{"node_id":"R_1"},`: invalid + "unexpected EOF",
		}},
		{"IssueState", "gh api", func(f *fake) error { _, err := f.IssueState(f.t.Context(), repo, 5); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": " returned an answer without a number", "[]": isList, portal: badHTML,
			`{"number":0,"state":""}`: " returned an answer without a number", `{"state":"closed"}`: " returned an answer without a number",
			`{"number":5}`: " returned an answer without a state", `{"number":5,"state":""}`: " returned an answer without a state",
			`{"number":5,"state":"deleted","html_url":"https://github.com/o/r/issues/5"}`:                                                        " returned an answer without a state",
			`{"number":5,"state":"closed"}`:                                                                                                      noRepository,
			`{"number":5,"state":"closed","html_url":"https://github.com/o/r/issues/6"}`:                                                         noRepository,
			`{"number":5,"state":"closed","html_url":"https://github.com/o/r"}`:                                                                  noRepository,
			`{"number":5,"state":"closed","html_url":"x","repository_url":"https://api.github.com/repos/o/r"}`:                                   noRepository,
			`{"number":5,"state":"closed","html_url":"https://github.com/o/r/issues/5","repository_url":"https://api.github.com/repos/o/other"}`: noRepository,
			`{"number":5,"state":"closed"`:                                                                                                       invalid + "unexpected end of JSON input",
		}},
		{"Repository", "gh repo", func(f *fake) error { _, err := f.Repository(f.t.Context(), repo); return err }, map[string]string{
			"": nothing, "null": nothing, "{}": " returned an answer without a name", `{"nameWithOwner":"/"}`: " returned an answer without a name",
			`{"hasIssuesEnabled":true}`: " returned an answer without a name",
		}},
		{"RateLimit", "gh api", func(f *fake) error { _, err := f.RateLimit(f.t.Context(), ref.GitHubHost); return err }, map[string]string{
			"": nothing, "{}": " returned an answer without a rate limit", `{"resources":{"core":{}}}`: " returned an answer without a rate limit",
			`{"resources":{"core":{"remaining":0}}}`: " returned an answer without a rate limit", portal: badHTML,
		}},
		{"Login", "gh api", func(f *fake) error { _, err := f.Login(f.t.Context(), ref.GitHubHost); return err }, map[string]string{
			"": nothing, "{}": " returned an answer without a login", `{"login":""}`: " returned an answer without a login",
			`{"login":null}`: " returned an answer without a login",
		}},
		{"Version", "gh --version", func(f *fake) error { _, err := f.Version(f.t.Context()); return err }, map[string]string{
			"": nothing, "gh version": " returned an answer without a version", "usage: gh version 2": " returned an answer without a version",
		}},
	}
	for _, tt := range calls {
		f := answering(t, "", "", 0)
		for out, want := range tt.answers {
			t.Run(tt.name+" "+out, func(t *testing.T) {
				f.answer(out, "", 0)
				err := tt.call(f)
				wantText(t, err, tt.command+want)
				wantClass(t, err, Transient)
			})
		}
	}
}

func TestLongBody(t *testing.T) {
	body := strings.Repeat("é", 5<<20)
	f := answering(t, `{"comments":[{"id":"IC_1","body":"`+body+`"}]}`, "", 0)
	got, err := f.IssueComments(t.Context(), repo, 1)
	if err != nil || len(got) != 1 || got[0].Body != body {
		t.Errorf("IssueComments() = %d comments, %v, want the one of 10 MB whole", len(got), err)
	}
}

// TestItemIsOfTheRepository drops what has the address of something else.
func TestItemIsOfTheRepository(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/octo/repo-b/issues/7":             true,
		"https://github.com/OCTO/Repo-B/pull/7":               true,
		"https://github.com/octo/repo-b/issues/8":             false,
		"https://github.com/octo/repo-b/issues/07":            false,
		"https://github.com/octo/other/issues/7":              false,
		"https://github.com/mallory/repo-b/issues/7":          false,
		"https://github.com/octo/repo-b/discussions/7":        false,
		"https://github.com/octo/repo-b/issues/7/":            false,
		"https://github.com/octo/repo-b/issues/7/x":           false,
		"https://github.com/octo/repo-b/issues/7?x=1":         false,
		"https://github.com/octo/repo-b/issues/7#issue":       false,
		"https://mallory@github.com/octo/repo-b/issues/7":     false,
		"https://github.com/octo%2Frepo-b/issues/7":           false,
		"https://github.com//octo/repo-b/issues/7":            false,
		"http://github.com/octo/repo-b/issues/7":              false,
		"javascript://github.com/octo/repo-b/issues/7":        false,
		"https://github.com/octo/repo-b/../repo-b/issues/7":   false,
		"https://github.com/login?to=/octo/repo-b/issues/7":   false,
		"https://github.com/octo/repo-b/issues/7%0aX-Header:": false,
	} {
		f := answering(t, `[{"number":7,"url":"`+url+`"}]`, "", 0)
		items, total, err := f.Issues(t.Context(), repo, Filter{})
		if err != nil || total != 1 || (len(items) == 1) != want {
			t.Errorf("%s: %d item(s) of %d, %v, want it kept: %v", url, len(items), total, err, want)
		}
		if !want && !strings.Contains(f.log.String(), "with the url of something else") {
			t.Errorf("%s is dropped without a warning:\n%s", url, &f.log)
		}
	}
}

// TestItemCarriesTheLabels drops what the search index finds by a label that it
// does not have any more.
func TestItemCarriesTheLabels(t *testing.T) {
	for _, tt := range []struct {
		filter []string
		labels string
		want   bool
	}{
		{[]string{"the-loop"}, `[{"name":"the-loop"}]`, true},
		{[]string{"The-Loop "}, `[{"name":"bug"},{"name":"the-LOOP"}]`, true},
		{[]string{"the-loop"}, `[]`, false},
		{[]string{"the-loop"}, `[{"name":"the-loop-2"},{"name":""}]`, false},
		{[]string{"the-loop", "bug"}, `[{"name":"the-loop"}]`, false},
		{[]string{"the-loop", "bug"}, `[{"name":"Bug"},{"name":"the-loop"}]`, true},
		{[]string{"the-loop"}, `null`, true},
		{[]string{"*"}, `[]`, true},
		{nil, `[{"name":"bug"}]`, true},
	} {
		f := answering(t, `[{"number":7,"url":"https://github.com/octo/repo-b/pull/7","labels":`+tt.labels+`}]`, "", 0)
		items, total, err := f.PullRequests(t.Context(), repo, Filter{Labels: tt.filter})
		if err != nil || total != 1 || (len(items) == 1) != tt.want {
			t.Errorf("%v in %s: %d item(s) of %d, %v, want it kept: %v", tt.filter, tt.labels, len(items), total, err, tt.want)
		}
	}
}
