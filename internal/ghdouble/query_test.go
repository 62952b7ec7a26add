package ghdouble

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseQuery(t *testing.T) {
	doc, err := parseQuery(`fragment f on Issue {number}
		query Q($owner: String!, $states: [IssueState!] = OPEN) {
			r: repository(owner: $owner, name: "a\"b", by: {on: [1, true, null]}) { ...f ...on Issue { id } }
		}`)
	if err != nil {
		t.Fatal(err)
	}
	want := &document{
		operation: "Q",
		defaults:  map[string]any{"states": "OPEN"},
		fields: []selection{{
			key: "r", name: "repository",
			args: map[string]any{
				"owner": variable("owner"), "name": `a"b`, "by": map[string]any{"on": []any{1, true, nil}},
			},
			fields: []selection{{spread: "f"}, {on: "Issue", fields: []selection{{key: "id", name: "id"}}}},
		}},
		fragments: map[string]selection{"f": {on: "Issue", fields: []selection{{key: "number", name: "number"}}}},
	}
	if diff := cmp.Diff(want, doc, cmp.AllowUnexported(document{}, selection{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseQueryRefuses(t *testing.T) {
	for _, query := range []string{
		"{", "query {a", "query Q(", "query Q($a", "{a(", "{a(b", "{a(b:", "{a(b:[", "{..a}", "{...}", "subscription {a}",
		`{a(b:"c`, "fragment", "{a(b:99999999999999999999)}", "{a(b:-1)}", "{a}}",
	} {
		if doc, err := parseQuery(query); err == nil {
			t.Errorf("parseQuery(%q) = %+v, want an error", query, doc)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	f.Add(`query Q($a: [T!]! = 1) { a: b(c: $a, d: {e: [F "g" true null]}) { ...h ... on I { j } } } fragment h on K { l }`)
	f.Fuzz(func(t *testing.T, query string) {
		doc, err := parseQuery(query)
		if err == nil && doc == nil {
			t.Error("neither a document nor an error")
		}
	})
}

func TestExecute(t *testing.T) {
	world := object{
		"__typename": "Query",
		"item": object{
			"__typename": "Issue", "id": "I_1", "author": nil, "gone": object(nil),
			"list": connection("Label", []object{{"__typename": "Label", "name": "a"}, {"__typename": "Label", "name": "b"}}),
			"hidden": resolver(func(args arguments) (any, *queryError) {
				return nil, notFound("there is no %s", args.text("what"))
			}),
		},
	}
	for name, test := range map[string]struct{ query, want string }{
		"selects":       {`{item {id}}`, `{"data":{"item":{"id":"I_1"}}}`},
		"alias":         {`{x: item {y: id}}`, `{"data":{"x":{"y":"I_1"}}}`},
		"null":          {`{item {author {login} gone {id}}}`, `{"data":{"item":{"author":null,"gone":null}}}`},
		"type":          {`{item {...on Issue {id} ...on Bot {login}}}`, `{"data":{"item":{"id":"I_1"}}}`},
		"merges":        {`{item {id} item {__typename}}`, `{"data":{"item":{"__typename":"Issue","id":"I_1"}}}`},
		"page":          {`{item {list(first: 1) {nodes {name}, pageInfo {hasNextPage}}}}`, `{"data":{"item":{"list":{"nodes":[{"name":"a"}],"pageInfo":{"hasNextPage":true}}}}}`},
		"next page":     {`{item {list(first: 1, after: "cursor:1") {nodes {name}, pageInfo {hasNextPage}}}}`, `{"data":{"item":{"list":{"nodes":[{"name":"b"}],"pageInfo":{"hasNextPage":false}}}}}`},
		"default":       {`query Q($what: String = X) {item {hidden(what: $what)}}`, `{"data":{"item":{"hidden":null}},"errors":[{"type":"NOT_FOUND","path":["item","hidden"],"message":"there is no X"}]}`},
		"unknown field": {`{item {nope}}`, `{"errors":[{"type":"undefinedField","path":["item","nope"],"message":"Field 'nope' doesn't exist on type 'Issue'"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := parseQuery(test.query)
			if err != nil {
				t.Fatal(err)
			}
			e := &execution{doc: doc}
			got, err := json.Marshal(e.run(world))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestCost checks examples of GitHub's formula that a poller meets.
func TestCost(t *testing.T) {
	survey := "{"
	for i := range 50 {
		survey += fmt.Sprintf("r%d: repository(owner: o, name: n) {...q} ", i)
	}
	survey += "} fragment q on Repository {issues(first: 30) {nodes {number}} pullRequests(first: 30) {nodes {number}}}"
	for name, test := range map[string]struct {
		query string
		want  int
	}{
		"nothing":          {`{viewer {login}}`, 1},
		"labels":           {`{search(last: 100) {nodes {labels(first: 100) {nodes {name}}}}}`, 1},
		"and references":   {`{search(last: 100) {nodes {labels(first: 100) {nodes {name}} refs(first: 100) {nodes {id}}}}}`, 2},
		"by variables":     {`query Q($n: Int = 100) {search(last: $n) {nodes {...f}}} fragment f on X {a(first: $n) {nodes {id}} b(first: 1) {nodes {id}}}`, 2},
		"fifty at once":    {survey, 1},
		"deep":             {`{a(first: 100) {nodes {b(first: 50) {nodes {c(first: 20) {nodes {id}}}}}}}`, 51},
		"itself in itself": {`{...f} fragment f on X {f {...f}}`, 1},
	} {
		doc, err := parseQuery(test.query)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := (&execution{doc: doc}).cost(); got != test.want {
			t.Errorf("%s: %d points, want %d", name, got, test.want)
		}
	}
}

func TestPagesRefused(t *testing.T) {
	list := connection("Label", make([]object, 3))
	for name, args := range map[string]arguments{
		"none asked":     {},
		"too many":       {"first": 101.0},
		"cursor of none": {"first": 1, "after": "cursor:4"},
		"bad cursor":     {"first": 1, "after": "cursor:-1"},
		"no cursor":      {"first": 1, "after": "x"},
	} {
		if got, err := list(args); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
}

func TestSearchTerms(t *testing.T) {
	for query, want := range map[string]searchQuery{
		`label:x repo:o/a state:open type:issue`:       {repo: "o/a", state: "open", labels: []string{"x"}},
		`  is:pr is:open repo:o/a `:                    {repo: "o/a", state: "open", pull: true},
		`label:"a \"b\" c" label:a,b repo:o/a is:pr`:   {repo: "o/a", pull: true, labels: []string{`a "b" c`, "a,b"}},
		`label:"é \\ z" repo:o/a type:pr state:closed`: {repo: "o/a", pull: true, state: "closed", labels: []string{`é \ z`}},
	} {
		got, err := parseSearch(query)
		if err != nil {
			t.Errorf("%s: %s", query, err.Message)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(searchQuery{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", query, diff)
		}
	}
	for _, query := range []string{"author:alice", "word", `"`} {
		if q, err := parseSearch(query + " repo:o/a"); err == nil {
			t.Errorf("%s was taken as %+v", query, q)
		}
	}
}

func FuzzSearchTerms(f *testing.F) {
	f.Add(`label:"a \"b\" c" repo:o/a "" state:open`)
	f.Fuzz(func(t *testing.T, query string) {
		for _, term := range terms(query) {
			if term == "" && !strings.Contains(query, `""`) && !strings.Contains(query, "``") {
				t.Errorf("an empty term in %q", query)
			}
		}
	})
}
