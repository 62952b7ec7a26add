package ref

import (
	"strconv"
	"strings"

	"the-loop/internal/safetext"
)

// The greatest lengths. The first three are DNS's, the last two GitHub's.
const (
	maxHost  = 253
	maxLabel = 63
	maxPort  = 65535
	maxOwner = 39
	maxName  = 100
)

// ValidHost reports whether s can be the host of a GitHub: a DNS name with a
// dot in it, or localhost, and maybe a port after it.
func ValidHost(s string) bool {
	name, port, hasPort := strings.Cut(s, ":")
	if n, ok := ParseNumber(port); hasPort && (!ok || n > maxPort) {
		return false
	}
	if len(name) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !validLabel(label) {
			return false
		}
	}
	return strings.Contains(name, ".") || strings.EqualFold(name, "localhost")
}

func validLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && consistsOf(s, "-") && s[0] != '-' && s[len(s)-1] != '-'
}

// ValidOwner reports whether s can be an owner. GitHub gives letters, digits and
// single hyphens inside to new ones, and the underscore before the short code to
// the accounts that an enterprise manages. Older owners end in hyphens or have
// several in a row.
func ValidOwner(s string) bool {
	return s != "" && len(s) <= maxOwner && alphanumeric(s[0]) && consistsOf(s, "-_")
}

// ValidName reports whether s can be a repository's own name.
func ValidName(s string) bool {
	return s != "" && len(s) <= maxName && consistsOf(s, "-_.") && s != "." && s != ".."
}

// IsNameWithOwner reports whether s can be the OWNER/REPO of an answer. That is
// looser than what a person may write: the oldest accounts have names that GitHub
// no longer allows.
func IsNameWithOwner(s string) bool {
	owner, name, _ := strings.Cut(s, "/")
	return owner != "" && len(owner) <= maxName && consistsOf(owner, "-_") &&
		name != "" && len(name) <= maxName && consistsOf(name, "-_.")
}

// ParseNumber reads the number of an item. It takes the one spelling that Itoa
// gives back, so that two spellings can never be two records of one item.
func ParseNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

// consistsOf reports whether s holds only letters, digits and the bytes of
// others.
func consistsOf(s, others string) bool {
	for i := range len(s) {
		if !alphanumeric(s[i]) && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// lower maps A-Z only: strings.ToLower would make a k of the Kelvin sign and so
// allow a name that GitHub does not.
func lower(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

// quote shows s in an error, as one short line.
func quote(s string) string { return `"` + safetext.Strip(s, 200) + `"` }
