package fakegh

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	epoch       = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	itemPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^#(\d+)(?:-(\d+))?(!)?(?:~(\d+))?(?:@([^ ="^]*))?(?:=([^ "^]*))?(?:\^(\d+))?((?:"(?:[^"\\]|\\.)*"){0,2})(?: +|$)`)
	})
	commentPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9_-]+)@([^ "]*) +("(?:[^"\\]|\\.)*")(?: +|$)`)
	})
	quotedPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	})
)

func address(c call, n int) string {
	repo := c.repo
	if strings.Count(repo, "/") == 1 {
		repo = "github.com/" + repo
	}
	kind := "issues"
	if strings.HasPrefix(c.name, "pr ") {
		kind = "pull"
	}
	return fmt.Sprintf("https://%s/%s/%d", repo, kind, n)
}

// renderItems reads #N[-M][!][~REVISION][@AUTHOR][=BRANCH][^CLOSES]["TITLE"["BODY"]] …
func renderItems(c call, text string) (any, error) {
	items := []any{}
	for text != "" {
		m := itemPattern().FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("no item at %q", text)
		}
		text = text[len(m[0]):]
		first, _ := strconv.Atoi(m[1])
		last := first
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		if m[3] != "" && len(c.labels) > 0 {
			continue // GitHub's search passes over it
		}
		for n := first; n <= last; n++ {
			item, err := renderItem(c, n, m)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
	}
	return items, nil
}

func renderItem(c call, n int, m []string) (any, error) {
	revision, _ := strconv.Atoi(m[4])
	author := "octocat"
	if strings.Contains(m[0], "@") {
		author = m[5]
	}
	all := map[string]any{
		"number": n, "title": fmt.Sprintf("Item %d", n), "body": "", "state": "OPEN",
		"updatedAt": epoch.Add(time.Duration(n)*time.Hour + time.Duration(revision)*time.Minute).Format(time.RFC3339),
		"url":       address(c, n), "author": map[string]any{"login": author},
		"labels": labels(c, m[3] != ""), "headRefName": m[6], "isCrossRepository": false, "isDraft": false, "comments": []any{}, "reviews": []any{},
	}
	for i, q := range quotedPattern().FindAllString(m[8], 2) {
		s, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		all[[]string{"title", "body"}[i]] = s
	}
	if _, branch, ok := strings.Cut(m[6], ":"); ok { // as GitHub shows a fork's
		all["headRefName"], all["isCrossRepository"] = branch, true
	}
	all["closingIssuesReferences"] = closing(c, m[7])
	item := map[string]any{}
	for _, f := range c.fields {
		item[f] = all[f]
	}
	return item, nil
}

// closing lists the issues that a pull request closes: none, or one.
func closing(c call, number string) []any {
	n, err := strconv.Atoi(number)
	if err != nil {
		return []any{}
	}
	issue := call{name: "issue list", repo: c.repo}
	parts := strings.Split(c.repo, "/")
	return []any{map[string]any{
		"number": n, "url": address(issue, n),
		"repository": map[string]any{"name": parts[len(parts)-1], "owner": map[string]any{"login": parts[len(parts)-2]}},
	}}
}

func labels(c call, none bool) []any {
	out := []any{}
	names := c.labels
	switch {
	case none:
		return out
	case len(names) == 0 && c.name == "pr list":
		names = c.carried
	}
	for _, l := range names {
		out = append(out, map[string]any{"name": l})
	}
	return out
}

// renderConversation reads ID@AUTHOR "TEXT" … and prints it in the call's shape.
func renderConversation(c call, text string) (any, error) {
	list := []any{}
	if text == "none" {
		text = ""
	}
	for n := 1; text != ""; n++ {
		m := commentPattern().FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("no comment at %q", text)
		}
		text = text[len(m[0]):]
		body, err := strconv.Unquote(m[3])
		if err != nil {
			return nil, err
		}
		at := epoch.Add(time.Duration(n) * time.Minute).Format(time.RFC3339)
		url := "https://github.com/" + c.repo + "#" + m[1]
		switch c.name {
		case "api reviews", "api more reviews":
			list = append(list, map[string]any{"node_id": m[1], "user": map[string]any{"login": m[2]}, "state": "COMMENTED", "body": body, "html_url": url, "submitted_at": at})
		case "api inline", "api more inline":
			list = append(list, map[string]any{"node_id": m[1], "user": map[string]any{"login": m[2]}, "body": body, "html_url": url, "created_at": at, "path": "main.go", "line": n})
		default:
			list = append(list, map[string]any{"id": m[1], "author": map[string]any{"login": m[2]}, "body": body, "url": url, "createdAt": at})
		}
	}
	if c.api() {
		return list, nil
	}
	return map[string]any{"comments": list}, nil
}
