// Package ref names repositories and their issues and pull requests. It has the only
// grammar of hosts, owners, repositories and numbers, and reads and writes each of
// their spellings: OWNER/REPO, the scope, the ref and the address of an item's page. A
// name that it accepts is safe as a word of a command line and, in lower case, as a
// file name.
//
// It is a leaf: it imports internal/safetext and nothing else of the program.
package ref

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Prefix starts the ref of every item on GitHub, whichever the host.
const Prefix = "github:"

// Kind distinguishes issues from pull requests, spelled as in records and for handlers.
type Kind string

// The kinds of work item.
const (
	Issue       Kind = "issue"
	PullRequest Kind = "pull-request"
)

// Item is the permanent name of an issue or pull request. Two Items from [New] or
// [Parse] are equal if they name the same one.
type Item struct {
	Repo
	Number int `json:"number"` // > 0
}

// New returns the Item with these parts, in lower case. An empty host means github.com.
// The error names the part that GitHub would not allow.
func New(host, owner, name string, number int) (Item, error) {
	repo := Repo{lower(cmp.Or(host, GitHubHost)), lower(owner), lower(name)}
	if fault := repo.fault(); fault != "" {
		return Item{}, errors.New(fault)
	}
	if number <= 0 {
		return Item{}, fmt.Errorf("%d is not the number of an issue or pull request", number)
	}
	return repo.Item(number), nil
}

// Parse reads github:[host/]owner/repo#N in any case and returns the Item in lower case.
func Parse(s string) (Item, error) {
	item, err := parse(s)
	if err != nil {
		return Item{}, fmt.Errorf("ref %q: %w", s, err)
	}
	return item, nil
}

func parse(s string) (Item, error) {
	if len(s) < len(Prefix) || !strings.EqualFold(s[:len(Prefix)], Prefix) {
		return Item{}, malformed()
	}
	scope, digits, ok := strings.Cut(s[len(Prefix):], "#")
	if !ok {
		return Item{}, malformed()
	}
	number, ok := ParseNumber(digits)
	if !ok {
		return Item{}, fmt.Errorf("%q is not the number of an issue or pull request", digits)
	}
	host, owner, name, parts := splitRepo(scope)
	if parts != 2 && (parts != 3 || host == "") {
		return Item{}, malformed()
	}
	return New(host, owner, name, number)
}

func malformed() error { return errors.New("want github:[host/]owner/repo#N") }

// String returns github:<scope>#N, the only spelling that is stored and shown.
func (i Item) String() string { return Prefix + i.Scope() + "#" + strconv.Itoa(i.Number) }

// Short returns the ref without its prefix, for people.
func Short(ref string) string { return strings.TrimPrefix(ref, Prefix) }
