package github

import (
	"regexp"
	"strconv"
	"strings"

	"the-loop/gh"
)

// linkPatterns are the ways in which people write which issue a pull request
// works on, where GitHub itself does not tell. See GitHub's "Linking a pull
// request to an issue" for the keywords.
type linkPatterns struct {
	branch, keyword *regexp.Regexp
}

func newLinkPatterns() linkPatterns {
	return linkPatterns{
		branch: regexp.MustCompile(`(?i)(?:^|[/_.-])issue[-/]([1-9][0-9]{0,9})(?:[^0-9]|$)`),
		keyword: regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+` +
			`(?:https?://([a-z0-9.:-]+)/([\w.-]+/[\w.-]+)/issues/|([\w.-]+/[\w.-]+)?#)([1-9][0-9]{0,9})\b`),
	}
}

// linked are the refs of the issues that a pull request works on, the most
// telling first, and the pull request's own ref last.
func (l linkPatterns) linked(r *repository, pr gh.PullRequest) []string {
	var refs []string
	seen := map[string]bool{}
	add := func(scope string, number int) {
		ref := refPrefix + scope + "#" + strconv.Itoa(number)
		if !seen[ref] && number > 0 {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	for _, c := range pr.Closing {
		add(gh.Repo{Host: c.Host, Owner: c.Owner, Name: c.Name}.Scope(), c.Number)
	}
	if m := l.branch.FindStringSubmatch(pr.HeadRefName); m != nil {
		add(r.scope, atoi(m[1]))
	}
	for _, m := range l.keyword.FindAllStringSubmatch(pr.Body, maxKeywords) {
		switch {
		case m[2] != "":
			owner, name, _ := strings.Cut(m[2], "/")
			add(gh.Repo{Host: strings.ToLower(m[1]), Owner: owner, Name: name}.Scope(), atoi(m[4]))
		case m[3] != "":
			owner, name, _ := strings.Cut(m[3], "/")
			add(gh.Repo{Host: r.Host, Owner: owner, Name: name}.Scope(), atoi(m[4]))
		default:
			add(r.scope, atoi(m[4]))
		}
	}
	own := refPrefix + r.scope + "#" + strconv.Itoa(pr.Number)
	if seen[own] { // said of itself: it stays the last
		refs = remove(refs, own)
	}
	return append(refs, own)
}

// maxKeywords bounds what a body full of keywords can cost.
const maxKeywords = 20

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // at most ten digits
	return n
}

func remove(list []string, s string) []string {
	kept := list[:0]
	for _, x := range list {
		if x != s {
			kept = append(kept, x)
		}
	}
	return kept
}
