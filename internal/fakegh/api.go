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

// apiFlags are the flags of one gh api call.
type apiFlags struct {
	host, method, query, input string
	paged, silent              bool
	fields, rest               []string
}

// values returns where the value of a flag goes, nil for a flag without one.
func (f *apiFlags) values() map[string]func(string) {
	return map[string]func(string){
		"--hostname": func(v string) { f.host = v },
		"--method":   func(v string) { f.method = v },
		"--jq":       func(v string) { f.query = v },
		"--input":    func(v string) { f.input = v },
		"-f":         func(v string) { f.fields = append(f.fields, v) },
	}
}

func parseAPI(args []string) (call, error) {
	var f apiFlags
	values := f.values()
	for i := 0; i < len(args); i++ {
		a := args[i]
		set, takes := values[a]
		switch {
		case takes && i+1 == len(args):
			return call{}, fmt.Errorf("flag needs an argument: %s", a)
		case takes:
			i++
			set(args[i])
		case a == "--paginate":
			f.paged = true
		case a == "--silent":
			f.silent = true
		case strings.HasPrefix(a, "-"):
			return call{}, fmt.Errorf("unknown flag: %s", a)
		default:
			f.rest = append(f.rest, a)
		}
	}
	if len(f.rest) != 1 {
		return call{}, fmt.Errorf("accepts 1 arg(s), received %d", len(f.rest))
	}
	switch {
	case f.method != "":
		return writingCall(f)
	case f.query != "" || f.input != "" || f.silent:
		return call{}, errors.New("fakegh: --jq, --input and --silent go with --method only")
	case f.rest[0] == "graphql":
		return surveyCall(f.host, f.fields)
	case len(f.fields) > 0:
		return call{}, errors.New("fakegh: fields are for api graphql only")
	}
	return apiCall(f.host, f.rest[0], f.paged)
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
