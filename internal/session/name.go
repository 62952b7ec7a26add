package session

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"

	"the-loop/internal/ref"
)

const (
	maxName = 63 // a DNS-1123 label
	// hashLength base32 characters are 80 bits. Among a million items the odds that any
	// two share them are below one in 10^12, and these would also have to share the
	// repository's name and the number.
	hashLength = 16
)

// Name returns the name of the item's session: a DNS-1123 label of at most 63 characters
// (lower-case letters, digits and dashes), permanent and unique. It begins with
// repository and number, for people. The hash of the whole ref at its end makes it
// unique: the readable part holds neither owner nor host, and replacing dots by dashes
// can make two repositories alike.
func Name(item ref.Item) string {
	tail := "-" + strconv.Itoa(item.Number) + "-" + hashed(hashLength, item.String())
	return label(item.Name, maxName-len(tail)) + tail
}

// itemURL returns url if it is the address of the item's page or empty, and otherwise
// the address that the page must have.
func itemURL(item ref.Item, kind ref.Kind, url string) string {
	if found, ok := ref.ParseURL(url); url == "" || ok && found == item {
		return url
	}
	return item.URL(kind)
}

// label returns s, cut to limit, with a single dash for each run of characters that are
// no letters or digits, and none at either end.
func label(s string, limit int) string {
	var b strings.Builder
	for i := range len(s) {
		switch {
		case b.Len() >= limit:
		case inLabel(s[i]):
			b.WriteByte(s[i])
		case b.Len() > 0 && b.String()[b.Len()-1] != '-':
			b.WriteByte('-')
		}
	}
	if cut := strings.TrimRight(b.String(), "-"); cut != "" {
		return cut
	}
	return "item" // a repository called "-" or "__"
}

// hashed returns the first n base32 characters, in lower case, of the SHA-256 of parts,
// joined by NUL, which no part can contain.
func hashed(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	text := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])
	return strings.ToLower(text[:n])
}

// ValidName reports whether s is a DNS-1123 label and therefore a safe file name.
func ValidName(s string) bool {
	for i := range len(s) {
		if s[i] != '-' && !inLabel(s[i]) {
			return false
		}
	}
	return s != "" && len(s) <= maxName && s[0] != '-' && s[len(s)-1] != '-'
}

func inLabel(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
