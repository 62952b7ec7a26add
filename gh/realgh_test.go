//go:build unix

package gh

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
)

// These tests hold the client against the real gh, which talks to a double of
// GitHub's API. What gh makes of each fault is in ghdouble.Facts.

// realGH is a client of the real gh over the double, with variables of its own.
func realGH(t *testing.T, s *ghdouble.Server, timeout time.Duration, env ...string) *Client {
	t.Helper()
	return New(Options{Binary: s.Binary(t, ghdouble.RealGH(t), env...), Timeout: timeout})
}

// realCall is one call of the client, under the name that ghdouble.Calls gives
// what it asks of gh.
type realCall struct {
	name string
	// ask returns how many entries came.
	ask func(context.Context, *Client, ref.Repo) (int, error)
	// whole is how many entries there are.
	whole int
}

const crowd = 101 // of everything, see ghdouble.Repo.Crowd

func realCalls() []realCall {
	label := Filter{Labels: []string{"the-loop"}}
	return []realCall{
		{"issue list", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return listedBy(c.Issues(ctx, r, Filter{}))
		}, crowd},
		{"issue list --label", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return listedBy(c.Issues(ctx, r, label))
		}, crowd},
		{"pr list", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return listedBy(c.PullRequests(ctx, r, Filter{}))
		}, crowd},
		{"pr list --label", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return listedBy(c.PullRequests(ctx, r, label))
		}, crowd},
		{"issue view", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return count(c.IssueComments(ctx, r, 1))
		}, crowd},
		{"pr view", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return count(c.PullRequestComments(ctx, r, 1001))
		}, crowd},
		{"repo view", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return one(c.Repository(ctx, r))
		}, 1},
		{"api issue", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return one(c.IssueState(ctx, r, 1))
		}, 1},
		{"api reviews", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return count(c.Reviews(ctx, r, 1001))
		}, crowd},
		{"api review-comments", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return count(c.ReviewComments(ctx, r, 1001))
		}, crowd},
		{"api rate_limit", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return one(c.RateLimit(ctx, r.Host))
		}, 1},
		{"api user", func(ctx context.Context, c *Client, r ref.Repo) (int, error) {
			return one(c.Login(ctx, r.Host))
		}, 1},
	}
}

func listedBy[E any](all []E, _ int, err error) (int, error) { return len(all), err }

func count[E any](all []E, err error) (int, error) { return len(all), err }

func one[E any](_ E, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return 1, nil
}

// blindSpots are the answers that nothing tells from true ones, with how many
// entries they have. What relies on them has to ask further: an empty listing
// is no proof that a repository is there, and an absent item is none that it
// was closed.
var blindSpots = map[string]int{
	"no-repo/pr list --label":     0,
	"no-data/pr list":             0,
	"no-data/pr list --label":     0,
	"null/pr list":                0,
	"null/pr list --label":        0,
	"204/pr list":                 0,
	"204/pr list --label":         0,
	"page-2-null/pr list":         100,
	"page-2-null/pr list --label": 100,
}

// TestRealGHFaults makes every call under every fault: it fails, in its class,
// with one line that can be shown, or answers in full.
func TestRealGHFaults(t *testing.T) {
	ghdouble.RealGH(t)
	for _, fact := range ghdouble.Facts() {
		t.Run(fact.Name, func(t *testing.T) {
			t.Parallel()
			s := ghdouble.Start(t)
			s.Repo("octo/a").Crowd("the-loop")
			s.Fail(ghdouble.Match{}, fact.Fault)
			timeout := time.Minute
			if fact.Prints["api"].Hangs {
				timeout = time.Second / 5 // any, since gh never ends
			}
			c := realGH(t, s, timeout, fact.Env...)
			calls := ghdouble.Calls("octo/a", "the-loop", 1, 1001)
			for _, call := range realCalls() {
				for _, known := range calls {
					if known.Name == call.name {
						underFault(t, s, c, fact, known, call)
					}
				}
			}
			if !fact.Fault.LaterPages && len(fact.Env) == 0 {
				onEnterprise(t, s, c, fact)
			}
		})
	}
}

func underFault(t *testing.T, s *ghdouble.Server, c *Client, fact ghdouble.Fact, known ghdouble.Call, call realCall) {
	if _, concerned := fact.Outcome(known, false); !concerned && fact.Name != "disabled" {
		return // it goes as if there were no fault
	}
	got, err := call.ask(t.Context(), c, ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "a"})
	outcome, concerned := fact.Outcome(known, s.Count(ghdouble.Match{Kind: ghdouble.Introspect}) > 0)
	if entries, blind := blindSpots[fact.Name+"/"+call.name]; blind && outcome.Exit == 0 {
		if err != nil || got != entries {
			t.Errorf("%s: %d entries, %v; this blind spot is gone", call.name, got, err)
		}
		return
	}
	if err == nil {
		if got != call.whole {
			t.Errorf("%s: %d of %d entries are taken for an answer", call.name, got, call.whole)
		}
		if concerned && outcome.Exit != 0 {
			t.Errorf("%s: no error", call.name)
		}
		return
	}
	if !concerned {
		t.Errorf("%s: %v", call.name, err)
		return
	}
	wantShown(t, call.name, err)
	if got, want := ClassOf(err), classUnder(fact.Name, call.name, outcome); got != want {
		t.Errorf("%s: %v\nis %v, want %v", call.name, err, got, want)
	}
	var e *Error
	if !errors.As(err, &e) || e.Timeout != outcome.Hangs || e.ExitCode != outcome.Exit {
		t.Errorf("%s: %+v, want the exit status %d", call.name, e, outcome.Exit)
	}
	if want := strings.Contains(outcome.Stderr, "Could not resolve to a Repository"); NotResolvable(err) != want {
		t.Errorf("%s: %v: not resolvable %v, want %v", call.name, err, !want, want)
	}
}

// onEnterprise lists issues of an Enterprise server: gh asks it for its features
// first, and words a failure of that in another way.
func onEnterprise(t *testing.T, s *ghdouble.Server, c *Client, fact ghdouble.Fact) {
	s.Repo("ghe.example.com/octo/a").AddIssue(ghdouble.Item{Number: 1, Labels: []string{"the-loop"}})
	known := ghdouble.Call{Name: "issue list --label", Kind: ghdouble.IssueList}
	outcome, concerned := fact.Outcome(known, false)
	got, _, err := c.Issues(t.Context(), ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "a"}, Filter{Labels: []string{"the-loop"}})
	switch {
	case outcome.Exit == 0 && !outcome.Hangs || !concerned:
		if err != nil || len(got) != 1 {
			t.Errorf("on Enterprise: %d issues, %v, want 1", len(got), err)
		}
	case err == nil:
		t.Errorf("on Enterprise: %d issues and no error", len(got))
	default:
		want := classUnder(fact.Name, known.Name, outcome)
		if fact.Name != "disabled" && want == IssuesDisabled &&
			(fact.Name == "204" || s.Count(ghdouble.Match{Kind: ghdouble.Meta}) > 0) {
			want = Transient // there gh sees that the answer is none
		}
		wantShown(t, "on Enterprise", err)
		wantClass(t, err, want)
	}
}

// classUnder is the class of a call's failure. That issues are disabled is gh's
// word for a broken answer, too.
func classUnder(fact, call string, outcome ghdouble.Outcome) Class {
	if strings.HasPrefix(call, "issue list") && strings.Contains(outcome.Stderr, "has disabled issues") {
		return IssuesDisabled
	}
	switch fact {
	case "rate-limit", "rate-limit-already", "rate-limit-403", "secondary", "429", "page-2-429", "page-2-rate-limit":
		return RateLimited
	case "401", "no-login", "bad-token", "page-2-401":
		return Unauthenticated
	}
	return Transient
}

// wantShown checks that an error is fit to be shown to anybody.
func wantShown(t *testing.T, what string, err error) {
	t.Helper()
	text := err.Error()
	if n := len([]rune(text)); n > maxErrorText || !strings.HasPrefix(text, "gh ") {
		t.Errorf("%s: a text of %d characters: %s", what, n, text)
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			t.Errorf("%s: %q in the text: %s", what, r, text)
		}
	}
	for _, secret := range []string{"SECRET", "double-token", "line one"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s: the text gives %q away: %s", what, secret, text)
		}
	}
}
