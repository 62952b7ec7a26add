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

// linkPatterns match the ways in which people name the issue of a pull request, for
// links that GitHub itself does not report. See GitHub's "Linking a pull request to
// an issue" for the keywords.
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

// linked returns the refs of the issues on which a pull request works, the strongest
// link first, and the pull request's own ref last. An impossible repository name is
// no link.
func (l linkPatterns) linked(r *repository, pr gh.PullRequest) []string {
	found := links{own: r.Item(pr.Number).String(), seen: map[string]bool{}}
	for _, c := range pr.Closing {
		found.add(c)
	}
	// The owner of a fork, who can be anyone, names its branches.
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

// links collects refs, each once.
type links struct {
	own  string // ref of the pull request, which does not work on itself
	refs []string
	seen map[string]bool
}

// read adds a reference that a person wrote in the repository here: OWNER/REPO, or "",
// and a number.
func (l *links) read(here ref.Repo, name, digits string) {
	if name != "" {
		there, err := ref.ParseRepo(name, here.Host)
		if err != nil {
			return
		}
		here = there
	}
	if number, err := strconv.Atoi(digits); err == nil {
		l.add(here.Item(number))
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

// maxKeywords limits the cost of a body full of keywords.
const maxKeywords = 20

// keywords returns the matches of the keyword pattern where GitHub would read them: in
// the author's own sentences, as separate words.
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

// joinedBefore reports whether the word after the text is only the end of a longer
// one, as in "prefixes" or "hot-fixes".
func joinedBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (inWord(r) || strings.ContainsRune("-/#@.&\\", r))
}

// joinedAfter reports whether the number before the text is only the start of
// something longer, as in "#12abc", "#1.5" or a longer address.
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

// isASCII refuses letters that a pattern without case confuses with ASCII: the long s
// and the Kelvin sign.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
