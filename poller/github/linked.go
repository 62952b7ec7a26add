package github

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"the-loop/gh"
	"the-loop/internal/prose"
	"the-loop/internal/ref"
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
		keyword: regexp.MustCompile(`(?i)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+` +
			`(?:https?://([a-z0-9.:-]+)/([\w.-]+/[\w.-]+)/issues/|([\w.-]+/[\w.-]+)?#)([1-9][0-9]{0,9})`),
	}
}

// linked are the refs of the issues that a pull request works on, the most
// telling first, and the pull request's own ref last. A name that no repository
// can have is no link.
func (l linkPatterns) linked(r *repository, pr gh.PullRequest) []string {
	found := links{own: r.Item(pr.Number).String(), seen: map[string]bool{}}
	for _, c := range pr.Closing {
		found.add(c)
	}
	// A fork's branch is named by its owner, who may be anybody.
	if m := l.branch.FindStringSubmatch(pr.HeadRefName); m != nil && !pr.IsCrossRepository && isASCII(m[0]) {
		found.read(r.Repo, "", m[1])
	}
	for _, m := range l.keywords(pr.Body) {
		here := r.Repo
		if m[1] != "" {
			here.Host = m[1]
		}
		found.read(here, m[2]+m[3], m[4])
	}
	return append(found.refs, found.own)
}

// links gathers refs, each once.
type links struct {
	own  string // of the pull request, which does not work on itself
	refs []string
	seen map[string]bool
}

// read adds what a person wrote in here: maybe OWNER/REPO, and a number.
func (l *links) read(here ref.Repo, name, digits string) {
	if name != "" {
		there, err := ref.ParseRepo(name, here.Host)
		if err != nil {
			return
		}
		here = there
	}
	if number, err := strconv.Atoi(digits); err == nil {
		l.add(ref.Item{Repo: here, Number: number})
	}
}

func (l *links) add(item ref.Item) {
	if item.Number <= 0 || item.Check() != nil {
		return
	}
	if link := item.String(); link != l.own && !l.seen[link] {
		l.seen[link] = true
		l.refs = append(l.refs, link)
	}
}

// maxKeywords bounds what a body full of keywords can cost.
const maxKeywords = 20

// keywords are the matches of the keyword pattern where GitHub reads keywords: in
// a sentence of the author's own, as words of their own.
func (l linkPatterns) keywords(body string) [][]string {
	if !strings.Contains(body, "#") && !strings.Contains(body, "/issues/") {
		return nil
	}
	text := prose.Of(body)
	var found [][]string
	for _, at := range l.keyword.FindAllStringSubmatchIndex(text, -1) {
		if len(found) == maxKeywords {
			break
		}
		if !isASCII(text[at[0]:at[1]]) || joinedBefore(text[:at[0]]) || joinedAfter(text[at[1]:]) {
			continue
		}
		groups := make([]string, len(at)/2)
		for i := range groups {
			if from := at[2*i]; from >= 0 {
				groups[i] = text[from:at[2*i+1]]
			}
		}
		found = append(found, groups)
	}
	return found
}

// joinedBefore reports whether a word that follows the text is only the end of
// one, as in "prefixes" or "hot-fixes".
func joinedBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (inWord(r) || strings.ContainsRune("-/#@.&\\", r))
}

// joinedAfter reports whether a number before the text is only the beginning of
// something else, as in "#12abc", "#1.5" or an address that goes on.
func joinedAfter(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	if text == "" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[size:])
	switch {
	case inWord(r), strings.ContainsRune("/#\\", r):
		return true
	case strings.ContainsRune("-?&=:", r):
		return inWord(next)
	}
	return r == '.' && unicode.IsDigit(next)
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isASCII refuses what the patterns take for a letter without regard to case and
// is another one: the long s, and the sign of the kelvin.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
