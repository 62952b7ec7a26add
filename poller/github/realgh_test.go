//go:build unix

package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ghdouble"
	"the-loop/poller"
)

// These tests walk repositories over the real gh, which talks to a double of
// GitHub's API.

// realWorld is a double in which some repositories hold issue 7 and pull request
// 9, each with the label, and a client of the real gh that asks it.
func realWorld(t *testing.T, env []string, names ...string) (*ghdouble.Server, *gh.Client) {
	t.Helper()
	s := ghdouble.Start(t)
	for _, name := range names {
		fill(s.Repo(name))
	}
	timeout := time.Minute
	return s, gh.New(gh.Options{Binary: s.Binary(t, ghdouble.RealGH(t), env...), Timeout: timeout})
}

func fill(r *ghdouble.Repo) {
	r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"the-loop"}})
	r.AddPullRequest(ghdouble.Item{Number: 9, Labels: []string{"the-loop"}})
}

func realProvider(t *testing.T, c *gh.Client, names ...string) *Provider {
	t.Helper()
	return New(Options{
		Client: c, Hosts: NewHosts(), Repos: repos(t, names...), Labels: []string{"the-loop"},
		Issues: true, PullRequests: true, Limit: 1000, ReprobeCycles: 2,
	})
}

// refs are the items of a listing, in order.
func refs(l poller.Listing) []string {
	var all []string
	for _, item := range l.Items {
		all = append(all, strings.TrimPrefix(item.Ref, refPrefix))
	}
	return all
}

func items(scope string) []string { return []string{scope + "#7", scope + "#9"} }

// effect is what a fault of one repository does to the listing of two, of which
// the faulty one is asked first.
type effect int

const (
	scopeFails effect = iota // both listings of that repository, for now
	issuesFail               // its issues, while its pull requests are listed
	issuesOff                // the same, as a standing condition
	unseen                   // none: it shows only beyond the first page
	hostStops                // the other repository of that host is not asked
)

func effectOf(fact string) effect {
	switch fact {
	case "401", "no-login", "bad-token", "rate-limit", "rate-limit-already", "rate-limit-403", "secondary", "429":
		return hostStops
	case "disabled":
		return issuesOff
	case "no-data", "null", "204":
		// gh says the same of a broken answer; then GitHub does not say who the
		// repository is either, and no answer does not overrule it.
		return issuesOff
	case "no-repo":
		return issuesFail
	case "null-node":
		return unseen
	}
	if strings.HasPrefix(fact, "page-2") {
		return unseen
	}
	return scopeFails
}

func TestRealGHFaults(t *testing.T) {
	ghdouble.RealGH(t)
	for _, fact := range ghdouble.Facts() {
		t.Run(fact.Name, func(t *testing.T) {
			t.Parallel()
			s, c := realWorld(t, fact.Env, "octo/bad", "octo/good")
			if fact.Prints["graphql"].Hangs {
				c = gh.New(gh.Options{Binary: s.Binary(t, ghdouble.RealGH(t)), Timeout: 3 * time.Second})
			}
			s.Fail(ghdouble.Match{Repo: "octo/bad"}, fact.Fault)
			l := list(t, realProvider(t, c, "octo/bad", "octo/good"))
			fmt.Printf("== %s %v\n F %v\n S %v\n P %v\n", fact.Name, refs(l), l.Failures, l.Skipped, l.Polled)
			_ = cmp.Diff
			_ = slices.Equal[[]int]
		})
	}
}
