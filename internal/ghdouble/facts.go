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

// Call is one way to call gh.
type Call struct {
	// Name is unique: "issue list --label".
	Name string
	Kind Kind
	Args []string
}

// Calls lists every gh call that a daemon makes for a repository [HOST/]OWNER/NAME,
// its issue and its pull request of these numbers.
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

// searches reports whether gh answers the call from the search index.
func (c Call) searches() bool { return slices.Contains(c.Args, "--label") }

// Outcome is the visible result of gh. Stdout and Stderr are regular expressions that
// must match in the output; an empty one means no output.
type Outcome struct {
	Exit           int
	Stdout, Stderr string
	// Hangs is true when gh waits for ever.
	Hangs bool
}

// Check returns an error that describes how a run differs from the outcome, or nil.
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

// Fact is a fault and the observed reaction of the real gh.
type Fact struct {
	Name  string
	Fault Fault
	// Env holds variables that cause the failure, instead of the fault or with it.
	Env []string
	// Prints maps the name of a call, its kind, or "graphql" or "api" for the two APIs
	// to the outcome; the most specific key wins. A call without a key behaves as
	// without the fault.
	Prints map[string]Outcome
}

// Outcome returns the outcome of the call, or false when the fault does not affect it.
// Before a search, a newer gh asks for the host's features, caches the answer for a day,
// and words a failure of that request differently. asked is true when the fault hit
// that request.
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

// first returns the outcome when the fault hits the request before a search, or false
// when that request passes, or fails as the search would.
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

// FactNamed returns the fact of that name. For an unknown name it returns an error
// that lists all names.
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
