package ghdouble

import (
	"net/http"
	"slices"
)

// Facts lists the known faults of GitHub and the network, with gh's output for the
// [Calls] on octo/a on github.com, which holds more than a page of everything (see
// [Repo.Crowd]). gh 2.23, 2.46 and 2.83 agree, except where [Fact.Outcome] says otherwise.
func Facts() []Fact {
	return slices.Concat(serverFacts(), loginFacts(), limitFacts(), repositoryFacts(), brokenFacts(), pageFacts(), wireFacts())
}

// fact returns a fact whose fault is the same reply for both APIs.
func fact(name string, reply Reply, prints map[string]Outcome) Fact {
	return Fact{Name: name, Fault: Fault{Name: name, GraphQL: reply, REST: reply}, Prints: prints}
}

// failed is the outcome of a gh that exits 1 with one error text and no output.
func failed(stderr string) Outcome { return Outcome{Exit: 1, Stderr: stderr} }

// refused is the outcome of a "gh api" that exits 1 and prints the error's body.
func refused(stderr string) Outcome { return Outcome{Exit: 1, Stdout: ".", Stderr: stderr} }

// message returns an error body of either API.
func message(status int, text string) Reply { return errorReply(status, text) }

const (
	somethingWrong = "Something went wrong while executing your query. Please include `0000:0000` when reporting this issue."
	exceeded       = "API rate limit exceeded for user ID 1."
	secondaryLimit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	graphqlURL     = ` \(https://api\.github\.com/graphql\)\n`
)

func serverFacts() []Fact {
	return []Fact{
		{
			Name: "502",
			Fault: Fault{
				Name:    "502",
				GraphQL: Reply{Status: http.StatusBadGateway, Body: `{"data":null,"errors":[{"message":"` + somethingWrong + `"}]}`},
				REST:    message(http.StatusBadGateway, "Server Error"),
			},
			Prints: map[string]Outcome{
				"graphql": failed(`^HTTP 502: Something went wrong while executing your query\..*` + graphqlURL + `$`),
				"api":     refused(`^gh: Server Error \(HTTP 502\)\n$`),
			},
		},
		fact("502-html",
			Reply{Status: http.StatusBadGateway, Body: "<html><body><h1>502 Bad Gateway</h1></body></html>"},
			map[string]Outcome{
				"graphql": failed(`^HTTP 502: 502 Bad Gateway` + graphqlURL + `$`),
				"api":     refused(`^gh: HTTP 502\n$`),
			}),
		{
			Name: "graphql",
			Fault: Fault{Name: "graphql", GraphQL: Reply{
				Body: `{"data":null,"errors":[{"message":"` + somethingWrong + `"}]}`,
			}},
			Prints: map[string]Outcome{"graphql": failed(`^GraphQL: Something went wrong while executing your query\..*\n$`)},
		},
		fact("304", Reply{Status: http.StatusNotModified}, map[string]Outcome{
			"graphql": failed(`HTTP 304`),
			"api":     failed(`^gh: HTTP 304\n$`),
		}),
	}
}

// pageFacts returns faults that hit every page after the first. The view commands read
// later pages by another request and word its errors differently.
func pageFacts() []Fact {
	limit := laterPages("page-2-rate-limit", message(http.StatusForbidden, exceeded), queryErrors("RATE_LIMITED", exceeded),
		`^GraphQL: API rate limit exceeded`, `^(Message|GraphQL): API rate limit exceeded`)
	limit.Fault.usesUp = true
	return []Fact{
		laterPages("page-2", message(http.StatusBadGateway, "Server Error"), Reply{},
			`^HTTP 502: Server Error`+graphqlURL+`$`, `^non-200 OK status code: 502 Bad Gateway body: `),
		laterPages("page-2-401", message(http.StatusUnauthorized, "Bad credentials"), Reply{},
			`^HTTP 401: Bad credentials`, `^non-200 OK status code: 401 Unauthorized body: `),
		laterPages("page-2-429", message(http.StatusTooManyRequests, secondaryLimit), Reply{},
			`^HTTP 429: You have exceeded`, `^non-200 OK status code: 429 Too Many Requests body: .*secondary rate limit`),
		limit,
		laterPagesEmpty(),
	}
}

// laterPages returns a fault of later pages with gh's messages in lists and views. A
// non-zero graphql replaces reply for the GraphQL API.
func laterPages(name string, reply, graphql Reply, list, view string) Fact {
	paginated := Outcome{Exit: 1, Stdout: `(?s)^\[.*"node_id".*"message":`, Stderr: `^gh: .* \(HTTP \d+\)\n`}
	f := fact(name, reply, map[string]Outcome{
		"issue list":          failed(list),
		"pr list":             failed(list),
		"issue view":          failed(view),
		"pr view":             failed(view),
		"pr view state":       {Stdout: `"state":"OPEN"`},
		"api reviews":         paginated,
		"api review-comments": paginated,
	})
	if !graphql.isZero() {
		f.Fault.GraphQL = graphql
	}
	f.Fault.LaterPages = true
	return f
}

// laterPagesEmpty answers later pages without data. Except for issues, gh then takes
// the first page for the whole list and prints no error.
func laterPagesEmpty() Fact {
	f := fact("page-2-null", Reply{Body: `{"data":null}`}, map[string]Outcome{
		"issue list":          failed(`^the 'octo/a' repository has disabled issues\n$`),
		"pr list":             {Stdout: `^\[.*"number":1101`},
		"issue view":          {Exit: 2, Stderr: `^panic: runtime error: invalid memory address`},
		"pr view":             {Stdout: `^\{"comments":\[\{`},
		"pr view state":       {Stdout: `"state":"OPEN"`},
		"api reviews":         {Stdout: `(?s)^\[.*"node_id".*\{"data":null\}`},
		"api review-comments": {Stdout: `(?s)^\[.*"node_id".*\{"data":null\}`},
	})
	f.Fault.LaterPages = true
	return f
}

func loginFacts() []Fact {
	loggedOut := map[string]Outcome{
		"graphql": {Exit: 4, Stderr: `^To get started with GitHub CLI, please run:  gh auth login\n.*GH_TOKEN`},
	}
	loggedOut["api"] = loggedOut["graphql"]
	badHeader := map[string]Outcome{
		"graphql": failed(`net/http: invalid header field value for "Authorization"`),
	}
	badHeader["api"] = badHeader["graphql"]
	sso := message(http.StatusForbidden, "Resource protected by organization SAML enforcement. "+
		"You must grant your OAuth token access to this organization.")
	sso.Header = map[string]string{
		"X-GitHub-SSO": "required; url=https://github.com/orgs/octo/sso?authorization_request=SECRET0123456789",
	}
	return []Fact{
		fact("401", message(http.StatusUnauthorized, "Bad credentials"), map[string]Outcome{
			"graphql": failed(`^HTTP 401: Bad credentials` + graphqlURL + `Try authenticating with:  gh auth login`),
			"api":     refused(`^gh: Bad credentials \(HTTP 401\)\n`),
		}),
		{Name: "no-login", Env: []string{"GH_TOKEN=", "GH_ENTERPRISE_TOKEN="}, Prints: loggedOut},
		{Name: "bad-token", Env: []string{"GH_TOKEN=line one\nline two"}, Prints: badHeader},
		fact("sso", sso, map[string]Outcome{
			"graphql": failed(`^HTTP 403: Resource protected by organization SAML enforcement\..*` + graphqlURL +
				`Authorize in your web browser:  https://github\.com/orgs/octo/sso\?authorization_request=SECRET`),
			"api": refused(`^gh: Resource protected by organization SAML enforcement\..* \(HTTP 403\)\n`),
		}),
	}
}

func limitFacts() []Fact {
	forbidden := message(http.StatusForbidden, exceeded)
	forbidden.Header = map[string]string{"X-RateLimit-Remaining": "0"}
	primary := func(name, text string) Fact {
		return Fact{
			Name:  name,
			Fault: Fault{Name: name, GraphQL: queryErrors("RATE_LIMITED", text), REST: forbidden, usesUp: true},
			Prints: map[string]Outcome{
				"graphql": failed(`^GraphQL: API rate limit (already )?exceeded for user ID 1\.`),
				"api":     refused(`^gh: API rate limit exceeded for user ID 1\. \(HTTP 403\)\n$`),
			},
		}
	}
	secondary := func(name string, status int) Fact {
		reply := message(status, secondaryLimit)
		reply.Header = map[string]string{"Retry-After": "60"}
		code := map[int]string{http.StatusForbidden: "403", http.StatusTooManyRequests: "429"}[status]
		return fact(name, reply, map[string]Outcome{
			"graphql": failed(`^HTTP ` + code + `: You have exceeded a secondary rate limit\..*` + graphqlURL + `$`),
			"api":     refused(`^gh: You have exceeded a secondary rate limit\..* \(HTTP ` + code + `\)\n$`),
		})
	}
	refused403 := fact("rate-limit-403", forbidden, map[string]Outcome{
		"graphql": failed(`^HTTP 403: API rate limit exceeded for user ID 1\.` + graphqlURL + `$`),
		"api":     refused(`^gh: API rate limit exceeded for user ID 1\. \(HTTP 403\)\n$`),
	})
	refused403.Fault.usesUp = true
	return []Fact{
		primary("rate-limit", exceeded),
		primary("rate-limit-already", "API rate limit already exceeded for user ID 1."),
		refused403,
		secondary("secondary", http.StatusForbidden),
		secondary("429", http.StatusTooManyRequests),
	}
}

func repositoryFacts() []Fact {
	return []Fact{
		{
			Name:  "no-repo",
			Fault: Fault{Name: "no-repo", bend: func(r *Repo) *bool { return &r.gone }},
			Prints: map[string]Outcome{
				"graphql":             failed(`^GraphQL: Could not resolve to a Repository with the name 'octo/a'\. \(repository\)\n$`),
				"pr list --label":     {Stdout: `^\[\]\n$`},
				"api issue":           refused(`^gh: Not Found \(HTTP 404\)\n$`),
				"api reviews":         refused(`^gh: Not Found \(HTTP 404\)\n$`),
				"api review-comments": refused(`^gh: Not Found \(HTTP 404\)\n$`),
			},
		},
		{
			Name:  "disabled",
			Fault: Fault{Name: "disabled", bend: func(r *Repo) *bool { return &r.issuesOff }},
			Prints: map[string]Outcome{
				"issue list": failed(`^the 'octo/a' repository has disabled issues\n$`),
				"issue view": failed(`^the 'octo/a' repository has disabled issues\n$`),
				"repo view":  {Stdout: `"hasIssuesEnabled":false`},
				"api issue":  refused(`^gh: Issues are disabled for this repo \(HTTP 410\)\n$`),
			},
		},
	}
}

// brokenFacts returns answers that look like success.
func brokenFacts() []Fact {
	noData := func(api Outcome) map[string]Outcome {
		return map[string]Outcome{
			"issue list":    failed(`^the 'octo/a' repository has disabled issues\n$`),
			"pr list":       {Stdout: `^\[\]\n$`},
			"issue view":    failed(`^issue was not found but GraphQL reported no error\n$`),
			"pr view":       {Stdout: `^\{"comments":null\}\n$`},
			"pr view state": {Stdout: `^\{"number":0,"state":""\}\n$`},
			"repo view":     failed(`^GraphQL: Could not resolve to a Repository with the name 'octo/a'\.`),
			"api":           api,
		}
	}
	cut := map[string]Outcome{
		"graphql": failed(`^unexpected end of JSON input\n$`),
		"api":     {Stdout: `^\[\{"node_id":"MDE`},
	}
	empty := map[string]Outcome{
		"graphql": failed(`^unexpected end of JSON input\n$`),
		"api":     {},
	}
	return []Fact{
		fact("no-data", Reply{Body: `{}`}, noData(Outcome{Stdout: `^\{\}`})),
		fact("null", Reply{Body: `{"data":null}`}, noData(Outcome{Stdout: `^\{"data":null\}`})),
		fact("204", Reply{Status: http.StatusNoContent}, noData(Outcome{})),
		fact("cut", Reply{Body: `[{"node_id":"MDE`}, cut),
		fact("empty", Reply{Status: http.StatusOK}, empty),
		fact("html", Reply{Body: "<html><body>Please log in to the airport's network</body></html>"}, map[string]Outcome{
			"graphql": failed(`^invalid character '<' looking for beginning of value\n$`),
			"api":     {Stdout: `^<html>`},
		}),
		nullNode(),
	}
}

// nullNode returns one null item, as a search does for an item that is deleted from
// the database but still in the index.
func nullNode() Fact {
	found := Outcome{Stdout: `"number":0,"title":"","updatedAt":"0001-01-01T00:00:00Z"`}
	return Fact{
		Name:   "null-node",
		Fault:  Fault{Name: "null-node", bend: func(r *Repo) *bool { return &r.nullNode }},
		Prints: map[string]Outcome{"issue list --label": found, "pr list --label": found},
	}
}

func wireFacts() []Fact {
	lost := func(name, text string) Fact {
		return fact(name, Reply{Wire: Wire(name)}, map[string]Outcome{
			"graphql": failed(`^Post "https://api\.github\.com/graphql": ` + text + `\n$`),
			"api":     failed(`^Get "https://api\.github\.com/.*": ` + text + `\n$`),
		})
	}
	return []Fact{
		lost("reset", `.*connection reset by peer`),
		lost("eof", `EOF`),
		fact("cut-off", Reply{Body: `{"data":`, Wire: Cut}, map[string]Outcome{
			"graphql": failed(`^unexpected EOF\n$`),
			"api":     {Exit: 1, Stdout: ".", Stderr: `^unexpected EOF\n$`},
		}),
		fact("hang", Reply{Wire: Hang}, map[string]Outcome{"graphql": {Hangs: true}, "api": {Hangs: true}}),
	}
}
