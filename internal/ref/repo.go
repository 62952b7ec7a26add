package ref

import (
	"cmp"
	"fmt"
	"strings"
)

// GitHubHost is the host that a repository's name leaves out.
const GitHubHost = "github.com"

// Repo names a repository. [ParseRepo] makes one; the zero value names none.
// Compare two by their [Repo.Scope].
type Repo struct {
	Host  string `json:"host"`  // in lower case and always set, "github.com" too
	Owner string `json:"owner"` // as it was written
	Name  string `json:"repo"`  // as it was written
}

// ParseRepo reads [HOST/]OWNER/REPO; a name of two parts is always OWNER/REPO,
// on defaultHost, or on github.com where that is empty. Its error says what is
// accepted and is fit to be shown as it is.
func ParseRepo(s, defaultHost string) (Repo, error) {
	host, owner, name, parts := splitRepo(s)
	switch parts {
	case 2:
		return checked(s, Repo{lower(cmp.Or(defaultHost, GitHubHost)), owner, name})
	case 3:
		return checked(s, Repo{lower(host), owner, name})
	}
	return Repo{}, notARepo(s)
}

func checked(s string, r Repo) (Repo, error) {
	if fault := r.fault(); fault != "" {
		return Repo{}, fmt.Errorf("%w: %s", notARepo(s), fault)
	}
	return r, nil
}

func notARepo(s string) error { return fmt.Errorf("%s is not [HOST/]OWNER/REPO", quote(s)) }

// splitRepo splits [HOST/]OWNER/REPO into 2 or 3 parts, or however many there are.
func splitRepo(s string) (host, owner, name string, parts int) {
	owner, name, _ = strings.Cut(s, "/")
	if first, last, three := strings.Cut(name, "/"); three {
		host, owner, name = owner, first, last
	}
	return host, owner, name, 1 + strings.Count(s, "/")
}

// Check returns the error of [ParseRepo] for a Repo that it would not have made.
func (r Repo) Check() error {
	_, err := checked(r.String(), r)
	return err
}

// fault describes the first fault of r, "" when there is none.
func (r Repo) fault() string {
	switch {
	case !ValidHost(r.Host):
		return quote(r.Host) + " is not a host such as github.example.com or localhost:8443"
	case !ValidOwner(r.Owner):
		return "an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit"
	case !ValidName(r.Name):
		return "a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or .."
	}
	return ""
}

// NameWithOwner is "Owner/Name", which GitHub calls the full name.
func (r Repo) NameWithOwner() string { return r.Owner + "/" + r.Name }

// Full is "host/Owner/Name" with github.com written, too.
func (r Repo) Full() string { return r.Host + "/" + r.NameWithOwner() }

// String is the repository as people read and write it: "[host/]Owner/Name",
// without github.com.
func (r Repo) String() string {
	if strings.EqualFold(r.Host, GitHubHost) {
		return r.NameWithOwner()
	}
	return r.Full()
}

// Scope is the repository as everything that is compared spells it: like
// [Repo.String], in lower case.
func (r Repo) Scope() string { return lower(r.String()) }

// Item is item n of the repository.
func (r Repo) Item(n int) Item { return Item{r, n} }

// HostOf returns the host of a scope. A scope on github.com does not name it.
func HostOf(scope string) string {
	host, _, _, _ := splitRepo(scope)
	return cmp.Or(host, GitHubHost)
}
