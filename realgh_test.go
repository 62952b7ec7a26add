//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/ghdouble"
	"the-loop/internal/scripttest"
)

// TestRealGH runs the scenarios of testdata/realgh. In them gh is the real one,
// and what it talks to is a double of GitHub's API, one for each scenario, which
// the command "ghdouble" changes.
func TestRealGH(t *testing.T) {
	gh := realGH(t)
	commands := scripttest.Commands()
	delete(commands, "calls") // is about the scripted gh
	maps.Copy(commands, map[string]func(*testscript.TestScript, bool, []string){"ghdouble": changeDouble})
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "realgh"),
		Setup:               func(env *testscript.Env) error { return setupRealGH(env, gh) },
		Cmds:                commands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
	})
}

// realGH is the real gh's path; the gh that stands first on PATH is the
// scripted one.
func realGH(t testing.TB) string {
	t.Helper()
	scripted, err := exec.LookPath("gh")
	if err != nil {
		t.Fatal(err)
	}
	return ghdouble.RealGH(t, filepath.Dir(scripted))
}

// setupRealGH starts a double and puts the real gh first on the scenario's PATH.
func setupRealGH(env *testscript.Env, gh string) error {
	s, err := ghdouble.New()
	if err != nil {
		return err
	}
	env.Defer(func() {
		if err := s.Close(); err != nil {
			env.T().Log(err)
		}
	})
	env.Values[doubleKey{}] = s
	for _, variable := range s.Env() {
		name, value, _ := strings.Cut(variable, "=")
		env.Setenv(name, value)
	}
	if err := scripttest.FirstOnPath(env, "gh", gh); err != nil {
		return err
	}
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	for name, value := range map[string]string{
		"THE_LOOP_STATE_ROOT": "state", "XDG_CONFIG_HOME": "config", scripttest.HandlerDir: "handler",
	} {
		env.Setenv(name, filepath.Join(env.WorkDir, value))
	}
	return nil
}

// doubleKey is where a scenario keeps its double.
type doubleKey struct{}

// changeDouble changes the scenario's double, or asks it:
//
//	ghdouble load FILE         the world, or a part of it
//	ghdouble count N [MATCH]   exactly N requests so far match
//	ghdouble COMMAND …         see ghdouble.Server.Command
func changeDouble(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := ts.Value(doubleKey{}).(*ghdouble.Server)
	if neg || len(args) == 0 || !ok {
		ts.Fatalf("usage: ghdouble COMMAND …")
	}
	switch {
	case args[0] == "load" && len(args) == 2:
		ts.Check(s.LoadJSON([]byte(ts.ReadFile(args[1]))))
	case args[0] == "count" && len(args) > 1:
		got, err := s.Command(append([]string{"count"}, args[2:]...)...)
		ts.Check(err)
		if got = strings.TrimSpace(got); got != args[1] {
			log, err := s.Command(append([]string{"requests"}, args[2:]...)...)
			ts.Check(err)
			ts.Fatalf("%s requests, want %s:\n%s", got, args[1], log)
		}
	default:
		out, err := s.Command(args...)
		ts.Check(err)
		ts.Logf("%s", out)
	}
}

// shown is how a fault of a repository shows in the log and in status: what is
// said of it after its name.
type shown struct {
	fact, log, status string
	// host says that the fault stops the asking of the host, which has a healthy
	// repository, too.
	host string
}

const (
	transient = `level=ERROR msg="scope failed, retried next cycle" scope=`
	permanent = `level=WARN msg="scope degraded" scope=`
	retried   = "listing failed, retried next cycle: gh issue list --repo exited 1: "
	both      = "listing failed, retried next cycle: gh issue list and gh pr list exited 1: "
)

// failing is a fault that both listings meet in this cycle. The log has gh's text,
// status what a reader needs of it.
func failing(fact, text, brief string) shown {
	return shown{fact: fact, log: transient + "{scope} .*gh issue list .*" + text, status: both + brief}
}

// stopping is one that is about the host.
func stopping(fact, text, host string) shown {
	return shown{fact: fact, log: transient + "{scope} .*" + text, status: host + "; " + retried + text, host: host}
}

const (
	usedUp      = `not asked: GitHub's rate limit on {host} is used up until 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`
	notLoggedIn = `not asked: gh is not logged in to {host}`
)

// allShown has every fault but those that the environment of gh brings about or
// that show on later pages only, for which there are scenarios.
func allShown() []shown {
	const off = `the 'octo/{fact}' repository has disabled issues`
	const sso = `HTTP 403: Resource protected by organization SAML enforcement\..*https://github\.com/orgs/octo/sso\?\[redacted\]`
	broken := func(fact string) shown { // gh's word for an answer without data
		return shown{fact: fact, log: transient + "{scope} .*" + off, status: retried + off + "$"}
	}
	return []shown{
		failing("502", `HTTP 502: Something went wrong while executing your query\.`, `HTTP 502$`),
		failing("502-html", `HTTP 502: 502 Bad Gateway`, `HTTP 502: 502 Bad Gateway$`),
		failing("graphql", `GraphQL: Something went wrong while executing your query\.`, `GraphQL: Something went wrong while executing your query$`),
		failing("304", `HTTP 304`, `HTTP 304`),
		stopping("401", `(HTTP 401: Bad|non-200 OK status code: 401 Unauthorized body: .*Bad) credentials`, notLoggedIn),
		failing("sso", sso, sso),
		stopping("rate-limit", `(Message|GraphQL): API rate limit exceeded`, usedUp),
		stopping("rate-limit-already", `(Message|GraphQL): API rate limit already exceeded`, usedUp),
		stopping("rate-limit-403", `.*403.*API rate limit exceeded`, usedUp),
		stopping("secondary", `.*403.*secondary rate limit`, usedUp),
		stopping("429", `.*429.*secondary rate limit`, usedUp),
		{
			fact: "no-repo", log: transient + "{scope} .*Could not resolve to a Repository",
			status: retried + `GraphQL: Could not resolve to a Repository with the name 'octo/no-repo'\. \(repository\)$`,
		},
		{fact: "disabled", log: permanent + "{scope} .*" + off, status: "listing failed, permanent: gh issue list --repo exited 1: " + off + "$"},
		broken("no-data"), broken("null"), broken("204"),
		failing("cut", "unexpected end of JSON input", "unexpected end of JSON input$"),
		failing("empty", "unexpected end of JSON input", "unexpected end of JSON input$"),
		failing("html", "invalid character '<' looking for beginning of value", "invalid character '<' looking for beginning of value$"),
		{fact: "null-node", log: `msg="gh listed an item without number or url; it is dropped" repo=octo/null-node kind=issue`},
		failing("reset", `Post "https://api\.github\.com/graphql": read .*: connection reset by peer`, `read: connection reset by peer$`),
		failing("eof", `Post "https://api\.github\.com/graphql": EOF`, `EOF$`),
		failing("cut-off", "unexpected EOF", "unexpected EOF$"),
		{fact: "hang", log: transient + `{scope} .*gh issue timed out after 200ms`, status: "listing failed, retried next cycle: gh issue and gh pr timed out after 200ms$"},
	}
}

func TestEveryFaultIsShown(t *testing.T) {
	var got, want []string
	for _, f := range allShown() {
		got = append(got, f.fact)
	}
	for _, f := range ghdouble.Facts() {
		if len(f.Env) == 0 && !f.Fault.LaterPages {
			want = append(want, f.Name)
		}
	}
	if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
		t.Errorf("shown are\n%s\nbut there are\n%s", g, w)
	}
}

// TestRealGHFaults has one cycle meet every fault at once, a repository each,
// and reads the log and status. A fault that is about its host has a host of
// its own.
func TestRealGHFaults(t *testing.T) {
	t.Parallel()
	gh := realGH(t)
	s := ghdouble.Start(t)
	// The healthy ones come last, when it is known which hosts are not to be asked.
	var faulty, others, healthy []string
	for _, f := range allShown() {
		fact, err := ghdouble.FactNamed(f.fact)
		if err != nil {
			t.Fatal(err)
		}
		if f.host == "" {
			s.Repo("octo/" + f.fact)
			s.Fail(ghdouble.Match{Repo: "octo/" + f.fact}, fact.Fault)
			if f.fact != "hang" {
				others = append(others, "octo/"+f.fact)
			}
			continue
		}
		host := f.fact + ".example.com"
		s.Repo(host + "/octo/bad")
		s.Repo(host + "/octo/good")
		s.Fail(ghdouble.Match{Repo: host + "/octo/bad"}, fact.Fault)
		// gh's first question to a server is about no repository.
		s.Fail(ghdouble.Match{Kind: ghdouble.Introspect, Host: host}, fact.Fault)
		faulty = append(faulty, host+"/octo/bad")
		healthy = append(healthy, host+"/octo/good")
	}
	repos := slices.Concat(faulty, others, healthy)
	p := &program{t: t, dir: t.TempDir(), env: s.Env()}
	p.config(fmt.Sprintf(`polling:
  pace: false
  sources:
    - {provider: github, ghBinary: %[1]q, concurrency: 2, repos: [%[2]s]}
    - {provider: github, ghBinary: %[1]q, timeoutSeconds: 0.2, repos: [octo/hang]}
`, gh, strings.Join(repos, ", ")))
	log := p.run(0, "run", "--once")
	status := p.run(1, "status")
	for _, f := range allShown() {
		scope := "octo/" + f.fact
		if f.host != "" {
			scope = f.fact + ".example.com/octo/bad"
		}
		wantLine(t, f, log, f.log, scope)
		if f.status == "" {
			if strings.Contains(status, scope) {
				t.Errorf("%s: status names %s:\n%s", f.fact, scope, status)
			}
			continue
		}
		name := "{scope} — "
		if f.host != "" {
			name = "{host} — 2 repositories: "
		}
		wantLine(t, f, status, "^            degraded:   "+name+f.status, scope)
	}
	for _, secret := range []string{"SECRET", "double-"} {
		if strings.Contains(log+status, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
}

// wantLine looks for exactly one line that the pattern fits.
func wantLine(t *testing.T, f shown, text, pattern, scope string) {
	t.Helper()
	pattern = strings.NewReplacer("{scope}", regexp.QuoteMeta(scope), "{fact}", f.fact, "{host}", f.fact+`\.example\.com`).Replace(pattern)
	re := regexp.MustCompile(pattern)
	found := 0
	for line := range strings.Lines(text) {
		// The log quotes what holds quotes.
		if re.MatchString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\"`, `"`)) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%s: %d lines are like %s", f.fact, found, pattern)
		for line := range strings.Lines(text) {
			if strings.Contains(line, f.fact) {
				t.Log(line)
			}
		}
	}
}

// program runs the built program in folders of its own.
type program struct {
	t   *testing.T
	dir string
	env []string
}

func (p *program) config(text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, "loop.yaml"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// run returns what the program printed on both outputs.
func (p *program) run(code int, args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "the-loop", args...)
	cmd.Env = append(append(os.Environ(), p.env...), "THE_LOOP_CONFIG="+filepath.Join(p.dir, "loop.yaml"),
		"THE_LOOP_STATE_ROOT="+filepath.Join(p.dir, "state"), "GORACE=atexit_sleep_ms=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		p.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		p.t.Fatalf("the-loop %s: exit %d, want %d:\n%s", strings.Join(args, " "), got, code, output.String())
	}
	return output.String()
}
