package fakegh

import (
	"fmt"
	"slices"
	"strings"
)

// fault holds gh's output when something goes wrong. In its texts {repo} stands
// for the repository without its host, {graphql} for the address that gh appends,
// and {post} and {get} for the beginning of a connection error.
type fault struct {
	code   int    // exit code of issue, pr and repo commands, and of api
	stderr string // of those commands
	stdout string
	// listing replaces stderr for gh issue list on an Enterprise server: gh asks
	// for the server's features first and words that failure differently.
	listing string
	api     string // stderr of gh api
	apiOut  string // stdout of gh api
	apiOK   bool   // gh api exits 0, printing apiOut
	// calls holds the replies that differ, by the call's name; "pr list --label"
	// comes before "pr list".
	calls map[string]reply
	// spares names the calls that the fault never hits, "api" for all of gh api.
	spares []string
	hang   bool
}

const (
	noLoginText  = "To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token."
	noRepoText   = "GraphQL: Could not resolve to a Repository with the name '{repo}'."
	ssoText      = "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization."
	wrongText    = "Something went wrong while executing your query. Please include `0000:0000` when reporting this issue."
	limitText    = "API rate limit exceeded for user ID 1."
	secondText   = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	disabledText = "the '{repo}' repository has disabled issues"
	headerText   = `net/http: invalid header field value for "Authorization"`
	gatewayHTML  = "<html><body><h1>502 Bad Gateway</h1></body></html>"
	portalHTML   = "<html><body>Please log in to the airport's network</body></html>"
)

// body is an error of the REST API.
func body(message string) string {
	return `{"documentation_url":"https://docs.github.com/rest","message":"` + message + `"}`
}

// notOK is gh's error text for the first request of a listing on an Enterprise
// server.
func notOK(status, body string) string {
	return fmt.Sprintf("non-200 OK status code: %s body: %q", status, body)
}

// An item that the search finds and the database has lost.
const (
	goneIssue = `[{"author":{"is_bot":true,"login":"app/"},"labels":null,"number":0,"title":"","updatedAt":"0001-01-01T00:00:00Z","url":""}]` + "\n"
	gonePull  = `[{"author":{"is_bot":true,"login":"app/"},"body":"","headRefName":"","isCrossRepository":false,"isDraft":false,"labels":null,"number":0,"title":"","updatedAt":"0001-01-01T00:00:00Z","url":""}]` + "\n"
)

// faults returns them by name. Tests compare those that ghdouble.Facts has with a
// real gh. The others were measured where no double can cause them, or come from a
// program that is called gh and is none.
func faults() map[string]fault {
	return map[string]fault{
		"502":        {code: 1, stderr: "HTTP 502: " + wrongText + "{graphql}", listing: notOK("502 Bad Gateway", `{"data":null,"errors":[{"message":"`+wrongText+`"}]}`), api: "gh: Server Error (HTTP 502)", apiOut: body("Server Error")},
		"502-html":   {code: 1, stderr: "HTTP 502: 502 Bad Gateway{graphql}", listing: notOK("502 Bad Gateway", gatewayHTML), api: "gh: HTTP 502", apiOut: gatewayHTML},
		"401":        {code: 1, stderr: "HTTP 401: Bad credentials{graphql}\nTry authenticating with:  gh auth login", listing: notOK("401 Unauthorized", body("Bad credentials")), api: "gh: Bad credentials (HTTP 401)", apiOut: body("Bad credentials")},
		"no-login":   {code: 4, stderr: noLoginText, api: noLoginText},
		"newline":    {code: 1, stderr: "{post}" + headerText, api: "{get}" + headerText},
		"sso":        {code: 1, stderr: "HTTP 403: " + ssoText + "{graphql}\nAuthorize in your web browser:  https://github.com/orgs/octo/sso?authorization_request=SECRET0123456789", listing: notOK("403 Forbidden", body(ssoText)) + "\nAuthorize in your web browser:  https://github.com/orgs/octo/sso?authorization_request=SECRET0123456789", api: "gh: " + ssoText + " (HTTP 403)", apiOut: body(ssoText)},
		"rate-limit": {code: 1, stderr: "GraphQL: " + limitText, listing: "Message: " + limitText + ", Locations: []", api: "gh: " + limitText + " (HTTP 403)", apiOut: body(limitText)},
		"secondary":  {code: 1, stderr: "HTTP 403: " + secondText + "{graphql}", listing: notOK("403 Forbidden", body(secondText)), api: "gh: " + secondText + " (HTTP 403)", apiOut: body(secondText)},
		"429":        {code: 1, stderr: "HTTP 429: " + secondText + "{graphql}", listing: notOK("429 Too Many Requests", body(secondText)), api: "gh: " + secondText + " (HTTP 429)", apiOut: body(secondText)},
		"no-repo": {code: 1, stderr: noRepoText + " (repository)", api: "gh: Not Found (HTTP 404)", apiOut: body("Not Found"), spares: []string{"api user", "api rate_limit"},
			calls: map[string]reply{"pr list --label": {stdout: "[]\n"}}},
		"no-data": {code: 1, stderr: disabledText, apiOut: "{}", apiOK: true, calls: map[string]reply{
			"pr list": {stdout: "[]\n"}, "issue view": {code: 1, stderr: "issue was not found but GraphQL reported no error"},
			"pr view": {stdout: `{"comments":null}` + "\n"}, "repo view": {code: 1, stderr: noRepoText},
		}},
		"disabled":  {code: 1, stderr: disabledText, api: "gh: Issues are disabled for this repo (HTTP 410)", apiOut: body("Issues are disabled for this repo"), spares: []string{"pr list", "pr view", "repo view", "api reviews", "api inline", "api user", "api rate_limit"}},
		"missing":   {code: 1, stderr: "HTTP 404: Not Found{graphql}", api: "gh: Not Found (HTTP 404)", apiOut: `{"message":"Not Found"}`},
		"deleted":   {code: 1, stderr: "HTTP 410: Gone{graphql}", api: "gh: This issue was deleted (HTTP 410)", apiOut: `{"message":"This issue was deleted"}`},
		"app-token": {code: 1, stderr: "GraphQL: Resource not accessible by integration (viewer)", api: "gh: Resource not accessible by integration (HTTP 403)", apiOut: `{"message":"Resource not accessible by integration"}`},
		"no-limits": {code: 1, stderr: "HTTP 404: Not Found{graphql}", api: "gh: Rate limiting is not enabled. (HTTP 404)", apiOut: `{"message":"Rate limiting is not enabled."}`},
		"cut":       {code: 1, stderr: "unexpected end of JSON input", listing: "unexpected EOF", apiOut: `[{"node_id":"MDE`, apiOK: true},
		"html":      {code: 1, stderr: "invalid character '<' looking for beginning of value", apiOut: portalHTML, apiOK: true},
		"reset":     {code: 1, stderr: "{post}read tcp 10.0.0.1:5000->10.0.0.2:443: read: connection reset by peer", api: "{get}read tcp 10.0.0.1:5000->10.0.0.2:443: read: connection reset by peer"},
		"eof":       {code: 1, stderr: "{post}EOF", api: "{get}EOF"},
		"dns":       {code: 1, stderr: "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com", api: "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com"},
		"graphql":   {code: 1, stderr: "GraphQL: " + wrongText, listing: "Message: " + wrongText + ", Locations: []", spares: []string{"api"}},
		"ghost":     {stdout: goneIssue, calls: map[string]reply{"pr list": {stdout: gonePull}}, spares: []string{"issue view", "pr view", "repo view", "api"}},
		"empty":     {apiOK: true},
		"null":      {stdout: "null", apiOut: "null", apiOK: true},
		"[]-exit-1": {code: 1, stdout: "[]", apiOut: "[]"},
		"token":     {code: 1, stderr: "HTTP 502: upstream said ghp_0123456789abcdefghij0123456789abcdef and https://bob:hunter2@proxy.corp/x{graphql}", api: "gh: ghp_0123456789abcdefghij0123456789abcdef (HTTP 502)"},
		"escape":    {code: 1, stderr: "HTTP 502: \x1b[31mred\x1b[0m\ndegraded: octo/forged \u202egnihton", api: "gh: \x1b[2J (HTTP 502)"},
		"hang":      {hang: true},
	}
}

// reply returns the fault's reply to a call. It fails for a call that the fault
// would not hit in the real gh.
func (f fault) reply(c call) (reply, error) {
	r := reply{code: f.code, stdout: f.stdout, stderr: f.stderr, hang: f.hang}
	special, ok := f.special(c)
	switch {
	case slices.Contains(f.spares, c.name) || c.api() && slices.Contains(f.spares, "api"):
		return reply{}, fmt.Errorf("this fault does not concern %s", c.name)
	case ok:
		r = special
	case c.api() && f.apiOK:
		r = reply{stdout: f.apiOut}
	case c.api():
		r.stdout, r.stderr = f.apiOut, f.api
	case f.listing != "" && c.name == "issue list" && c.host() != defaultHost:
		r.stderr = f.listing
	}
	r.stderr = f.fill(c, r.stderr)
	return r, nil
}

// special returns the reply that the fault keeps for one call.
func (f fault) special(c call) (reply, bool) {
	if len(c.labels) > 0 {
		if r, ok := f.calls[c.name+" --label"]; ok {
			return r, true
		}
	}
	r, ok := f.calls[c.name]
	return r, ok
}

// fill replaces the places of a text with the call's repository and addresses.
func (f fault) fill(c call, text string) string {
	graphql, rest := "https://api.github.com/graphql", "https://api.github.com/"
	if host := c.host(); host != defaultHost {
		graphql, rest = "https://"+host+"/api/graphql", "https://"+host+"/api/v3/"
	}
	repo := c.repo
	if strings.Count(repo, "/") > 1 {
		_, repo, _ = strings.Cut(repo, "/")
	}
	return strings.NewReplacer(
		"{repo}", repo, "{graphql}", " ("+graphql+")",
		"{post}", fmt.Sprintf("Post %q: ", graphql), "{get}", fmt.Sprintf("Get %q: ", rest+c.path),
	).Replace(text)
}
