package github

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// matched compares an alias's JSON with a listing of the issues 7 and 8 and the
// pull request 9.
func matched(t *testing.T, asked gh.SurveyRepo, alias string, items ...poller.WorkItem) bool {
	t.Helper()
	k := kept{issues: asked.Issues, pulls: asked.PullRequests, items: items}
	return k.same(asked, decodeAlias(t, asked, alias))
}

func clockAt(m int) time.Time { return time.Date(2026, 1, 1, 0, m, 0, 0, time.UTC) }

func held(kind ref.Kind, number, minute int) poller.WorkItem {
	return poller.WorkItem{Kind: kind, Item: ref.Item{Number: number}, UpdatedAt: clockAt(minute)}
}

const (
	sevenEight = `{"totalCount":2,"nodes":[{"number":8,"updatedAt":"2026-01-01T00:02:00Z"},{"number":7,"updatedAt":"2026-01-01T00:01:00Z"}]}`
	nine       = `{"totalCount":1,"nodes":[{"number":9,"updatedAt":"2026-01-01T00:03:00Z"}]}`
	none       = `{"totalCount":0,"nodes":[]}`
	wholeAlias = `{"nameWithOwner":"Octo/A","hasIssuesEnabled":true,"label":{"name":"The-Loop"},"issues":` + sevenEight + `,"pullRequests":` + nine + `}`
)

// TestSame changes one thing at a time of an answer that proves the listing.
func TestSame(t *testing.T) {
	asked := gh.SurveyRepo{
		Repo: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}, Label: "The-Loop", Issues: true, PullRequests: true,
	}
	items := []poller.WorkItem{held(ref.Issue, 7, 1), held(ref.Issue, 8, 2), held(ref.PullRequest, 9, 3)}
	for _, test := range []struct {
		name, old, new string
		want           bool
	}{
		{"the same", "", "", true},
		{"another zone", `"2026-01-01T00:01:00Z"`, `"2026-01-01T01:01:00+01:00"`, true},
		{"another name", "Octo/A", "octo/new", false},
		{"no name", `"nameWithOwner":"Octo/A",`, "", false},
		{"issues off", `"hasIssuesEnabled":true`, `"hasIssuesEnabled":false`, false},
		{"issues unknown", `"hasIssuesEnabled":true,`, "", false},
		{"label in another case", `"name":"The-Loop"`, `"name":"the-loop"`, false},
		{"no label", `{"name":"The-Loop"}`, "null", false},
		{"one more", `"totalCount":2`, `"totalCount":3`, false},
		{"one less", `"totalCount":2`, `"totalCount":1`, false},
		{"no count", `"totalCount":2,`, "", false},
		{"changed", "00:02:00Z", "00:02:01Z", false},
		{"never changed", "2026-01-01T00:02:00Z", "0001-01-01T00:00:00Z", false},
		{"no time", `,"updatedAt":"2026-01-01T00:02:00Z"`, "", false},
		{"another number", `"number":8`, `"number":10`, false},
		{"a number twice", `"number":8,"updatedAt":"2026-01-01T00:02:00Z"`, `"number":7,"updatedAt":"2026-01-01T00:01:00Z"`, false},
		{"a null node", `{"number":7,"updatedAt":"2026-01-01T00:01:00Z"}`, "null", false},
		{"null nodes", `"nodes":[{"number":9,"updatedAt":"2026-01-01T00:03:00Z"}]`, `"nodes":null`, false},
		{"a null connection", nine, "null", false},
		{"no connection", `,"pullRequests":` + nine, "", false},
		{"a pull request less", nine, none, false},
		{"kinds swapped", `"number":9`, `"number":7`, false},
		{"null", wholeAlias, "null", false},
		{"a list", wholeAlias, "[]", false},
		{"a text", wholeAlias, `"octo/a"`, false},
	} {
		alias := strings.Replace(wholeAlias, test.old, test.new, 1)
		if test.old != "" && alias == wholeAlias {
			t.Fatalf("%s changes nothing", test.name)
		}
		if got := matched(t, asked, alias, items...); got != test.want {
			t.Errorf("%s: same is %v in %s", test.name, got, alias)
		}
	}
	items[0].UpdatedAt = time.Time{}
	if matched(t, asked, wholeAlias, items...) {
		t.Error("a listing without a time is proved")
	}
}

// TestSameOfAllPullRequests has a listing with pull requests that lack the label,
// which 9 has and 10 has not.
func TestSameOfAllPullRequests(t *testing.T) {
	asked := gh.SurveyRepo{
		Repo: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}, Label: "The-Loop", Issues: true, PullRequests: true, AllPullRequests: true,
	}
	other := held(ref.PullRequest, 10, 4)
	other.Unlabelled = true
	items := []poller.WorkItem{held(ref.Issue, 7, 1), held(ref.Issue, 8, 2), held(ref.PullRequest, 9, 3), other}
	const nineTen = `{"totalCount":2,"nodes":[{"number":10,"updatedAt":"2026-01-01T00:04:00Z"},{"number":9,"updatedAt":"2026-01-01T00:03:00Z"}]}`
	alias := func(all, labelled string) string {
		return strings.Replace(wholeAlias, nine, all+`,"labelled":`+labelled, 1)
	}
	for _, test := range []struct {
		name, all, labelled string
		want                bool
	}{
		{"the same", nineTen, nine, true},
		{"changed", strings.Replace(nineTen, "00:04:00Z", "00:04:01Z", 1), nine, false},
		{"one less", nine, nine, false},
		{"a label more", nineTen, nineTen, false},
		{"a label less", nineTen, none, false},
		{"all null", "null", nine, false},
		{"null nodes", `{"totalCount":2,"nodes":null}`, nine, false},
		{"a null node", strings.Replace(nineTen, `{"number":10,"updatedAt":"2026-01-01T00:04:00Z"}`, "null", 1), nine, false},
		{"labels unknown", nineTen, "null", false},
		{"no nodes of labels", nineTen, `{"totalCount":1,"nodes":null}`, false},
	} {
		if got := matched(t, asked, alias(test.all, test.labelled), items...); got != test.want {
			t.Errorf("%s: same is %v", test.name, got)
		}
	}
	asked.FindLabel = true
	bare := `{"nameWithOwner":"octo/a","hasIssuesEnabled":true,"labels":` + none + `,"pullRequests":`
	ten := strings.NewReplacer(`"number":9`, `"number":10`, "00:03", "00:04").Replace(nine)
	for all, want := range map[string]bool{ten: true, nine: false, none: false, "null": false} {
		if got := matched(t, asked, bare+all+"}", other); got != want {
			t.Errorf("without a label %s: same is %v", all, got)
		}
	}
	if matched(t, asked, bare+nine+"}", items[2]) {
		t.Error("a repository without the label holds an item with it")
	}
}

// TestSameOfOneKind has issues that are not asked for, since they are off.
func TestSameOfOneKind(t *testing.T) {
	asked := gh.SurveyRepo{Repo: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}, PullRequests: true}
	item := held(ref.PullRequest, 9, 3)
	if !matched(t, asked, `{"nameWithOwner":"octo/a","hasIssuesEnabled":false,"pullRequests":`+nine+`}`, item) {
		t.Error("the pull requests alone are not compared")
	}
	if matched(t, asked, `{"nameWithOwner":"octo/a","hasIssuesEnabled":false,"pullRequests":`+none+`}`, item) {
		t.Error("a pull request is gone unnoticed")
	}
}

func TestSameWithoutLabel(t *testing.T) {
	asked := gh.SurveyRepo{
		Repo: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}, Label: "the-loop", FindLabel: true, Issues: true, PullRequests: true,
	}
	alias := func(labels string) string {
		return `{"nameWithOwner":"octo/a","hasIssuesEnabled":true,"labels":` + labels + `}`
	}
	for labels, want := range map[string]bool{
		none: true,
		`{"totalCount":1,"nodes":[{"name":"bug"}]}`:      true,
		`{"totalCount":1,"nodes":[{"name":"The-Loop"}]}`: false,
		`{"totalCount":2,"nodes":[{"name":"bug"}]}`:      false,
		`{"totalCount":1,"nodes":[null]}`:                false,
		`{"totalCount":1,"nodes":[{}]}`:                  false,
		`null`:                                           false,
	} {
		if got := matched(t, asked, alias(labels)); got != want {
			t.Errorf("labels %s: same is %v", labels, got)
		}
	}
	if matched(t, asked, alias(none), held(ref.Issue, 7, 1)) {
		t.Error("a repository without the label holds an item")
	}
	if matched(t, asked, strings.Replace(alias(none), "true", "false", 1)) {
		t.Error("a repository whose Issues went off is the same")
	}
}

// FuzzSame holds an answer that proves a listing against what the answer says
// when it is read without types: a listing with the label, and one of all pull
// requests, of which 10 has no label.
func FuzzSame(f *testing.F) {
	const ten = `{"number":10,"updatedAt":"2026-01-01T00:04:00Z"}`
	all := strings.Replace(wholeAlias, nine, strings.Replace(strings.Replace(nine, "[", "["+ten+",", 1), ":1", ":2", 1)+`,"labelled":`+nine, 1)
	for _, alias := range []string{wholeAlias, all, "null", none, `{"nameWithOwner":"octo/a"}`} {
		f.Add(`{"data":{"rateLimit":{"cost":1},"r0":` + alias + `}}`)
		f.Add(`{"data":{"r0":` + alias + `},"errors":[{"path":["r0","issues"],"message":"no"}]}`)
		f.Add(`{"data":{"r0":` + alias + `},"errors":[{"path":["r1"],"message":"no"},{"message":"all"}]}`)
	}
	asked := gh.SurveyRepo{
		Repo: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}, Label: "The-Loop", Issues: true, PullRequests: true,
	}
	k := kept{issues: true, pulls: true, items: []poller.WorkItem{
		held(ref.Issue, 7, 1), held(ref.Issue, 8, 2), held(ref.PullRequest, 9, 3),
	}}
	askedAll, kAll := asked, k
	askedAll.AllPullRequests, kAll.allPulls = true, true
	kAll.items = append(slices.Clone(k.items), held(ref.PullRequest, 10, 4))
	kAll.items[3].Unlabelled = true
	if alias := decodeAlias(f, askedAll, all); !kAll.same(askedAll, alias) {
		f.Fatalf("the whole answer proves nothing: %s", all)
	}
	f.Fuzz(func(t *testing.T, text string) {
		proves(t, asked, k, text, "7", "8", "9", "2026-01-01")
		proves(t, askedAll, kAll, text, "7", "8", "9", "10", "2026-01-01", "labelled")
	})
}

func decodeAlias(t testing.TB, asked gh.SurveyRepo, alias string) *gh.Surveyed {
	t.Helper()
	s := gh.Survey{Host: "github.com", First: 2, Repos: []gh.SurveyRepo{asked}}
	answer, err := s.Read([]byte(`{"data":{"rateLimit":{"cost":1},"r0":` + alias + `}}`))
	if err != nil {
		t.Fatalf("%s: %v", alias, err)
	}
	return answer.Repos[0]
}

// proves fails when an answer proves a listing and has an error about it, or lacks
// one of the texts that the proof consists of.
func proves(t *testing.T, asked gh.SurveyRepo, k kept, text string, parts ...string) {
	t.Helper()
	s := gh.Survey{Host: "github.com", First: 2, Repos: []gh.SurveyRepo{asked}}
	answer, err := s.Read([]byte(text))
	if err != nil || !k.same(asked, answer.Repos[0]) {
		return
	}
	var plain struct {
		Data   map[string]json.RawMessage
		Errors []struct{ Path []any }
	}
	if err := json.Unmarshal([]byte(text), &plain); err != nil {
		t.Fatalf("proved by what is no JSON: %s", text)
	}
	for _, e := range plain.Errors {
		if len(e.Path) == 0 || e.Path[0] == "r0" {
			t.Fatalf("proved in spite of an error: %s", text)
		}
	}
	alias := strings.ToLower(string(plain.Data["r0"]))
	for _, part := range parts {
		if !strings.Contains(alias, part) {
			t.Fatalf("proved without %s: %s", part, text)
		}
	}
}
