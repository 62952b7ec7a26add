package ghdouble

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Call is one way in which gh is asked.
type Call struct {
	// Name is unique: "issue list --label".
	Name string
	Kind Kind
	Args []string
}

// Calls lists every call that a daemon makes of a repository [HOST/]OWNER/NAME,
// of its issue and its pull request of these numbers.
func Calls(repo, label string, issue, pull int) []Call {
	hostName, full := splitRepo(repo)
	list := func(what string, more ...string) []string {
		args := []string{what, "list", "--repo", repo}
		args = append(args, more...)
		fields := "number,title,labels,updatedAt,url,author"
		if what == "pr" {
			fields += ",headRefName,body,isDraft,isCrossRepository"
		}
		return append(args, "--state", "open", "--limit", "1000", "--json", fields)
	}
	view := func(what string, number int, fields string) []string {
		return []string{what, "view", strconv.Itoa(number), "--repo", repo, "--json", fields}
	}
	api := func(path string, more ...string) []string {
		args := []string{"api"}
		if hostName != defaultHost {
			args = append(args, "--hostname", hostName)
		}
		return append(append(args, path), more...)
	}
	item := "repos/" + full + "/issues/" + strconv.Itoa(issue)
	pulls := "repos/" + full + "/pulls/" + strconv.Itoa(pull)
	return []Call{
		{"issue list", IssueList, list("issue")},
		{"issue list --label", IssueList, list("issue", "--label", label)},
		{"pr list", PRList, list("pr")},
		{"pr list --label", PRList, list("pr", "--label", label)},
		{"issue view", IssueView, view("issue", issue, "comments")},
		{"pr view", PRView, view("pr", pull, "comments")},
		{"pr view state", PRView, view("pr", pull, "number,state")},
		{"repo view", RepoView, []string{"repo", "view", repo, "--json", "nameWithOwner,hasIssuesEnabled"}},
		{"api issue", APIIssue, api(item)},
		{"api reviews", APIReviews, api(pulls+"/reviews?per_page=100", "--paginate")},
		{"api review-comments", APIReviewComments, api(pulls+"/comments?per_page=100", "--paginate")},
		{"api rate_limit", APIRateLimit, api("rate_limit")},
		{"api user", APIUser, api("user")},
	}
}

// searches reports whether gh looks the call up in the search index.
func (c Call) searches() bool { return slices.Contains(c.Args, "--label") }

// Outcome is what gh does. Stdout and Stderr are regular expressions that must
// be found in what it prints; an empty one says that it prints nothing.
type Outcome struct {
	Exit           int
	Stdout, Stderr string
	// Hangs says that gh waits for ever.
	Hangs bool
}

// Check says how a run differs from the outcome, nil when it does not.
func (o Outcome) Check(exit int, stdout, stderr string) error {
	if exit != o.Exit {
		return fmt.Errorf("exit code %d, want %d; stderr: %.300q", exit, o.Exit, stderr)
	}
	for _, stream := range []struct{ name, got, want string }{
		{"stdout", stdout, o.Stdout}, {"stderr", stderr, o.Stderr},
	} {
		if stream.want == "" && stream.got != "" {
			return fmt.Errorf("%s is %.300q, want nothing", stream.name, stream.got)
		}
		found, err := regexp.MatchString(stream.want, stream.got)
		if err != nil {
			return fmt.Errorf("%s: %w", stream.name, err)
		}
		if !found {
			return fmt.Errorf("%s is %.300q, want %s", stream.name, stream.got, stream.want)
		}
	}
	return nil
}

// Fact is a fault and what the real gh was seen to make of it.
type Fact struct {
	Name  string
	Fault Fault
	// Env are variables that bring it about instead of, or beside, the fault.
	Env []string
	// Prints holds the outcomes by the name of a call, by its kind, or by
	// "graphql" and "api" for the two APIs; the closest one holds. A call that
	// has none goes as if there were no fault.
	Prints map[string]Outcome
}

// Outcome is what the call comes to; false when the fault does not concern it.
// A newer gh asks what the host can do before it searches, keeps the answer for
// a day, and words a failure of that question in another way: asked says that
// the fault met it.
func (f Fact) Outcome(c Call, asked bool) (Outcome, bool) {
	if asked && c.searches() {
		if o, ok := f.first(); ok {
			return o, true
		}
	}
	class := "graphql"
	if strings.HasPrefix(string(c.Kind), "api ") {
		class = "api"
	}
	for _, key := range []string{c.Name, string(c.Kind), class} {
		if o, ok := f.Prints[key]; ok {
			return o, true
		}
	}
	return Outcome{}, false
}

// first is what gh makes of the fault when it meets the question before a
// search; false when the question passes, or fails as the search would.
func (f Fact) first() (Outcome, bool) {
	r := f.Fault.GraphQL
	status := cmp.Or(r.Status, http.StatusOK)
	switch {
	case f.Fault.LaterPages || r.isZero() || r.Wire != "":
		return Outcome{}, false
	case status != http.StatusOK:
		text := fmt.Sprintf("non-200 OK status code: %d %s body: %q\n", status, http.StatusText(status), r.Body)
		if _, page, ok := strings.Cut(r.Header["X-GitHub-SSO"], "url="); ok {
			text += "Authorize in your web browser:  " + page + "\n"
		}
		return failed("^" + regexp.QuoteMeta(text) + "$"), true
	case r.Body == "":
		return failed(`^EOF\n$`), true
	case strings.HasPrefix(r.Body, "["):
		return failed(`^unexpected EOF\n$`), true
	}
	return Outcome{}, false
}

// FactNamed returns the fact of that name. An unknown name is an error that
// lists them all.
func FactNamed(name string) (Fact, error) {
	var names []string
	for _, f := range Facts() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Fact{}, fmt.Errorf("no fault is called %q; there are %s", name, strings.Join(names, ", "))
}
