package ghdouble_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"the-loop/internal/ghdouble"
)

// survey asks about repositories of octo, two lists for each.
func survey(t *testing.T, s *ghdouble.Server, names ...string) answer {
	t.Helper()
	query := "query{rateLimit{cost}"
	for i, name := range names {
		query += " r" + string(rune('0'+i)) + `:repository(owner:"octo",name:"` + name + `"){...q}`
	}
	query += "} fragment q on Repository{nameWithOwner label(name:\"x\"){name} " +
		`issues(first:9,states:OPEN,labels:["x"]){totalCount nodes{number updatedAt}}}`
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	got, err := ask(t.Context(), s, "http://api.github.com/graphql", string(body))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestSlow: GitHub's times for the repositories of a query add up.
func TestSlow(t *testing.T) {
	s := ghdouble.Start(t)
	s.Repo("octo/a").SetSlow(4 * time.Second)
	s.Repo("octo/b").SetSlow(6 * time.Second)
	s.Repo("octo/c").SetSlow(time.Millisecond)
	if got := survey(t, s, "a", "b"); got.status != 200 || !strings.Contains(got.body, `"r1":{`) {
		t.Errorf("ten seconds: %+v", got)
	}
	if got := survey(t, s, "a", "b", "c"); got.status != 502 || !strings.Contains(got.body, "timeout") {
		t.Errorf("more than ten seconds: %+v", got)
	}
	if got := survey(t, s, "c", "b"); got.status != 200 {
		t.Errorf("half of it: %+v", got)
	}
	if log, err := s.Command("requests"); err != nil || log != "api graphql\napi graphql slow\napi graphql\n" {
		t.Errorf("requests: %q, %v", log, err)
	}
}

func TestGaps(t *testing.T) {
	const whole = `"r1":{"issues":{"nodes":[{"number":7,"updatedAt":"2026-01-01T00:07:00Z"}],"totalCount":1},"label":{"name":"x"},"nameWithOwner":"octo/b"}`
	for gap, want := range map[string][]string{
		"":      {`{"data":{`, whole},
		"alias": {`{"data":{`, whole, `"r0":null`},
		"connections": {
			whole, `"r0":{"issues":null,"label":{"name":"x"}`,
			`"errors":[{"path":["r0","issues"],"message":"Something went wrong`,
		},
		"limits": {whole, `"r0":{"issues":null`, `"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","path":["r0","issues"]`},
		"nodes":  {`{"data":{`, whole, `"r0":{"issues":{"nodes":null,"totalCount":2}`},
		"node":   {`{"data":{`, whole, `"r0":{"issues":{"nodes":[null,{"number":7,`},
		"place":  {whole, `"r0":{"issues":{"nodes":[{"number":8,`, `"errors":[{"message":"Something went wrong`},
	} {
		t.Run(gap, func(t *testing.T) {
			s := ghdouble.Start(t)
			load(t, s, `{"repos": [
				{"name": "octo/a", "issues": [{"number": 7, "labels": ["x"]}, {"number": 8, "labels": ["x"]}]},
				{"name": "octo/b", "issues": [{"number": 7, "labels": ["x"]}]}]}`)
			if _, err := s.Command("gap", "octo/a", gap); err != nil {
				t.Fatal(err)
			}
			got := survey(t, s, "a", "b")
			for _, text := range want {
				if got.status != 200 || !strings.Contains(got.body, text) {
					t.Errorf("%+v, want %s", got, text)
				}
			}
			if plain := strings.HasPrefix(want[0], "{"); plain && strings.Contains(got.body, "errors") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestQuietLabels changes labels without a change of the item's time.
func TestQuietLabels(t *testing.T) {
	s := ghdouble.Start(t)
	r := s.Repo("octo/a")
	r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"x"}})
	r.AddIssue(ghdouble.Item{Number: 8, Labels: []string{"y", "x"}})
	for _, step := range []struct{ command, want string }{
		{"relabel octo/a#7 y", `"issues":{"nodes":[{"number":8,"updatedAt":"2026-01-01T00:08:00Z"}],"totalCount":1},"label":{"name":"x"}`},
		{"relabel octo/a#7 x", `"issues":{"nodes":[{"number":8,"updatedAt":"2026-01-01T00:08:00Z"},{"number":7,"updatedAt":"2026-01-01T00:07:00Z"}]`},
		{"rename-label octo/a x X", `"issues":{"nodes":[],"totalCount":0},"label":{"name":"X"}`},
		{"rename-label octo/a x x", `"issues":{"nodes":[{"number":8,"updatedAt":"2026-01-01T00:08:00Z"}`},
	} {
		if _, err := s.Command(strings.Fields(step.command)...); err != nil {
			t.Fatal(err)
		}
		if got := survey(t, s, "a"); !strings.Contains(got.body, step.want) {
			t.Errorf("%s: %+v, want %s", step.command, got, step.want)
		}
	}
}

// TestWholeSeconds: like GitHub, the double shows times in whole seconds.
func TestWholeSeconds(t *testing.T) {
	s := ghdouble.Start(t)
	at := time.Date(2026, 3, 1, 12, 0, 1, 999, time.FixedZone("east", 3600))
	s.Repo("octo/a").AddIssue(ghdouble.Item{Number: 7, Labels: []string{"x"}, CreatedAt: at, UpdatedAt: at})
	const want = `"2026-03-01T11:00:01Z"`
	if got := survey(t, s, "a"); !strings.Contains(got.body, `"updatedAt":`+want) {
		t.Errorf("%+v", got)
	}
	if got := get(t, s, "repos/octo/a/issues/7"); !strings.Contains(got.body, `"created_at":`+want) || !strings.Contains(got.body, `"updated_at":`+want) {
		t.Errorf("%+v", got)
	}
}
