//go:build unix

package fakegh

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"the-loop/internal/ghdouble"
)

// realRun is the outcome of a call of the real gh.
type realRun struct {
	code           int
	stdout, stderr string
}

func (r realRun) String() string {
	return fmt.Sprintf("exit %d\nstdout %.400q\nstderr %.600q", r.code, r.stdout, r.stderr)
}

func runReal(t *testing.T, s *ghdouble.Server, env []string, args ...string) realRun {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), ghdouble.RealGH(t), args...)
	cmd.Env = append(append(os.Environ(), s.Env()...), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return realRun{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// counterparts are the faults that the double can cause, and their names in
// ghdouble.Facts. "empty" is for gh api alone: the other commands always print
// something.
var counterparts = map[string]string{
	"502": "502", "502-html": "502-html", "401": "401", "no-login": "no-login", "newline": "bad-token", "sso": "sso",
	"rate-limit": "rate-limit", "secondary": "secondary", "429": "429", "no-repo": "no-repo", "no-data": "no-data",
	"disabled": "disabled", "cut": "cut", "html": "html", "reset": "reset", "eof": "eof", "graphql": "graphql",
	"ghost": "null-node", "empty": "empty",
}

// others are the faults that no double can cause: they were measured elsewhere, or
// something other than gh prints them.
var others = []string{"dns", "null", "[]-exit-1", "token", "escape", "hang", "missing", "deleted", "app-token", "no-limits"}

func TestEveryFaultIsAccountedFor(t *testing.T) {
	for name := range faults() {
		if _, ok := counterparts[name]; ok == slices.Contains(others, name) {
			t.Errorf("%s: say whether the double can bring it about", name)
		}
	}
}

// TestRealGHFaults compares every fault with what the real gh prints for it,
// byte for byte.
func TestRealGHFaults(t *testing.T) {
	ghdouble.RealGH(t)
	for name, factName := range counterparts {
		fact, err := ghdouble.FactNamed(factName)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ghdouble.Start(t)
			// With no item of its own the list holds the null node alone.
			s.Repo("octo/a").AddIssue(ghdouble.Item{Number: 1, Labels: []string{"x"}, Index: "missing"})
			s.Repo("octo/a").AddPullRequest(ghdouble.Item{Number: 2, Labels: []string{"x"}, Index: "missing"})
			s.Repo("ghe.example.com/octo/a").AddIssue(ghdouble.Item{Number: 1, Labels: []string{"x"}, Index: "missing"})
			// The fake speaks of github.com as a gh that knows it already, and of an
			// Enterprise server as one that asks it for the first time.
			s.Warm(t, ghdouble.RealGH(t), "octo/a")
			if name == "no-data" { // which a newer gh would take for a faulty version
				s.Warm(t, ghdouble.RealGH(t), "ghe.example.com/octo/a")
			}
			s.Fail(ghdouble.Match{}, fact.Fault)
			for _, asked := range ghdouble.Calls("octo/a", "x", 1, 2) {
				compareFault(t, s, fact, name, asked)
			}
			if len(fact.Env) == 0 { // else another variable is meant there
				asked := ghdouble.Calls("ghe.example.com/octo/a", "x", 1, 2)[1]
				compareFault(t, s, fact, name, asked)
			}
		})
	}
}

func compareFault(t *testing.T, s *ghdouble.Server, fact ghdouble.Fact, name string, asked ghdouble.Call) {
	t.Helper()
	if !compared(fact, asked) || name == "ghost" && !strings.HasSuffix(asked.Name, "--label") {
		return
	}
	c, err := parseCall(asked.Args, nil)
	if err != nil {
		t.Fatalf("gh %s: %v", strings.Join(asked.Args, " "), err)
	}
	if name == "empty" && !c.api() {
		return
	}
	fake, fakeErr := faults()[name].reply(c)
	outcome, concerned := fact.Outcome(asked, false)
	// The script answers the calls that the fault does not hit.
	if !concerned || outcome.Exit == 0 && asked.Name == "repo view" {
		if fakeErr == nil {
			t.Errorf("%s: the fake fails, but the real gh answers", asked.Name)
		}
		return
	}
	if fakeErr != nil {
		t.Errorf("%s: %v", asked.Name, fakeErr)
		return
	}
	var stdout, stderr bytes.Buffer
	got := realRun{code: fake.give(&stdout, &stderr)}
	got.stdout, got.stderr = stdout.String(), stderr.String()
	want := runReal(t, s, fact.Env, asked.Args...)
	got.stderr, want.stderr = connection(got.stderr), connection(want.stderr)
	if got == want || got.code == want.code && got.stdout == want.stdout && got.stderr == olderWords(want.stderr) {
		return
	}
	t.Errorf("gh %s\nthe fake: %s\nthe real: %s", strings.Join(asked.Args, " "), got, want)
}

// compared leaves out calls that the program does not make, and those with the same
// outcome as a call that is compared.
func compared(fact ghdouble.Fact, asked ghdouble.Call) bool {
	switch asked.Name {
	case "pr view state", "api review-comments", "issue list":
		return false
	case "pr list", "api rate_limit":
		_, own := fact.Prints["pr list --label"]
		return own
	}
	return true
}

// connection drops the two addresses of a connection from a text.
func connection(text string) string {
	return regexp.MustCompile(`read (tcp|unix) \S+->\S+: `).ReplaceAllString(text, "read: ")
}

// olderWords is gh 2.23's text for a failure of its first request to an Enterprise
// server. Later versions word it like all others.
func olderWords(text string) string {
	if message, ok := strings.CutPrefix(text, "GraphQL: "); ok {
		return "Message: " + strings.TrimSuffix(message, "\n") + ", Locations: []\n"
	}
	return text
}

// TestRealGHRefusals compares how both refuse a faulty call: the exit status and
// the first line.
func TestRealGHRefusals(t *testing.T) {
	ghdouble.RealGH(t)
	list := []string{"issue", "list", "--repo", "octo/a", "--json", "number"}
	view := []string{"issue", "view", "7", "--repo", "octo/a", "--json", "comments"}
	with := func(args []string, more ...string) []string { return append(slices.Clone(args), more...) }
	for _, args := range [][]string{
		{"nope"}, {"issue", "nope"}, {"pr", "nope"}, {"repo", "nope"},
		with(list, "--nope"), with(list, "--nope", "x"), with(view, "--label", "x"), {"api", "user", "--nope"},
		{"repo", "view", "octo/a", "--repo", "octo/b"},
		{"issue", "list", "--repo", "octo/a", "--json", "nope"}, {"pr", "list", "--json", "none,closingIssuesReferences"},
		{"issue", "view", "7", "--repo", "octo/a", "--json", "comments,nope"}, {"pr", "view", "7", "--repo", "octo/a", "--json", "nope"},
		{"repo", "view", "octo/a", "--json", "nameWithOwner,nope"}, {"issue", "list", "--repo", "octo/a", "--json", "headRefName"},
		with(list, "--label"), {"issue", "list", "--repo", "octo/a", "--json"}, with(list, "--repo"), {"api", "--hostname"},
		with(list, "--limit", "x"), with(list, "--limit", "0"), with(list, "--limit", "-3"), with(list, "--state", "bogus"),
		{"pr", "list", "--repo", "octo/a", "--json", "number", "--state", "bogus"}, {"pr", "list", "--repo", "octo/a", "--json", "number", "--limit", "0"},
		with(list, "--label", `a"b`), with(list, "--label", `"a`), with(list, "foo"), with(list, "foo", "bar"),
		{"issue", "list", "--repo", "octo", "--json", "number"}, {"pr", "list", "--repo", "a/b/c/d", "--json", "number"},
		{"repo", "view", "a/b/c/d", "--json", "nameWithOwner"}, {"repo", "view", "octo/a", "octo/b", "--json", "nameWithOwner"},
		{"issue", "view", "--repo", "octo/a", "--json", "comments"}, with(view, "8"), {"issue", "view", "x", "--repo", "octo/a", "--json", "comments"},
		{"api"}, {"api", "user", "rate_limit"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			s := ghdouble.Start(t)
			_, err := parseCall(args, nil)
			if err == nil {
				t.Fatal("the fake takes it")
			}
			want := runReal(t, s, nil, args...)
			first, _, _ := strings.Cut(want.stderr, "\n")
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != first || want.code != 1 {
				t.Errorf("the fake: %s\nthe real: %s", got, want)
			}
			if len(s.Requests()) > 0 {
				t.Errorf("the real gh asked all the same: %v", s.Requests())
			}
		})
	}
}
