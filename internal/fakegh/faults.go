package fakegh

import "strings"

// fault is what gh prints when something goes wrong. In its texts {repo} stands
// for the repository and {graphql} for the address that gh appends.
type fault struct {
	code   int    // exit code of issue, pr and repo commands, and of api
	stderr string // of those commands
	stdout string
	api    string // stderr of gh api
	apiOut string // stdout of gh api
	apiOK  bool   // gh api exits 0, printing apiOut
	// pulls: gh pr list takes the answer for an empty list and exits 0.
	pullsEmpty bool
	hang       bool
}

const (
	graphqlAddress = " (https://api.github.com/graphql)"
	noLoginText    = "To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token."
	noRepoText     = "GraphQL: Could not resolve to a Repository with the name '{repo}'. (repository)"
	ssoText        = "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization."
)

// faults are the measured ones; gh 2.23 and 2.60 print them alike.
var faults = map[string]fault{
	"502":        {code: 1, stderr: "HTTP 502: Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.{graphql}", api: "gh: Server Error (HTTP 502)", apiOut: `{"message":"Server Error"}`},
	"502-html":   {code: 1, stderr: "HTTP 502: 502 Bad Gateway{graphql}", api: "gh: HTTP 502", apiOut: "<html>502 Bad Gateway</html>"},
	"401":        {code: 1, stderr: "HTTP 401: Bad credentials{graphql}\nTry authenticating with:  gh auth login", api: "gh: Bad credentials (HTTP 401)", apiOut: `{"message":"Bad credentials"}`},
	"no-login":   {code: 4, stderr: noLoginText, api: noLoginText},
	"newline":    {code: 1, stderr: `Post "https://api.github.com/graphql": net/http: invalid header field value for "Authorization"`, api: `Get "https://api.github.com/user": net/http: invalid header field value for "Authorization"`},
	"sso":        {code: 1, stderr: "HTTP 403: " + ssoText + "{graphql}\nAuthorize in your web browser:  https://github.com/orgs/octo/sso?authorization_request=A1B2C3SECRET", api: "gh: " + ssoText + " (HTTP 403)", apiOut: `{"message":"SAML"}`},
	"rate-limit": {code: 1, stderr: "GraphQL: API rate limit exceeded for user ID 1.", api: "gh: API rate limit exceeded for user ID 1. (HTTP 403)", apiOut: `{"message":"API rate limit exceeded"}`},
	"secondary":  {code: 1, stderr: "HTTP 403: You have exceeded a secondary rate limit. Please wait a few minutes before you try again.{graphql}", api: "gh: You have exceeded a secondary rate limit. (HTTP 403)", apiOut: `{"message":"secondary"}`},
	"429":        {code: 1, stderr: "HTTP 429: You have exceeded a secondary rate limit.{graphql}", api: "gh: You have exceeded a secondary rate limit. (HTTP 429)", apiOut: `{"message":"secondary"}`},
	"no-repo":    {code: 1, stderr: noRepoText, api: "gh: Not Found (HTTP 404)", apiOut: `{"message":"Not Found"}`, pullsEmpty: true},
	"no-data":    {code: 1, stderr: "the '{repo}' repository has disabled issues", apiOut: "{}", apiOK: true, pullsEmpty: true},
	"disabled":   {code: 1, stderr: "the '{repo}' repository has disabled issues", api: "gh: Issues are disabled for this repo (HTTP 410)", apiOut: `{"message":"Issues are disabled for this repo"}`, pullsEmpty: true},
	"cut":        {code: 1, stderr: "unexpected end of JSON input", apiOut: `{"number":`, apiOK: true},
	"html":       {code: 1, stderr: "invalid character '<' looking for beginning of value", apiOut: "<html>Welcome to Hotel WiFi</html>", apiOK: true},
	"reset":      {code: 1, stderr: `Post "https://api.github.com/graphql": read tcp 10.0.0.1:5000->10.0.0.2:443: read: connection reset by peer`, api: `Get "https://api.github.com/": read: connection reset by peer`},
	"eof":        {code: 1, stderr: `Post "https://api.github.com/graphql": EOF`, api: `Get "https://api.github.com/": EOF`},
	"dns":        {code: 1, stderr: "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com", api: "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com"},
	"graphql":    {code: 1, stderr: "GraphQL: Something went wrong while executing your query. Please include `A1B2:C3D4` when reporting this issue.", api: "gh: Server Error (HTTP 500)"},
	"ghost":      {stdout: `[{"number":0,"title":"","url":"","labels":[],"updatedAt":"0001-01-01T00:00:00Z","author":{"login":""}}]`},
	"empty":      {apiOK: true},
	"null":       {stdout: "null", apiOut: "null", apiOK: true},
	"[]-exit-1":  {code: 1, stdout: "[]", apiOut: "[]"},
	"token":      {code: 1, stderr: "HTTP 502: upstream said ghp_0123456789abcdefghij0123456789abcdef and https://bob:hunter2@proxy.corp/x{graphql}", api: "gh: ghp_0123456789abcdefghij0123456789abcdef (HTTP 502)"},
	"escape":     {code: 1, stderr: "HTTP 502: \x1b[31mred\x1b[0m\ndegraded: octo/forged \u202egnihton", api: "gh: \x1b[2J (HTTP 502)"},
	"hang":       {hang: true},
}

// reply is what this call gets of a fault.
func (f fault) reply(c call) reply {
	text := strings.NewReplacer("{repo}", c.repo, "{graphql}", graphqlAddress).Replace(f.stderr)
	switch {
	case c.api() && f.apiOK:
		return reply{stdout: f.apiOut}
	case c.api():
		return reply{code: f.code, stdout: f.apiOut, stderr: f.api, hang: f.hang}
	case f.pullsEmpty && c.name == "pr list" && len(c.labels) > 0:
		return reply{stdout: "[]"}
	}
	return reply{code: f.code, stdout: f.stdout, stderr: text, hang: f.hang}
}
