package fakegh

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// call is a gh command line, as far as the fake knows one.
type call struct {
	name   string // "issue list", "api reviews", …
	target string // "[host/]octo/a", with "#N" where there is a number, or a host
	repo   string // the target without its number
	number string
	labels []string
	fields []string // --json
}

func (c call) key() string { return strings.TrimSpace(c.name + " " + c.target) }

// api reports whether gh would print its errors the way gh api does.
func (c call) api() bool { return strings.HasPrefix(c.name, "api ") }

// The fields that the real gh knows, as far as the program may ask for them.
// closingIssuesReferences is not among them: no measured version has it. A
// file "fields" names those that this gh knows all the same.
var (
	issueFields = []string{"author", "body", "comments", "labels", "number", "state", "title", "updatedAt", "url"}
	pullFields  = append([]string{"headRefName", "isDraft", "reviews"}, issueFields...)
	repoFields  = []string{"hasIssuesEnabled", "isArchived", "nameWithOwner"}
)

// parseCall reads the arguments as strictly as gh does. Its error is what gh
// would print, less the usage.
func parseCall(args []string, more []string) (call, error) {
	if len(args) == 0 {
		return call{}, errors.New("fakegh: no command")
	}
	if args[0] == "--version" {
		return call{name: "version"}, nil
	}
	if args[0] == "api" {
		return parseAPI(args[1:])
	}
	if len(args) < 2 {
		return call{}, fmt.Errorf("fakegh: unknown command %q", args[0])
	}
	c := call{name: args[0] + " " + args[1]}
	known := map[string][]string{
		"issue list": issueFields, "issue view": issueFields,
		"pr list": pullFields, "pr view": pullFields, "repo view": repoFields,
	}
	fields, ok := known[c.name]
	if !ok {
		return call{}, fmt.Errorf("unknown command %q for \"gh %s\"", args[1], args[0])
	}
	if err := c.parseFlags(args[2:]); err != nil {
		return call{}, err
	}
	for _, f := range c.fields {
		if !slices.Contains(fields, f) && !slices.Contains(more, f) {
			//lint:ignore ST1005 gh's own words
			return call{}, fmt.Errorf("Unknown JSON field: %q\nAvailable fields:\n  %s", f, strings.Join(fields, "\n  "))
		}
	}
	return c, c.check()
}

func (c *call) parseFlags(args []string) error {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !strings.HasPrefix(a, "--") {
			if c.name == "repo view" {
				c.repo = a
			} else {
				c.number = a
			}
			continue
		}
		if i++; i >= len(args) {
			return fmt.Errorf("flag needs an argument: %s", a)
		}
		list := strings.HasSuffix(c.name, " list")
		switch {
		case a == "--repo" && c.name != "repo view":
			c.repo = args[i]
		case a == "--json":
			c.fields = strings.Split(args[i], ",")
		case a == "--label" && list:
			c.labels = append(c.labels, args[i])
		case a == "--limit" && list, a == "--state" && list && args[i] == "open":
		default:
			return fmt.Errorf("unknown flag: %s", a)
		}
	}
	return nil
}

var repoPattern = regexp.MustCompile(`^([A-Za-z0-9.:-]+/)?[A-Za-z0-9_-]+/[A-Za-z0-9._-]+$`)

// check completes the target.
func (c *call) check() error {
	if !repoPattern.MatchString(c.repo) {
		return fmt.Errorf("expected the \"[HOST/]OWNER/REPO\" format, got %q", c.repo)
	}
	if len(c.fields) == 0 {
		return errors.New("fakegh: --json is missing")
	}
	c.target = c.repo
	if strings.HasSuffix(c.name, " view") && c.name != "repo view" {
		if c.number == "" {
			return errors.New("accepts 1 arg(s), received 0")
		}
		c.target += "#" + c.number
	} else if c.number != "" {
		return fmt.Errorf("unknown argument %q", c.number)
	}
	return nil
}

var apiPaths = []struct {
	name    string
	pattern *regexp.Regexp
	paged   bool
}{
	{"api reviews", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/reviews\?per_page=100$`), true},
	{"api inline", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/comments\?per_page=100$`), true},
	{"api item", regexp.MustCompile(`^repos/([^/]+/[^/]+)/issues/(\d+)$`), false},
	{"api label", regexp.MustCompile(`^repos/([^/]+/[^/]+)/labels/([^/]+)$`), false},
	{"api repo", regexp.MustCompile(`^repos/([^/]+/[^/]+)$`), false},
}

func parseAPI(args []string) (call, error) {
	host, path, paged := "", "", false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--hostname" && i+1 < len(args):
			i++
			host = args[i]
		case a == "--paginate":
			paged = true
		case strings.HasPrefix(a, "-"):
			return call{}, fmt.Errorf("unknown flag: %s", a)
		case path != "":
			return call{}, errors.New("accepts 1 arg(s), received 2")
		default:
			path = a
		}
	}
	if path == "rate_limit" || path == "user" {
		if host == "" {
			host = "github.com"
		}
		return call{name: "api " + path, target: host}, nil
	}
	for _, p := range apiPaths {
		m := p.pattern.FindStringSubmatch(path)
		if m == nil || paged != p.paged {
			continue
		}
		c := call{name: p.name, repo: m[1]}
		if host != "" {
			c.repo = host + "/" + c.repo
		}
		c.target = c.repo
		if len(m) > 2 {
			c.number = m[2]
			c.target += "#" + c.number
		}
		return c, nil
	}
	return call{}, fmt.Errorf("fakegh: unknown path %q", path)
}
