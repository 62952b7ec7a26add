package gh

import (
	"errors"
	"io/fs"
	"testing"
)

func TestCauseOf(t *testing.T) {
	exited := func(code int, stderr string) error {
		return ExitError([]string{"issue", "list", "--repo"}, code, stderr)
	}
	for _, tt := range []struct {
		name string
		err  error
		want Cause
	}{
		{"exit 4", exited(4, "To get started with GitHub CLI, please run: gh auth login"), NoLogin},
		{"bad token", exited(1, "HTTP 401: Bad credentials (https://api.github.com/graphql)"), NoLogin},
		{"bad token, worded by a cold 2.83", exited(1, `non-200 OK status code: 401 Unauthorized body: "{}"`), NoLogin},
		{"quota", exited(1, "GraphQL: API rate limit exceeded for user ID 1."), RateLimit},
		{"secondary limit", exited(1, "HTTP 403: You have exceeded a secondary rate limit."), RateLimit},
		{"abuse", exited(1, "HTTP 403: You have triggered an abuse detection mechanism."), RateLimit},
		{"no rate limit", exited(1, "no rate limit configured"), NoCause},
		{"old field", exited(1, `Unknown JSON field: "isDraft" Available fields: author`), OldGH},
		{"old flag", exited(1, "unknown flag: --paginate"), OldGH},
		{"configuration of an older gh that cannot be migrated", exited(1, "failed to write config after migration: open /home/me/.config/gh/hosts.yml: permission denied"), GHConfig},
		{"configuration of another user", exited(1, "failed to create root command: failed to read configuration: open /home/me/.config/gh/hosts.yml: permission denied"), GHConfig},
		{"single sign-on", exited(1, "HTTP 403: Resource protected by organization SAML enforcement."), SSO},
		{"DNS", exited(1, "error connecting to api.github.com\ncheck your internet connection"), NoNetwork},
		{"no route", exited(1, `Post "https://api.github.com/graphql": dial tcp 1.2.3.4:443: connect: network is unreachable`), NoNetwork},
		{"bad gateway", exited(1, "HTTP 502: 502 Bad Gateway"), NoCause},
		{"not executable", startError(&fs.PathError{Op: "fork/exec", Path: "/opt/gh", Err: fs.ErrPermission}), NoGH},
		{"out of processes", startError(errors.New("resource temporarily unavailable")), NoCause},
		{"another error", errors.New("HTTP 401"), NoCause},
	} {
		if got := CauseOf(tt.err); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := lookPath("no-such-gh-anywhere"); CauseOf(err) != NoGH {
		t.Errorf("a gh that is nowhere: got %q, error %v", CauseOf(err), err)
	}
}
