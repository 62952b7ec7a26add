package fakegh

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A survey is one GraphQL query that asks what many repositories hold. The fake
// knows the one form in which the program writes it.

// surveyed is one repository's part of a survey.
type surveyed struct {
	alias, repo string
	fragment    string // its fields
}

func (s surveyed) asks(field string) bool {
	return strings.Contains(" "+s.fragment, " "+field+"(")
}

// filter says how many items of a list to return, and whether only those with the
// label.
func (s surveyed) filter(field string) (limit int, labelled bool) {
	m := regexp.MustCompile(` ` + field + `\(first:(\d+),states:OPEN(,labels:)?`).FindStringSubmatch(" " + s.fragment)
	if m == nil {
		return 0, false
	}
	limit, _ = strconv.Atoi(m[1])
	return limit, m[2] != ""
}

// label returns the label that the items must carry, "" for none.
func (s surveyed) label() string {
	m := regexp.MustCompile(`label\(name:("(?:[^"\\]|\\.)*")\)`).FindStringSubmatch(s.fragment)
	if m == nil {
		return ""
	}
	var name string
	if json.Unmarshal([]byte(m[1]), &name) != nil {
		return ""
	}
	return name
}

var (
	surveyPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^query\{rateLimit\{cost\}((?: r\d+:repository\(owner:"[^"]+",name:"[^"]+"\)\{\.\.\.q\d*\})+)\}((?: fragment q\d* on Repository\{.*?\})+)$`)
	})
	aliasPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` (r\d+):repository\(owner:"([^"]+)",name:"([^"]+)"\)\{\.\.\.(q\d*)\}`)
	})
	fragmentPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` fragment (q\d*) on Repository\{`)
	})
)

func surveyCall(host string, fields []string) (call, error) {
	if len(fields) != 1 || !strings.HasPrefix(fields[0], "query=") {
		return call{}, errors.New("fakegh: api graphql wants -f query=…")
	}
	if host == "" {
		host = defaultHost
	}
	c := call{name: "api graphql", target: host, path: "graphql"}
	m := surveyPattern().FindStringSubmatch(strings.TrimPrefix(fields[0], "query="))
	if m == nil {
		return call{}, fmt.Errorf("fakegh: this is no survey: %s", fields[0])
	}
	fragments := map[string]string{}
	starts := fragmentPattern().FindAllStringSubmatchIndex(m[2], -1)
	for i, at := range starts {
		end := len(m[2])
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		fragments[m[2][at[2]:at[3]]] = strings.TrimSuffix(m[2][at[1]:end], "}")
	}
	for _, a := range aliasPattern().FindAllStringSubmatch(m[1], -1) {
		fragment, ok := fragments[a[4]]
		if !ok {
			return call{}, fmt.Errorf("fakegh: there is no fragment %s", a[4])
		}
		repo := a[2] + "/" + a[3]
		if host != defaultHost {
			repo = host + "/" + repo
		}
		c.surveys = append(c.surveys, surveyed{alias: a[1], repo: repo, fragment: fragment})
	}
	return c, nil
}

// surveyReply reads "listed [| OWNER/REPO WORD …]…". A repository holds the items of
// the script's next listing, unless a word says otherwise:
//
//	off            its Issues are disabled
//	now NEW/NAME   its name is another one
//	label NAME     it spells the label so; none for no such label
//	gone           there is no such repository
//	broken, large  an error instead of its issues: any, or one for too large a query
func surveyReply(dir string, c call, text string) (reply, error) {
	parts := strings.Split(text, " | ")
	if parts[0] != "listed" {
		return reply{}, errors.New("a survey is answered with: listed, and what differs")
	}
	words := map[string][]string{}
	for _, part := range parts[1:] {
		fields := strings.Fields(part)
		words[strings.ToLower(fields[0])] = fields[1:]
	}
	data := map[string]any{"rateLimit": map[string]any{"cost": 1}}
	var faults []any
	var said []string
	for _, s := range c.surveys {
		object, fault, err := surveyOne(dir, s, words[strings.ToLower(s.repo)])
		if err != nil {
			return reply{}, err
		}
		data[s.alias] = object
		if fault != nil {
			faults = append(faults, fault)
			said = append(said, "gh: "+fault["message"].(string))
		}
	}
	answer := map[string]any{"data": data}
	if faults == nil {
		out, err := json.Marshal(answer)
		return reply{stdout: string(out)}, err
	}
	answer["errors"] = faults
	out, err := json.Marshal(answer)
	return reply{code: 1, stdout: string(out), stderr: strings.Join(said, "\n")}, err
}

// surveyOne returns a repository's part of the answer, or the error in its place. The
// words say how it differs from the script.
func surveyOne(dir string, s surveyed, words []string) (object any, fault map[string]any, err error) {
	repo, err := scripted(dir, s)
	if err != nil || len(words) == 0 {
		return repo, nil, err
	}
	broken := func(kind, message string) map[string]any {
		repo["issues"] = nil
		return map[string]any{"type": kind, "path": []any{s.alias, "issues"}, "message": message}
	}
	switch words[0] {
	case "off":
		repo["hasIssuesEnabled"] = false
	case "now":
		repo["nameWithOwner"] = words[1]
	case "label":
		repo["label"] = map[string]any{"name": words[1]}
		if words[1] == "none" {
			repo["label"] = nil
		}
	case "gone":
		return nil, map[string]any{"type": "NOT_FOUND", "path": []any{s.alias},
			"message": "Could not resolve to a Repository with the name '" + s.repo + "'."}, nil
	case "broken":
		return repo, broken("", wrongText), nil
	case "large":
		return repo, broken("RESOURCE_LIMITS_EXCEEDED", "Resource limits for this query exceeded."), nil
	default:
		return nil, nil, fmt.Errorf("no repository is %q", words[0])
	}
	return repo, nil, nil
}

// scripted returns a repository that holds the items of the script's next listings.
func scripted(dir string, s surveyed) (map[string]any, error) {
	parts := strings.Split(s.repo, "/")
	repo := map[string]any{"nameWithOwner": strings.Join(parts[len(parts)-2:], "/"), "hasIssuesEnabled": true}
	if label := s.label(); label != "" {
		repo["label"] = map[string]any{"name": label}
	}
	for field, kind := range map[string]string{"issues": "issue list", "pullRequests": "pr list", "labelled:pullRequests": "pr list"} {
		if !s.asks(field) {
			continue
		}
		limit, labelled := s.filter(field)
		items, err := nextListing(dir, kind, s, labelled)
		if err != nil {
			return nil, err
		}
		key, _, _ := strings.Cut(field, ":")
		repo[key] = map[string]any{"totalCount": len(items), "nodes": items[:min(len(items), limit)]}
	}
	if s.asks("labels") {
		names, err := labelNames(dir, s)
		if err != nil {
			return nil, err
		}
		repo["labels"] = map[string]any{"totalCount": len(names), "nodes": names}
	}
	return repo, nil
}

// labelNames returns the repository's labels: the-loop if the script's next listings
// hold an item, otherwise none.
func labelNames(dir string, s surveyed) ([]any, error) {
	for _, kind := range []string{"issue list", "pr list"} {
		items, err := nextListing(dir, kind, s, true)
		if err != nil {
			return nil, err
		}
		if len(items) > 0 {
			return []any{map[string]any{"name": "the-loop"}}, nil
		}
	}
	return []any{}, nil
}

// nextListing returns the script's answer to the next listing of a kind, with or
// without a label. A fault lists nothing.
func nextListing(dir, kind string, s surveyed, labelled bool) ([]any, error) {
	text, err := os.ReadFile(filepath.Join(dir, "script"))
	if err != nil {
		return nil, err
	}
	lines, err := parseScript(string(text))
	if err != nil {
		return nil, err
	}
	listing := call{name: kind, repo: s.repo, target: s.repo, fields: []string{"number", "updatedAt"}}
	if labelled {
		listing.labels = []string{s.label()}
	}
	for _, l := range lines {
		if !l.fits(listing) {
			continue
		}
		n, err := counted(dir, l)
		if err != nil {
			return nil, err
		}
		answer, _, err := modifiers(dir, l.nth(n+1))
		if _, faulty := faults()[answer]; faulty || err != nil {
			return []any{}, err
		}
		out, err := render(dir, listing, answer)
		if err != nil {
			return nil, err
		}
		var items []any
		if err := json.Unmarshal([]byte(out), &items); err != nil {
			return nil, err
		}
		return onlyFields(items, listing.fields), nil
	}
	return []any{}, nil
}

func onlyFields(items []any, fields []string) []any {
	narrow := make([]any, len(items))
	for i, item := range items {
		all, _ := item.(map[string]any)
		one := map[string]any{}
		for _, f := range fields {
			one[f] = all[f]
		}
		narrow[i] = one
	}
	return narrow
}
