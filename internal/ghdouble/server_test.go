package ghdouble_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ghdouble"
)

// answer is the double's reply to a plain HTTP client.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request in gh's form without gh. With a body it is GraphQL.
func ask(ctx context.Context, s *ghdouble.Server, url, body string) (answer, error) {
	transport := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", s.Socket())
		},
	}
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Authorization", "token x")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text)}, err
}

func get(t *testing.T, s *ghdouble.Server, path string) answer {
	t.Helper()
	got, err := ask(t.Context(), s, "http://api.github.com/"+path, "")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestSocketPathIsShort(t *testing.T) {
	s := ghdouble.Start(t)
	if len(s.Socket()) >= 100 {
		t.Errorf("%s has %d bytes", s.Socket(), len(s.Socket()))
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	s, err := ghdouble.New()
	if err != nil {
		t.Fatal(err)
	}
	s.Fail(ghdouble.Match{}, ghdouble.Fault{REST: ghdouble.Reply{Wire: ghdouble.Hang}})
	left := make(chan error, 1)
	go func() {
		_, err := ask(t.Context(), s, "http://api.github.com/user", "")
		left <- err
	}()
	if err := s.Await(t.Context(), ghdouble.Match{Kind: ghdouble.APIUser}, 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-left; err == nil {
		t.Error("a client that hangs was answered")
	}
	if _, err := os.Stat(s.ConfigDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func TestClientMayLeave(t *testing.T) {
	s := ghdouble.Start(t)
	s.Fail(ghdouble.Match{}, ghdouble.Fault{REST: ghdouble.Reply{Wire: ghdouble.Hang}})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := ask(ctx, s, "http://api.github.com/user", "")
		left <- err
	}()
	if err := s.Await(t.Context(), ghdouble.Match{}, 1); err != nil {
		t.Fatal(err)
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client left with %v", err)
	}
}

func TestWire(t *testing.T) {
	s := ghdouble.Start(t)
	for wire, want := range map[ghdouble.Wire]error{
		ghdouble.Reset: syscall.ECONNRESET, ghdouble.EOF: io.EOF, ghdouble.Cut: io.ErrUnexpectedEOF,
	} {
		if wire == ghdouble.Reset && runtime.GOOS != "linux" {
			want = io.EOF
		}
		remove := s.Fail(ghdouble.Match{}, ghdouble.Fault{REST: ghdouble.Reply{Wire: wire, Body: "{}"}})
		if _, err := ask(t.Context(), s, "http://api.github.com/user", ""); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", wire, err, want)
		}
		remove()
	}
}

// TestLargeRequest sends a request that arrives in several pieces.
func TestLargeRequest(t *testing.T) {
	s := ghdouble.Start(t)
	query := `{"query":"query UserCurrent{viewer{login}}` + strings.Repeat(" ", 32<<10) + `"}`
	got, err := ask(t.Context(), s, "http://api.github.com/graphql", query)
	if err != nil || got.body != `{"data":{"viewer":{"login":"octocat"}}}` {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestBadQueries(t *testing.T) {
	s := ghdouble.Start(t)
	for body, want := range map[string]string{
		"not JSON":                         `{"errors":[{"message":"invalid character`,
		`{"query":"{"}`:                    `{"errors":[{"message":"query, line 1`,
		`{"query":"mutation {a}"}`:         `{"errors":[{"message":"the double only answers"}]}`,
		`{"query":"{viewer {followers}}"}`: `Field 'followers' doesn't exist on type 'User'`,
	} {
		got, err := ask(t.Context(), s, "http://api.github.com/graphql", body)
		if err != nil || !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v, %v, want %s", body, got, err, want)
		}
	}
}

// TestFaultOrder: the latest fault holds until it is used up or removed.
func TestFaultOrder(t *testing.T) {
	s := ghdouble.Start(t)
	s.Repo("octo/a")
	status := func(code, times int) ghdouble.Fault {
		return ghdouble.Fault{REST: ghdouble.Reply{Status: code}, Times: times}
	}
	remove := s.Fail(ghdouble.Match{Kind: "api"}, status(500, 0))
	s.Fail(ghdouble.Match{Repo: "OCTO/A"}, status(502, 2))
	s.Fail(ghdouble.Match{Host: "ghe.example.com"}, status(503, 0))
	s.Fail(ghdouble.Match{Kind: "ap"}, status(504, 0))
	var got []int
	for range 3 {
		got = append(got, get(t, s, "repos/octo/a").status, get(t, s, "user").status)
	}
	remove()
	got = append(got, get(t, s, "repos/octo/a").status)
	if diff := cmp.Diff([]int{502, 500, 502, 500, 500, 500, 200}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLinks(t *testing.T) {
	s := ghdouble.Start(t)
	s.Repo("octo/a").Crowd("x")
	const path = "repos/octo/a/pulls/1001/reviews"
	for query, want := range map[string]string{
		"?per_page=100": `<https://api.github.com/repos/octo/a/pulls/1001/reviews?page=2&per_page=100>; rel="next", ` +
			`<https://api.github.com/repos/octo/a/pulls/1001/reviews?page=2&per_page=100>; rel="last"`,
		"?per_page=100&page=2": "",
		"?per_page=50&page=9":  "",
		"?page=3": `<https://api.github.com/repos/octo/a/pulls/1001/reviews?page=4>; rel="next", ` +
			`<https://api.github.com/repos/octo/a/pulls/1001/reviews?page=4>; rel="last"`,
	} {
		if got := get(t, s, path+query).header.Get("Link"); got != want {
			t.Errorf("%s: %s\nwant %s", query, got, want)
		}
	}
}

// TestChanges shows which changes advance an item's time.
func TestChanges(t *testing.T) {
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddIssue(ghdouble.Item{Number: 7})
	r.AddPullRequest(ghdouble.Item{Number: 9})
	early := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, change := range []struct {
		name  string
		do    func()
		moves bool
	}{
		{"comment", func() { r.AddComment(9, ghdouble.Comment{CreatedAt: early}) }, true},
		{"review", func() { r.AddReview(9, ghdouble.Review{SubmittedAt: early}) }, true},
		{"review comment", func() { r.AddReviewComment(9, ghdouble.ReviewComment{CreatedAt: early}) }, true},
		{"state", func() { r.SetState(9, "merged") }, true},
		{"update", func() { r.Update(9, func(it *ghdouble.Item) { it.Title = "new" }) }, false},
	} {
		before := get(t, s, "repos/octo/a/issues/9").body
		change.do()
		after := get(t, s, "repos/octo/a/issues/9").body
		if before == after {
			t.Errorf("%s: nothing changed", change.name)
		}
		if moved := updatedAt(before) < updatedAt(after); moved != change.moves {
			t.Errorf("%s: %s, then %s", change.name, updatedAt(before), updatedAt(after))
		}
	}
	r.SetIssuesEnabled(false)
	if got := [2]int{get(t, s, "repos/octo/a/issues/7").status, get(t, s, "repos/octo/a/issues/9").status}; got != [2]int{410, 200} {
		t.Errorf("with Issues off, the issue and the pull request are %d", got)
	}
}

func updatedAt(body string) string {
	_, text, _ := strings.Cut(body, `"updated_at":"`)
	text, _, _ = strings.Cut(text, `"`)
	return text
}

// TestLabels covers GitHub's two label lookups: a single label by name in any case, and
// a connection's items by any of the labels, case-sensitively.
func TestLabels(t *testing.T) {
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddLabel("Unused")
	r.AddIssue(ghdouble.Item{Number: 1, Labels: []string{"Loop", "x"}})
	r.AddIssue(ghdouble.Item{Number: 2, Labels: []string{"y"}})
	r.AddIssue(ghdouble.Item{Number: 3, Labels: []string{"z"}})
	for query, want := range map[string]string{
		`label(name:"loop"){name}`:                             `"label":{"name":"Loop"}`,
		`label(name:"none"){name}`:                             `"label":null`,
		`labels(first:9){nodes{name}}`:                         `[{"name":"Unused"},{"name":"Loop"},{"name":"x"},{"name":"y"},{"name":"z"}]`,
		`issues(first:9,labels:["Loop","y"]){nodes{number}}`:   `[{"number":2},{"number":1}]`,
		`issues(first:9,labels:["loop"]){totalCount}`:          `"totalCount":0`,
		`pullRequests(first:9,labels:["Loop"]){nodes{number}}`: `"nodes":[]`,
	} {
		body, err := json.Marshal(map[string]string{"query": `{repository(owner:"octo",name:"a"){` + query + `}}`})
		if err != nil {
			t.Fatal(err)
		}
		got, err := ask(t.Context(), s, "http://api.github.com/graphql", string(body))
		if err != nil || !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v, %v, want %s", query, got, err, want)
		}
	}
}

// TestCountedQuota counts a quota down to zero.
func TestCountedQuota(t *testing.T) {
	s := ghdouble.Start(t)
	load(t, s, `{"hosts": [{"name": "github.com", "rates": {
		"graphql": {"limit": 5000, "remaining": 52, "resetInSeconds": 60, "counted": true},
		"core": {"limit": 5000, "remaining": 1, "resetInSeconds": 60, "counted": true}}}]}`)
	const deep = `{"query":"{rateLimit{cost remaining} search(type:ISSUE,query:\"repo:o/a\",first:100){nodes{...on Issue{` +
		`comments(first:50){nodes{reactionGroups(first:1){users}}}}}}}"}`
	for _, want := range []string{`"cost":51,"remaining":1`, `"cost":51,"remaining":0`, `RATE_LIMITED`} {
		got, err := ask(t.Context(), s, "http://api.github.com/graphql", deep)
		if err != nil || !strings.Contains(got.body, want) {
			t.Errorf("%+v, %v, want %s", got, err, want)
		}
	}
	for _, want := range []int{200, 403} {
		if got := get(t, s, "user"); got.status != want {
			t.Errorf("%+v, want %d", got, want)
		}
	}
	if got := get(t, s, "rate_limit"); !strings.Contains(got.body, `"remaining":0`) {
		t.Errorf("limits: %+v", got)
	}
	s.SetRate("github.com", "core", ghdouble.Rate{Limit: 9, Reset: time.Now().Add(-time.Second), Counted: true})
	if got := get(t, s, "user"); got.status != 200 {
		t.Errorf("once it is renewed: %+v", got)
	}
}
