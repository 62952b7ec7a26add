package ref

import (
	"cmp"
	"fmt"
	"strings"

	"the-loop/internal/safetext"
)

// GitHubHost is the host that the name of a repository omits.
const GitHubHost = "github.com"

// Repo is the name of a repository. The zero value names none. Compare two by their
// [Repo.Scope].
type Repo struct {
	Host  string `json:"host"`  // in lower case and always set, even for github.com
	Owner string `json:"owner"` // in the case of its source
	Name  string `json:"repo"`  // in the case of its source
}

// ParseRepo reads [HOST/]OWNER/REPO. A name of two parts is always OWNER/REPO, on
// defaultHost or, if that is empty, on github.com. The error says what is accepted and
// is safe to print.
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

func notARepo(s string) error { return fmt.Errorf("%s is not [HOST/]OWNER/REPO", safetext.Quote(s)) }

// splitRepo splits [HOST/]OWNER/REPO into 2 or 3 parts, or however many there are.
func splitRepo(s string) (host, owner, name string, parts int) {
	owner, name, _ = strings.Cut(s, "/")
	if first, last, three := strings.Cut(name, "/"); three {
		host, owner, name = owner, first, last
	}
	return host, owner, name, 1 + strings.Count(s, "/")
}

// Check returns an error if [ParseRepo] would not accept the Repo.
func (r Repo) Check() error {
	_, err := checked(r.String(), r)
	return err
}

// fault describes the first fault of r, "" for none.
func (r Repo) fault() string {
	switch {
	case !ValidHost(r.Host):
		return safetext.Quote(r.Host) + " is not a host such as github.example.com or localhost:8443"
	case !ValidOwner(r.Owner):
		return "an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit"
	case !ValidName(r.Name):
		return "a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or .."
	}
	return ""
}

// NameWithOwner returns "Owner/Name", which GitHub calls the full name.
func (r Repo) NameWithOwner() string { return r.Owner + "/" + r.Name }

// Full returns "host/Owner/Name", with the host even for github.com.
func (r Repo) Full() string { return r.Host + "/" + r.NameWithOwner() }

// String returns the spelling for people: "[host/]Owner/Name", without github.com.
func (r Repo) String() string {
	if strings.EqualFold(r.Host, GitHubHost) {
		return r.NameWithOwner()
	}
	return r.Full()
}

// Scope returns [Repo.String] in lower case, the spelling for comparisons.
func (r Repo) Scope() string { return lower(r.String()) }

// Item returns the name of item n of the repository.
func (r Repo) Item(n int) Item { return Item{r, n} }

// HostOf returns the host of a scope. A scope on github.com does not name it.
func HostOf(scope string) string {
	host, _, _, _ := splitRepo(scope)
	return cmp.Or(host, GitHubHost)
}
