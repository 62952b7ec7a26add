package safetext

import (
	"regexp"
	"sync"
)

// removed replaces a secret.
const removed = "[redacted]"

// secrets lists the known forms and their replacements, in the order of replacement. The
// parts of a URL come first, since each can contain a token.
//
// A word boundary alone would miss a token glued to the text before it, as in
// %3Aghp_…; without a boundary, the length identifies a token.
//
// Compiled on first use, since most commands redact nothing.
var secrets = sync.OnceValue(func() []secret {
	return []secret{
		// The path of a URL may hold an @; it is spared only when no colon, and
		// so no password, stands before it.
		{regexp.MustCompile(`://[^\s/?#"'<>:]*:[^\s"'<>]*@`), "://" + removed + "@"},
		{regexp.MustCompile(`://[^\s/?#"'<>]*@`), "://" + removed + "@"},
		{regexp.MustCompile(`[\w.~%+-]+:[^\s/@:"'<>]+@([A-Za-z0-9\[])`), removed + "@$1"},
		// A query can be a link's whole secret (single sign-on); a fragment is one only in
		// the form of a query.
		{regexp.MustCompile(`(://[^\s?#"'<>]*)\?[^\s"'<>]*`), "$1?" + removed},
		{regexp.MustCompile(`(://[^\s?#"'<>]*)#[^\s"'<>]*=[^\s"'<>]*`), "$1#" + removed},
		{regexp.MustCompile(`(?i)github_pat_\w+`), removed},
		{regexp.MustCompile(`(?i)\bgh[a-z0-9]_[\w.-]*\w`), removed},
		{regexp.MustCompile(`(?i)gh[oprsu]_[a-z0-9]{20}(?:[\w.-]*\w)?`), removed},
		{
			regexp.MustCompile(`(?i)\b(authorization["']?[:=]\s*["']?(?:basic|bearer|token))\s+[^\s"',]+`),
			"$1 " + removed,
		},
	}
})

type secret struct {
	form *regexp.Regexp
	rest string
}

// Redact returns s with "[redacted]" in place of GitHub tokens (gh?_…, github_pat_…), the
// user and password of a URL or of user:password@host, the query of a URL, and the
// credentials after "Authorization: bearer". It works on plain text: first remove
// characters that could hide inside a secret, with [Strip].
func Redact(s string) string {
	for _, secret := range secrets() {
		s = secret.form.ReplaceAllString(s, secret.rest)
	}
	return s
}
