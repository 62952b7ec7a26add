package fakegh

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// apiPath is a place in the REST API that the fake knows.
type apiPath struct {
	name    string
	pattern *regexp.Regexp
	paged   bool
}

func apiPaths() []apiPath {
	return []apiPath{
		{"api reviews", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/reviews\?per_page=100$`), true},
		{"api inline", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/comments\?per_page=100$`), true},
		{"api more reviews", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/reviews\?per_page=100&page=\d+$`), false},
		{"api more inline", regexp.MustCompile(`^repos/([^/]+/[^/]+)/pulls/(\d+)/comments\?per_page=100&page=\d+$`), false},
		{"api item", regexp.MustCompile(`^repos/([^/]+/[^/]+)/issues/(\d+)$`), false},
		{"api label", regexp.MustCompile(`^repos/([^/]+/[^/]+)/labels/([^/]+)$`), false},
		{"api repo", regexp.MustCompile(`^repos/([^/]+/[^/]+)$`), false},
	}
}

func parseAPI(args []string) (call, error) {
	host, paged := "", false
	var rest, fields []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--hostname" && i+1 < len(args):
			i++
			host = args[i]
		case a == "--hostname":
			return call{}, fmt.Errorf("flag needs an argument: %s", a)
		case a == "-f" && i+1 < len(args):
			i++
			fields = append(fields, args[i])
		case a == "--paginate":
			paged = true
		case strings.HasPrefix(a, "-"):
			return call{}, fmt.Errorf("unknown flag: %s", a)
		default:
			rest = append(rest, a)
		}
	}
	if len(rest) != 1 {
		return call{}, fmt.Errorf("accepts 1 arg(s), received %d", len(rest))
	}
	if rest[0] == "graphql" {
		return surveyCall(host, fields)
	}
	if len(fields) > 0 {
		return call{}, errors.New("fakegh: fields are for api graphql only")
	}
	return apiCall(host, rest[0], paged)
}

func apiCall(host, path string, paged bool) (call, error) {
	if path == "rate_limit" || path == "user" {
		if host == "" {
			host = defaultHost
		}
		return call{name: "api " + path, target: host, path: path}, nil
	}
	for _, p := range apiPaths() {
		m := p.pattern.FindStringSubmatch(path)
		if m == nil || paged != p.paged {
			continue
		}
		c := call{name: p.name, repo: m[1], path: path}
		if host != "" {
			c.repo = unwritten(host + "/" + c.repo)
		}
		c.target = c.repo
		if len(m) > 2 {
			c.number = m[2]
			c.target += "#" + c.number
		}
		return c, nil
	}
	return call{}, errors.New("fakegh: unknown path " + path)
}
