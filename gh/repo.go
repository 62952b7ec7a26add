package gh

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"the-loop/internal/safetext"
)

// GitHubHost is the host that a repository's name leaves out.
const GitHubHost = "github.com"

// Repo names a repository. [ParseRepo] makes one; the zero value names none.
type Repo struct {
	Host  string // in lower case and always set, "github.com" too
	Owner string // as it was written
	Name  string // as it was written
}

// The grammar of GitHub's names, lengths apart: a repetition that is counted
// makes the start of every command slower. GitHub gives new owners letters,
// digits and single hyphens inside, and the accounts that an enterprise manages
// an underscore before its short code; older ones end in hyphens or have several
// in a row.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	labelForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	portForm  = regexp.MustCompile(`^[1-9][0-9]*$`)
)

const (
	maxOwner = 39
	maxName  = 100
	maxHost  = 253
	maxLabel = 63
	maxPort  = 65535
)

// ParseRepo reads [HOST/]OWNER/REPO; a name of two parts is always OWNER/REPO,
// on defaultHost, or on github.com where that is empty. Its error says what is
// accepted and is fit to be shown as it is.
func ParseRepo(s, defaultHost string) (Repo, error) {
	parts := strings.Split(s, "/")
	r := Repo{Host: defaultHost}
	switch len(parts) {
	case 2:
		r.Owner, r.Name = parts[0], parts[1]
	case 3:
		r.Host, r.Owner, r.Name = parts[0], parts[1], parts[2]
	default:
		return Repo{}, fmt.Errorf("%s is not [HOST/]OWNER/REPO", quote(s))
	}
	if r.Host == "" && len(parts) == 2 {
		r.Host = GitHubHost
	}
	r.Host = strings.ToLower(r.Host)
	if fault := r.fault(); fault != "" {
		return Repo{}, fmt.Errorf("%s is not [HOST/]OWNER/REPO: %s", quote(s), fault)
	}
	return r, nil
}

// fault describes the first fault of r, "" when there is none.
func (r Repo) fault() string {
	switch {
	case !ValidHost(r.Host):
		return quote(r.Host) + " is not a host such as github.example.com or localhost:8443"
	case len(r.Owner) > maxOwner || !ownerForm.MatchString(r.Owner):
		return "an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit"
	case len(r.Name) > maxName || !nameForm.MatchString(r.Name) || r.Name == "." || r.Name == "..":
		return "a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or .."
	}
	return ""
}

// ValidHost reports whether s can be the host of a GitHub: a DNS name with a
// dot in it, or localhost, and maybe a port after it.
func ValidHost(s string) bool {
	name, port, hasPort := strings.Cut(s, ":")
	if hasPort {
		n, err := strconv.Atoi(port)
		if err != nil || !portForm.MatchString(port) || n > maxPort {
			return false
		}
	}
	if len(name) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) > maxLabel || !labelForm.MatchString(label) {
			return false
		}
	}
	return strings.Contains(name, ".") || strings.EqualFold(name, "localhost")
}

// Arg is the repository as gh's --repo takes it: "host/Owner/Name". It names
// github.com, too: a gh that is logged in to one Enterprise host only asks that
// host for a bare name.
func (r Repo) Arg() string { return r.Host + "/" + r.Owner + "/" + r.Name }

// String is the repository as people read and write it: "[host/]Owner/Name",
// without github.com.
func (r Repo) String() string {
	if r.onGitHub() {
		return r.Owner + "/" + r.Name
	}
	return r.Arg()
}

// Scope is the repository as everything that is compared spells it: like
// [Repo.String], in lower case.
func (r Repo) Scope() string { return strings.ToLower(r.String()) }

// path is the repository's place in the REST API.
func (r Repo) path() string { return "repos/" + r.Owner + "/" + r.Name }

func (r Repo) onGitHub() bool { return strings.EqualFold(r.Host, GitHubHost) }

// quote shows s in an error, as one short line.
func quote(s string) string { return `"` + safetext.Strip(s, 200) + `"` }
