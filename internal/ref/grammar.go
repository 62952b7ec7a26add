package ref

import (
	"strconv"
	"strings"
)

// The limits. The first three are those of DNS and TCP, the last two GitHub's.
const (
	maxHost  = 253
	maxLabel = 63
	maxPort  = 65535
	maxOwner = 39
	maxName  = 100
)

// ValidHost reports whether s can be a GitHub host: a DNS name with a dot, or localhost,
// with an optional port.
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

// ValidOwner reports whether s can be an owner. New owners consist of letters, digits
// and single hyphens inside; accounts that an enterprise manages also have an
// underscore before the short code. Older owners can end in hyphens or have several in
// a row.
func ValidOwner(s string) bool {
	return s != "" && len(s) <= maxOwner && alphanumeric(s[0]) && consistsOf(s, "-_")
}

// ValidName reports whether s can be the name of a repository, without its owner.
func ValidName(s string) bool {
	return s != "" && len(s) <= maxName && consistsOf(s, "-_.") && s != "." && s != ".."
}

// IsNameWithOwner reports whether s can be the OWNER/REPO in an answer of GitHub's. It
// accepts more than [ParseRepo]: the oldest accounts have names that GitHub no longer
// allows.
func IsNameWithOwner(s string) bool {
	owner, name, _ := strings.Cut(s, "/")
	return owner != "" && len(owner) <= maxName && consistsOf(owner, "-_") &&
		name != "" && len(name) <= maxName && consistsOf(name, "-_.")
}

// ParseNumber reads the number of an item. It accepts only the spelling of Itoa, so that
// one item can never have two records.
func ParseNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

// consistsOf reports whether s holds only letters, digits and the bytes of others.
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

// lower maps only A-Z: strings.ToLower would turn the Kelvin sign into a k and so accept
// a name that GitHub does not.
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
