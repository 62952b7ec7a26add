package ghdouble_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ghdouble"
)

// documented returns the example world of the package comment.
func documented(t *testing.T) []byte {
	t.Helper()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(source), "further files:\n//\n")
	text, _, _ = strings.Cut(text, "\n//\n")
	return []byte(regexp.MustCompile(`(?m)^//\t`).ReplaceAllString(text, ""))
}

func load(t *testing.T, s *ghdouble.Server, text string) {
	t.Helper()
	if err := s.LoadJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestDocumentedWorld(t *testing.T) {
	s := ghdouble.Start(t)
	load(t, s, string(documented(t)))
	s.SetRate("github.com", "graphql", ghdouble.Rate{Limit: 5000, Remaining: 5000})
	for path, want := range map[string]string{
		"repos/octo/a/issues/7":         `"title":"Fix it"`,
		"repos/octo/a/issues/8":         `"state":"closed"`,
		"repos/octo/a/issues/9":         `"pull_request":{`,
		"repos/octo/a/pulls/9/reviews":  `"user":null`,
		"repos/octo/a/pulls/9/comments": `"line":3`,
		"repos/octo/a/labels/unused":    `"name":"unused"`,
		"repos/octo/old":                "Moved Permanently",
		"repos/octo/b/issues/1":         "Issues are disabled for this repo",
		"user":                          `"login":"octocat"`,
	} {
		if got := get(t, s, path); !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v, want %s", path, got, want)
		}
	}
	got, err := ask(t.Context(), s, "http://api.github.com/graphql", `{"query":"{repository(owner:\"octo\",name:\"a\"){`+
		`pullRequest(number:9){closingIssuesReferences(first:9){nodes{number,url,repository{nameWithOwner}}}}}}"}`)
	const want = `{"nodes":[{"number":7,"repository":{"nameWithOwner":"octo/a"},"url":"https://github.com/octo/a/issues/7"}]}`
	if err != nil || !strings.Contains(got.body, want) {
		t.Errorf("closing references: %+v, %v", got, err)
	}
}

// TestLoadChanges loads a part again: the rest of the world stays, and so do the ids of
// the reloaded items.
func TestLoadChanges(t *testing.T) {
	s := ghdouble.Start(t)
	load(t, s, `{"repos": [{"name": "octo/a", "issues": [{"number": 7, "comments": [{"body": "one"}]}]},
		{"name": "octo/b", "issues": [{"number": 1}]}], "faults": [{"fault": "502", "kind": "api user"}]}`)
	before := get(t, s, "repos/octo/a/issues/7").body
	load(t, s, `{"repos": [{"name": "octo/new", "formerNames": ["octo/a"], "issues": [{"number": 7, "comments": [{"body": "one"}]}]}]}`)
	after := get(t, s, "repos/octo/new/issues/7").body
	if diff := cmp.Diff(strings.ReplaceAll(before, "octo/a", "octo/new"), after); diff != "" {
		t.Errorf("loading the same item again changed it (-before +after)\n%s", diff)
	}
	if got := get(t, s, "repos/octo/b/issues/1").status; got != 200 {
		t.Errorf("a repository that the second file does not name: %d", got)
	}
	if got := get(t, s, "user").status; got != 502 {
		t.Errorf("the fault is gone after a file without faults: %d", got)
	}
	load(t, s, `{"repos": [{"name": "octo/b", "missing": true}], "faults": []}`)
	if got := get(t, s, "user").status; got != 200 {
		t.Errorf("the fault is still there: %d", got)
	}
	if got := get(t, s, "repos/octo/b/issues/1").status; got != 404 {
		t.Errorf("a missing repository: %d", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	s := ghdouble.Start(t)
	for text, want := range map[string]string{
		`{"repos": [{"name": "octo"}]}`:                               `repository "octo" is not [HOST/]OWNER/NAME`,
		`{"repos": [{"name": "octo/a", "issues": [{"title": "x"}]}]}`: "an item without a number",
		`{"faults": [{"fault": "nope"}]}`:                             `no fault is called "nope"; there are 502, 502-html,`,
		`{"faults": [{"fault": "502", "kind": "issues"}]}`:            `no request is of the kind "issues"`,
		`{"faults": [{"fault": "no-login"}]}`:                         `no-login is no fault of GitHub's: set`,
		`{"repositories": []}`:                                        `unknown field "repositories"`,
		`{} {}`:                                                       "text after the description",
		`{`:                                                           "unexpected EOF",
	} {
		if err := s.LoadJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestCommands(t *testing.T) {
	s := ghdouble.Start(t)
	load(t, s, `{"repos": [{"name": "octo/a", "issues": [{"number": 7}], "pullRequests": [{"number": 9}]}]}`)
	command := func(words ...string) string {
		t.Helper()
		out, err := s.Command(words...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	shows := func(path, want string) {
		t.Helper()
		if got := get(t, s, path); !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v, want %s", path, got, want)
		}
	}
	command("state", "octo/a#9", "merged")
	shows("repos/octo/a/issues/9", `"merged_at":"2026`)
	command("labels", "octo/a#7", "x", "y z")
	shows("repos/octo/a/issues/7", `"labels":[{"name":"x"},{"name":"y z"}]`)
	command("comment", "octo/a#7", "alice", "hello there", "IC_x")
	shows("repos/octo/a/issues/7", `"comments":1`)
	command("chatter", "octo/a#7", "alice", "100")
	shows("repos/octo/a/issues/7", `"comments":101`)
	command("crowd", "octo/crowd", "x")
	shows("repos/octo/crowd/issues/1101", `"number":1101`)
	command("login", "github.com", "hubot")
	shows("user", `"login":"hubot"`)
	command("fail", "502", "kind=api-issue", "repo=octo/a", "times=1")
	shows("repos/octo/a/issues/7", "Server Error")
	shows("repos/octo/a/issues/7", `"number":7`)
	command("fail", "401", "host=github.com")
	shows("user", "Bad credentials")
	command("heal")
	command("rename", "octo/a", "octo/b")
	shows("repos/octo/b", `"full_name":"octo/b"`)
	command("remove", "octo/b")
	shows("repos/octo/b", "Not Found")
	if got := command("count", "kind=api-issue"); got != "7\n" {
		t.Errorf("count: %q", got)
	}
	if got := command("requests", "kind=api-user"); got != "api user\napi user 401\n" {
		t.Errorf("requests: %q", got)
	}
	if got := command("requests", "repo=octo/b"); got != "api repo octo/b\napi repo octo/b\n" {
		t.Errorf("requests: %q", got)
	}
	for _, words := range []string{
		"", "nope", "heal now", "fail", "fail nope", "fail 502 x=y", "fail 502 times=x", "state octo/a#7", "state octo/a closed",
		"state octo/x#7 closed", "slow octo/a x", "gap octo/a x", "chatter octo/a#7 alice x", "count x", "count kind=x",
	} {
		if out, err := s.Command(strings.Fields(words)...); err == nil {
			t.Errorf("%q: %q, want an error", words, out)
		}
	}
}
