package fakegh

import (
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// call is a gh command line, as far as the fake knows one.
type call struct {
	name   string // "issue list", "api reviews", …
	target string // "[host/]octo/a", with "#N" where there is a number, or a host
	repo   string // the target without its number
	number string
	args   []string // what is no flag
	path   string   // of gh api, with its query
	labels []string
	// carried are the labels of pull requests in a listing without --label.
	carried []string
	fields  []string // --json
	// surveys are the repositories that gh api graphql asks about.
	surveys []surveyed
	// writes is set for a call that changes something.
	writes *writing
}

func (c call) key() string { return strings.TrimSpace(c.name + " " + c.target) }

const defaultHost = "github.com"

// unwritten strips github.com from a repository or a word of a line's key: both
// spellings mean the same. calls.log keeps the arguments as they came.
func unwritten(repo string) string {
	if len(repo) > len(defaultHost) && strings.EqualFold(repo[:len(defaultHost)+1], defaultHost+"/") {
		return repo[len(defaultHost)+1:]
	}
	return repo
}

// host returns the host that the call asks.
func (c call) host() string {
	first, _, more := strings.Cut(c.target, "/")
	switch {
	case strings.Count(c.target, "/") > 1 || !more && c.target != "":
		return first
	}
	return defaultHost
}

// api reports whether gh would print its errors the way gh api does.
func (c call) api() bool { return strings.HasPrefix(c.name, "api ") }

// The fields that the real gh knows, as far as the program asks for them.
// closingIssuesReferences is missing: no measured version has it. The file
// "fields" adds to them.
var (
	issueFields = []string{"author", "body", "comments", "labels", "number", "state", "title", "updatedAt", "url"}
	pullFields  = append([]string{"headRefName", "isCrossRepository", "isDraft", "reviews",
		"headRefOid", "mergeable", "reviewDecision", "statusCheckRollup"}, issueFields...)
	repoFields = []string{"hasIssuesEnabled", "isArchived", "nameWithOwner"}
)

// parseCall reads the arguments as strictly as gh does. Its error is gh's own
// text without the usage. An error that begins with "fakegh:" is about a call that
// gh would answer and the fake does not.
func parseCall(args []string, more []string) (call, error) {
	if len(args) == 0 {
		return call{}, errors.New("fakegh: no command")
	}
	switch args[0] {
	case "--version":
		return call{name: "version"}, nil
	case "api":
		return parseAPI(args[1:])
	case "issue", "pr", "repo":
	default:
		return call{}, unknown(args[0], "gh")
	}
	if len(args) < 2 {
		return call{}, fmt.Errorf("fakegh: unknown command %q", args[0])
	}
	c := call{name: args[0] + " " + args[1]}
	fields, ok := map[string][]string{
		"issue list": issueFields, "issue view": issueFields,
		"pr list": pullFields, "pr view": pullFields, "repo view": repoFields,
	}[c.name]
	if !ok {
		return call{}, unknown(args[1], "gh "+args[0])
	}
	if err := c.parseFlags(args[2:]); err != nil {
		return call{}, err
	}
	if err := c.checkArgs(); err != nil {
		return call{}, err
	}
	for _, f := range c.fields {
		if !slices.Contains(fields, f) && !slices.Contains(more, f) {
			//lint:ignore ST1005 gh's own words
			return call{}, fmt.Errorf("Unknown JSON field: %q\nAvailable fields:\n  %s", f, strings.Join(fields, "\n  "))
		}
	}
	return c, c.complete()
}

func unknown(command, of string) error { return fmt.Errorf("unknown command %q for %q", command, of) }

func (c *call) parseFlags(args []string) error {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !strings.HasPrefix(a, "-") {
			c.args = append(c.args, a)
			continue
		}
		if !c.knows(a) {
			return fmt.Errorf("unknown flag: %s", a)
		}
		if i++; i >= len(args) {
			if a == "--json" {
				//lint:ignore ST1005 gh's own words
				return errors.New("Specify one or more comma-separated fields for `--json`:")
			}
			return fmt.Errorf("flag needs an argument: %s", a)
		}
		if err := c.setFlag(a, args[i]); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether the command has that flag, among those the program uses.
func (c *call) knows(flag string) bool {
	switch flag {
	case "--json":
		return true
	case "--repo":
		return c.name != "repo view"
	case "--label", "--limit", "--state":
		return strings.HasSuffix(c.name, " list")
	}
	return false
}

func (c *call) setFlag(flag, value string) error {
	refuse := func(short, why string) error {
		return fmt.Errorf(`invalid argument %q for "-%s, %s" flag: %s`, value, short, flag, why)
	}
	switch flag {
	case "--repo":
		c.repo = value
	case "--json":
		c.fields = strings.Split(value, ",")
	case "--label":
		labels, err := csv.NewReader(strings.NewReader(value)).Read()
		if err != nil {
			return refuse("l", strings.ReplaceAll(err.Error(), "quoted field", "quoted-field"))
		}
		c.labels = append(c.labels, labels...)
	case "--limit":
		n, err := strconv.ParseInt(value, 0, 64)
		switch {
		case err != nil:
			return refuse("L", err.Error())
		case n < 1 && c.name == "pr list":
			return fmt.Errorf("invalid value for --limit: %d", n)
		case n < 1:
			return fmt.Errorf("invalid limit: %d", n)
		}
	case "--state":
		states := []string{"open", "closed", "all"}
		if c.name == "pr list" {
			states = []string{"open", "closed", "merged", "all"}
		}
		switch {
		case !slices.Contains(states, value):
			return refuse("s", "valid values are {"+strings.Join(states, "|")+"}")
		case value != "open":
			return errors.New("fakegh: only open items are listed")
		}
	}
	return nil
}

// checkArgs checks the arguments that are no flags first, as gh does.
func (c *call) checkArgs() error {
	given := len(c.args)
	switch {
	case strings.HasSuffix(c.name, " list"):
		if given == 1 {
			return fmt.Errorf("unknown argument %q; please quote all values that have spaces", c.args[0])
		}
		if given > 1 {
			return fmt.Errorf("unknown arguments %q; please quote all values that have spaces", c.args)
		}
	case c.name == "repo view":
		if given > 1 {
			return fmt.Errorf("accepts at most 1 arg(s), received %d", given)
		}
		if given == 0 || !strings.Contains(c.args[0], "/") {
			return errors.New("fakegh: repo view wants OWNER/REPO")
		}
		c.repo = c.args[0]
	default:
		if given != 1 {
			return fmt.Errorf("accepts 1 arg(s), received %d", given)
		}
		c.number = c.args[0]
	}
	return nil
}

var (
	repoPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9.:-]+/)?[A-Za-z0-9_-]+/[A-Za-z0-9._-]+$`)
	})
	fieldPattern  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.[a-z_]+$`) })
	numberPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[1-9][0-9]*$`)
	})
)

// complete fills in the target.
func (c *call) complete() error {
	if len(c.fields) == 0 {
		return errors.New("fakegh: --json is missing")
	}
	if !repoPattern().MatchString(c.repo) {
		err := fmt.Errorf("expected the \"[HOST/]OWNER/REPO\" format, got %q", c.repo)
		if c.name == "repo view" {
			return fmt.Errorf("argument error: %w", err)
		}
		return err
	}
	c.repo = unwritten(c.repo)
	c.target = c.repo
	if c.name != "issue view" && c.name != "pr view" {
		return nil
	}
	switch {
	case !numberPattern().MatchString(c.number) && c.name == "issue view":
		return fmt.Errorf("invalid issue format: %q", c.number)
	case !numberPattern().MatchString(c.number):
		return errors.New("fakegh: a pull request is known by its number only")
	case c.name == "pr view" && slices.Contains(c.fields, "statusCheckRollup"):
		c.name = "pr state"
	case !slices.Equal(c.fields, []string{"comments"}):
		return errors.New("fakegh: view answers with comments only")
	}
	c.target += "#" + c.number
	return nil
}
