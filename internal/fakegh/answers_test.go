package fakegh

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answerTo runs one call of gh against a script with that one answer.
func answerTo(t *testing.T, answer string, args ...string) string {
	t.Helper()
	code, stdout, stderr := run(t, folder(t, "*: "+answer), args...)
	if code != 0 || stderr != "" {
		t.Fatalf("%s: exit %d, %s", answer, code, stderr)
	}
	return stdout
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	var gotValue, wantValue any
	if err := json.Unmarshal([]byte(got), &gotValue); err != nil {
		t.Errorf("%s: %v in %s", what, err, got)
		return
	}
	if err := json.Unmarshal([]byte(want), &wantValue); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantValue, gotValue); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestItems(t *testing.T) {
	issues := func(fields string, labels ...string) []string {
		args := []string{"issue", "list", "--repo", "octo/a", "--json", fields}
		for _, l := range labels {
			args = append(args, "--label", l)
		}
		return args
	}
	pulls := []string{"pr", "list", "--repo", "ghe.corp/octo/a", "--json", "number,url,headRefName,title,body,isDraft"}
	for _, test := range []struct {
		answer string
		args   []string
		want   string
	}{
		{"[]", issues("number"), "[]"},
		{`[{"number":1}]`, issues("number"), `[{"number":1}]`},
		{"#7 #2-4", issues("number"), `[{"number":7},{"number":2},{"number":3},{"number":4}]`},
		{"#7", issues("number,title,state,url,author,updatedAt,labels"),
			`[{"number":7,"title":"Item 7","state":"OPEN","url":"https://github.com/octo/a/issues/7","author":{"login":"octocat"},"updatedAt":"2026-01-01T07:00:00Z","labels":[]}]`},
		{`#7~3@alice"a \"quoted\" title""a body"`, issues("title,body,author,updatedAt"),
			`[{"title":"a \"quoted\" title","body":"a body","author":{"login":"alice"},"updatedAt":"2026-01-01T07:03:00Z"}]`},
		{"#7@ #8@app/x", issues("author"), `[{"author":{"login":""}},{"author":{"login":"app/x"}}]`},
		{"#7", issues("labels", `"a,b"`, `"say ""hi"""`, "c,d"), `[{"labels":[{"name":"a,b"},{"name":"say \"hi\""},{"name":"c"},{"name":"d"}]}]`},
		{`#9=fix/issue-7"t" #10`, pulls,
			`[{"number":9,"url":"https://ghe.corp/octo/a/pull/9","headRefName":"fix/issue-7","title":"t","body":"","isDraft":false},
			{"number":10,"url":"https://ghe.corp/octo/a/pull/10","headRefName":"","title":"Item 10","body":"","isDraft":false}]`},
	} {
		equal(t, test.answer, answerTo(t, test.answer, test.args...), test.want)
	}
}

// TestFurtherFields plays a newer gh, with fields that no measured one has.
func TestFurtherFields(t *testing.T) {
	dir := folder(t, "pr list octo/a: #9^7 #10")
	args := []string{"pr", "list", "--repo", "octo/a", "--json", "number,closingIssuesReferences"}
	if code, _, stderr := run(t, dir, args...); code != 1 || !strings.HasPrefix(stderr, "Unknown JSON field: \"closingIssuesReferences\"\n") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	write(t, dir, "fields", "other closingIssuesReferences\n")
	code, stdout, stderr := run(t, dir, args...)
	if code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	equal(t, "references", stdout, `[{"number":9,"closingIssuesReferences":[{"number":7,"url":"https://github.com/octo/a/issues/7",
		"repository":{"name":"a","owner":{"login":"octo"}}}]},{"number":10,"closingIssuesReferences":[]}]`)
}

func TestConversations(t *testing.T) {
	const answer = `c1@alice "first \"one\"" c2@app/bot "second"`
	view := []string{"issue", "view", "7", "--repo", "octo/a", "--json", "comments"}
	equal(t, "a conversation", answerTo(t, answer, view...), `{"comments":[
		{"id":"c1","author":{"login":"alice"},"body":"first \"one\"","url":"https://github.com/octo/a#c1","createdAt":"2026-01-01T00:01:00Z"},
		{"id":"c2","author":{"login":"app/bot"},"body":"second","url":"https://github.com/octo/a#c2","createdAt":"2026-01-01T00:02:00Z"}]}`)
	equal(t, "an empty conversation", answerTo(t, "none", view...), `{"comments":[]}`)
	equal(t, "reviews", answerTo(t, `r1@bob "no"`, "api", "repos/octo/a/pulls/9/reviews?per_page=100", "--paginate"),
		`[{"node_id":"r1","user":{"login":"bob"},"state":"COMMENTED","body":"no","html_url":"https://github.com/octo/a#r1","submitted_at":"2026-01-01T00:01:00Z"}]`)
	equal(t, "inline comments", answerTo(t, `i1@bob "here"`, "api", "repos/octo/a/pulls/9/comments?per_page=100", "--paginate"),
		`[{"node_id":"i1","user":{"login":"bob"},"body":"here","html_url":"https://github.com/octo/a#i1","created_at":"2026-01-01T00:01:00Z","path":"main.go","line":1}]`)
	equal(t, "no further page", answerTo(t, "none", "api", "repos/octo/a/pulls/9/comments?per_page=100&page=2"), `[]`)
	for _, bad := range []string{"c1", `c1 "text"`, `c1@alice text`, `c1@alice "open`, `none "x"`} {
		if code, _, stderr := run(t, folder(t, "*: "+bad), view...); code != refused || !strings.Contains(stderr, "no comment at") {
			t.Errorf("%s: exit %d, %s", bad, code, stderr)
		}
	}
}

func TestSmallAnswers(t *testing.T) {
	item := []string{"api", "repos/octo/a/issues/7"}
	repo := []string{"repo", "view", "ghe.corp/octo/a", "--json", "nameWithOwner,hasIssuesEnabled"}
	for _, test := range []struct {
		answer string
		args   []string
		want   string
	}{
		{"open", item, `{"number":7,"state":"open","html_url":"https://github.com/octo/a/issues/7","comments":0}`},
		{"closed 130", item, `{"number":7,"state":"closed","html_url":"https://github.com/octo/a/issues/7","comments":130}`},
		{"closed-pr", item, `{"number":7,"state":"closed","html_url":"https://github.com/octo/a/issues/7","comments":0,"pull_request":{"merged_at":null}}`},
		{"merged", item, `{"number":7,"state":"closed","html_url":"https://github.com/octo/a/issues/7","comments":0,"pull_request":{"merged_at":"2026-01-02T00:00:00Z"}}`},
		{"on", repo, `{"nameWithOwner":"octo/a","hasIssuesEnabled":true}`},
		{"off", repo, `{"nameWithOwner":"octo/a","hasIssuesEnabled":false}`},
		{"now Octo/New", repo, `{"nameWithOwner":"Octo/New","hasIssuesEnabled":true}`},
		{"octocat", []string{"api", "--hostname", "ghe.corp", "user"}, `{"login":"octocat"}`},
	} {
		equal(t, test.answer, answerTo(t, test.answer, test.args...), test.want)
	}
	for answer, args := range map[string][]string{
		"merged 7 8": item, "lost": item, "away": repo, "graphql": {"api", "rate_limit"}, "graphql x 1h": {"api", "rate_limit"}, "core 1 soon": {"api", "rate_limit"},
	} {
		if code, _, stderr := run(t, folder(t, "*: "+answer), args...); code != refused {
			t.Errorf("%s: exit %d, %s", answer, code, stderr)
		}
	}
	var limits struct {
		Resources map[string]struct{ Limit, Remaining int }
	}
	if err := json.Unmarshal([]byte(answerTo(t, "graphql 0 30m core 7 1h", "api", "rate_limit")), &limits); err != nil {
		t.Fatal(err)
	}
	if got := limits.Resources; got["graphql"].Remaining != 0 || got["core"].Remaining != 7 || got["search"].Remaining != 5000 {
		t.Errorf("limits %+v", got)
	}
}

// TestUnansweredCalls makes calls that a real gh answers and the fake does not.
func TestUnansweredCalls(t *testing.T) {
	for _, args := range [][]string{
		{}, {"issue"}, {"issue", "list", "--repo", "octo/a"}, {"pr", "view", "branch", "--repo", "octo/a", "--json", "comments"},
		{"pr", "view", "9", "--repo", "octo/a", "--json", "number,state"}, {"issue", "list", "--repo", "octo/a", "--json", "number", "--state", "all"},
		{"api", "repos/octo/a/pulls"}, {"api", "repos/octo/a/pulls/9/reviews?per_page=100"}, {"repo", "view", "--json", "nameWithOwner"},
	} {
		code, stdout, stderr := run(t, folder(t, "*: []"), args...)
		if code != 1 || stdout != "" || !strings.HasPrefix(stderr, "fakegh: ") {
			t.Errorf("gh %v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
