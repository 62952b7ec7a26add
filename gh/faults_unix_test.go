//go:build unix

package gh

import (
	"errors"
	"strings"
	"testing"
)

const graphQL = " (https://api.github.com/graphql)"

// longList is what gh prints after an unknown field.
var longList = strings.Repeat("\n  fieldName", 18)

// TestListFaults goes through every fault of issue list, pr list and view.
func TestListFaults(t *testing.T) {
	tests := []struct {
		name, stderr string
		code         int
		said         string // what the text says after the exit status; "" for stderr as it is
		class        Class
	}{
		{"502 JSON", "HTTP 502: Something went wrong while executing your query. Please include `A1` when reporting." + graphQL, 1, "", Transient},
		{"502 HTML", "HTTP 502: 502 Bad Gateway" + graphQL, 1, "", Transient},
		{"bad token", "HTTP 401: Bad credentials" + graphQL + "\nTry authenticating with:  gh auth login", 1,
			"HTTP 401: Bad credentials" + graphQL + " Try authenticating with: gh auth login", Unauthenticated},
		{"bad token on a later page", `non-200 OK status code: 401 Unauthorized body: "{\"message\":\"Bad credentials\"}"`, 1, "", Unauthenticated},
		{"anonymous", "HTTP 401: This endpoint requires you to be authenticated." + graphQL, 1, "", Unauthenticated},
		{"no login", "To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.", 4,
			"To get started with GitHub CLI, please run: gh auth login Alternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.", Unauthenticated},
		{"exit 4 says it all", "", 4, "\x00", Unauthenticated},
		{"token with a newline", `Post "https://api.github.com/graphql": net/http: invalid header field value for "Authorization"`, 1, "", Unauthenticated},
		{"single sign-on", "HTTP 403: Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization." + graphQL +
			"\nAuthorize in your web browser:  https://github.com/orgs/octo/sso?authorization_request=SECRET", 1,
			"HTTP 403: Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization." + graphQL +
				" Authorize in your web browser: https://github.com/orgs/octo/sso?[redacted]", Transient},
		{"primary limit", "GraphQL: API rate limit exceeded for user ID 1.", 1, "", RateLimited},
		{"primary limit, already", "GraphQL: API rate limit already exceeded for user ID 1.", 1, "", RateLimited},
		{"primary limit, REST", "HTTP 403: API rate limit exceeded for user ID 1." + graphQL, 1, "", RateLimited},
		{"primary limit, by type", "GraphQL: RATE_LIMITED", 1, "", RateLimited},
		{"primary limit on a later page", "Message: API rate limit exceeded for user ID 1., Locations: []", 1, "", RateLimited},
		{"primary limit on a later page, REST", `non-200 OK status code: 403 Forbidden body: "{\"message\":\"API rate limit exceeded for user ID 1.\"}"`, 1, "", RateLimited},
		{"429 on a later page", `non-200 OK status code: 429 Too Many Requests body: "{}"`, 1, "", RateLimited},
		{"502 on a later page", `non-200 OK status code: 502 Bad Gateway body: "status 401 of 429"`, 1, "", Transient},
		{"a conversation without data", "issue was not found but GraphQL reported no error", 1, "", Transient},
		{"secondary limit", "HTTP 403: You have exceeded a secondary rate limit. Please wait a few minutes before you try again." + graphQL, 1, "", RateLimited},
		{"secondary limit, old words", "HTTP 403: You have triggered an abuse detection mechanism." + graphQL, 1, "", RateLimited},
		{"429", "HTTP 429: 429 Too Many Requests" + graphQL, 1, "", RateLimited},
		{"429 without words", "HTTP 429" + graphQL, 1, "", RateLimited},
		{"no such repository", "GraphQL: Could not resolve to a Repository with the name 'acme/widgets'. (repository)", 1, "", Transient},
		{"a name like a limit", "GraphQL: Could not resolve to a Repository with the name 'acme/RATE_LIMITED'. (repository)", 1, "", Transient},
		{"a name like a status", "GraphQL: Could not resolve to a Repository with the name 'acme/http-429'. (repository)", 1, "", Transient},
		{"cut JSON", "unexpected end of JSON input", 1, "", Transient},
		{"captive portal", "invalid character '<' looking for beginning of value", 1, "", Transient},
		{"reset", `Post "https://api.github.com/graphql": read tcp 10.0.0.1:55102->140.82.121.6:443: read: connection reset by peer`, 1, "", Transient},
		{"EOF", `Post "https://api.github.com/graphql": EOF`, 1, "", Transient},
		{"stream error", `Post "https://api.github.com/graphql": stream error: stream ID 1; INTERNAL_ERROR; received from peer`, 1, "", Transient},
		{"DNS", "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com", 1,
			"error connecting to api.github.com check your internet connection or https://githubstatus.com", Transient},
		{"server error in GraphQL", "GraphQL: Something went wrong while executing your query. Please include `A1` when reporting this issue.", 1, "", Transient},
		{"unknown field", "Unknown JSON field: \"author\"\nAvailable fields:" + longList, 1,
			"Unknown JSON field: \"author\" Available fields:" + strings.ReplaceAll(longList, "\n  ", " "), Transient},
		{"cancelled", "", 2, "\x00", Transient},
		{"silent", "", 1, "\x00", Transient},
		{"blank", " \n\t\n", 1, "\x00", Transient},
		{"a crash", "panic: runtime error\n\ngoroutine 1 [running]:\nmain.main()", 2, "panic: runtime error goroutine 1 [running]: main.main()", Transient},
		{"a token", "bad token ghp_0123456789abcdefghijABCDEFGHIJ012345 for https://me:pw@ghe.example.com", 1,
			"bad token [redacted] for https://[redacted]@ghe.example.com", Transient},
		{"a token with something hidden in it", "bad token ghp_01234567\u200b89abcdefghijABCDEFGHIJ012345", 1, "bad token [redacted]", Transient},
		{"control characters", "\x1b[31mHTTP 502\x1b[0m\x07\u202e", 1, "HTTP 502", Transient},
		{"colours in words", "HTTP \x1b[1;31m401\x1b[0m: Bad cre\u009b31mdentials", 1, "HTTP 401: Bad credentials", Unauthenticated},
		{"link", "see \x1b]8;;https://x.example/\x1b\\here\x1b]8;;\x07, \x1b]52;c;AAAA\x07, \x1b]0;never ended", 1, "see here, , ]0;never ended", Transient},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := ": " + tt.said
			switch tt.said {
			case "":
				said = ": " + tt.stderr
			case "\x00":
				said = " and printed nothing on stderr"
			}
			f := answering(t, "", tt.stderr, tt.code)
			status := " exited " + f.read("code")
			filter := Filter{Labels: []string{"the-loop"}, Limit: 10}
			_, _, issuesErr := f.Issues(t.Context(), repo, filter)
			_, _, pullsErr := f.PullRequests(t.Context(), repo, filter)
			_, viewErr := f.IssueComments(t.Context(), repo, 7)
			for command, err := range map[string]error{
				"gh issue list --repo": issuesErr, "gh pr list --repo": pullsErr, "gh issue view 7": viewErr,
			} {
				wantText(t, err, command+status+said)
				wantClass(t, err, tt.class)
				if got, want := NotResolvable(err), strings.Contains(tt.stderr, "resolve to a Repo"); got != want {
					t.Errorf("NotResolvable(%v) = %v, want %v", err, got, want)
				}
			}
		})
	}
}

// TestAPIFaults goes through every fault of gh api, which prints the error's
// body on stdout.
func TestAPIFaults(t *testing.T) {
	tests := []struct {
		name, stdout, stderr string
		code                 int
		class                Class
	}{
		{"502 JSON", `{"message":"Server Error"}`, "gh: Server Error (HTTP 502)", 1, Transient},
		{"502 HTML", "<html>", "gh: HTTP 502", 1, Transient},
		{"bad token", `{"message":"Bad credentials"}`, "gh: Bad credentials (HTTP 401)", 1, Unauthenticated},
		{"no login", "", "To get started with GitHub CLI, please run: gh auth login", 4, Unauthenticated},
		{"single sign-on", `{"message":"Resource protected"}`, "gh: Resource protected by organization SAML enforcement. (HTTP 403)", 1, Transient},
		{"primary limit", `{}`, "gh: API rate limit exceeded for user ID 1. (HTTP 403)", 1, RateLimited},
		{"secondary limit", `{}`, "gh: You have exceeded a secondary rate limit. (HTTP 403)", 1, RateLimited},
		{"429", `{}`, "gh: Too many (HTTP 429)", 1, RateLimited},
		{"not found", `{"message":"Not Found"}`, "gh: Not Found (HTTP 404)", 1, Transient},
		{"issues off", `{"message":"Issues are disabled for this repo"}`, "gh: Issues are disabled for this repo (HTTP 410)", 1, Transient},
		{"the words of issue list", "", "the 'acme/widgets' repository has disabled issues", 1, Transient},
		{"not modified", "", "gh: HTTP 304", 1, Transient},
		{"reset", "", `Get "https://api.github.com/user": EOF`, 1, Transient},
		{"page 2 fails", `[{"node_id":"R_1"}]{"message":"Server Error"}`, "gh: Server Error (HTTP 502)", 1, Transient},
		{"a fine answer and a bad exit", `{"number":5,"state":"closed"}`, "gh: HTTP 502", 1, Transient},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := answering(t, tt.stdout, tt.stderr, tt.code)
			said := " exited " + f.read("code") + ": " + tt.stderr
			_, stateErr := f.IssueState(t.Context(), repo, 5)
			_, reviewsErr := f.Reviews(t.Context(), repo, 5)
			_, loginErr := f.Login(t.Context(), "ghe.example.com")
			for err, host := range map[error]string{stateErr: "github.com", reviewsErr: "github.com", loginErr: "ghe.example.com"} {
				wantText(t, err, "gh api --hostname "+host+said)
				wantClass(t, err, tt.class)
			}
		})
	}
}

func TestIssuesDisabledIsOnlyForIssues(t *testing.T) {
	for _, stderr := range []string{
		"the 'acme/widgets' repository has disabled issues",
		"The 'acme/widgets' repository HAS DISABLED\n ISSUES",
	} {
		f := answering(t, "[]", stderr, 1)
		_, issuesErr := f.issues()
		_, _, pullsErr := f.PullRequests(t.Context(), repo, Filter{})
		_, viewErr := f.IssueComments(t.Context(), repo, 1)
		wantClass(t, issuesErr, IssuesDisabled)
		wantClass(t, pullsErr, Transient)
		wantClass(t, viewErr, Transient)
	}
	f := answering(t, "[]", "the 'acme/widgets' repository has disabled issues", 0)
	if _, err := f.issues(); err != nil {
		t.Errorf("Issues() with exit 0 = %v, want success", err)
	}
}

func wantClass(t *testing.T, err error, want Class) {
	t.Helper()
	if got := ClassOf(err); got != want {
		t.Errorf("class of %q = %v, want %v", err, got, want)
	}
}

func TestClassOfOtherErrors(t *testing.T) {
	wantClass(t, nil, Transient)
	wantClass(t, errors.New("API rate limit exceeded"), Transient)
	wrapped := errors.Join(errors.New("octo/repo-b"), &Error{Class: RateLimited})
	wantClass(t, wrapped, RateLimited)
	if NotResolvable(errors.New("Could not resolve to a Repository")) || NotResolvable(nil) {
		t.Error("NotResolvable is true of an error that is not gh's")
	}
	want := []string{"transient", "issues-disabled", "rate-limited", "unauthenticated"}
	for class, name := range want {
		if got := Class(class).String(); got != name {
			t.Errorf("Class(%d) = %q, want %q", class, got, name)
		}
	}
}
