// Package ref names what the program is about: repositories and their issues and
// pull requests. It holds the one grammar of hosts, owners, repositories and
// numbers, and reads and writes each of their spellings: OWNER/REPO, the scope, the
// ref and the address of an item's page. A name that it has read is safe as a word
// of a command line and, in lower case, as the name of a file.
//
// It is a leaf: it imports internal/safetext and nothing else of the program.
package ref

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Prefix starts the ref of every item on GitHub, whichever the host.
const Prefix = "github:"

// Kind tells issues and pull requests apart, spelled as handlers and records spell
// it.
type Kind string

// The kinds of work item.
const (
	Issue       Kind = "issue"
	PullRequest Kind = "pull-request"
)

// Item names an issue or pull request for ever. Two Items of [New] or [Parse] are
// equal when they name the same one.
type Item struct {
	Repo
	Number int `json:"number"` // > 0
}

// New is the Item with these parts, in any case; an empty host is github.com. The
// Item is in lower case. The error says which part GitHub would not allow.
func New(host, owner, name string, number int) (Item, error) {
	if host == "" {
		host = GitHubHost
	}
	switch {
	case !ValidHost(host):
		return Item{}, fmt.Errorf("%q is not a host name", host)
	case !ValidOwner(owner):
		return Item{}, fmt.Errorf("%q is not the name of a GitHub user or organization", owner)
	case !ValidName(name):
		return Item{}, fmt.Errorf("%q is not the name of a GitHub repository", name)
	case number <= 0:
		return Item{}, fmt.Errorf("%d is not the number of an issue or pull request", number)
	}
	return Item{Repo{lower(host), lower(owner), lower(name)}, number}, nil
}

// Parse reads github:[host/]owner/repo#N, in any case. The Item is in lower case.
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

// String is github:<scope>#N, the one spelling that is stored and shown.
func (i Item) String() string { return Prefix + i.Scope() + "#" + strconv.Itoa(i.Number) }

// Short is the ref without its prefix, as people read it.
func Short(ref string) string { return strings.TrimPrefix(ref, Prefix) }
