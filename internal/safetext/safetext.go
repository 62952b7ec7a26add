// Package safetext makes foreign text (a title, a child's stderr, a server's message)
// safe to store and show.
//
// [Line] and [Strip] guarantee valid UTF-8 in one line without control,
// bidirectional, zero-width or otherwise invisible characters, so that no
// text can move the cursor, recolour a terminal, hide a part of itself or add
// a line to a log. [Redact] removes likely credentials. It knows only the forms
// of GitHub and of URLs; a secret of another form passes. It is a second line of
// defence and never a reason to log a secret.
//
// It imports only the standard library.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s as one line for a terminal. Each run of white space, line breaks
// included, becomes one space; leading and trailing white space goes. Every unsafe byte or
// character becomes U+FFFD, so that a reader notices it.
func Line(s string) string { return oneLine(s, true) }

// Strip returns s as one line like [Line], but removes unsafe characters. It cuts a result
// longer than limit characters to limit, with "…" as the last. A limit of 0 or less cuts
// nothing.
func Strip(s string, limit int) string {
	s = oneLine(s, false)
	if limit <= 0 || utf8.RuneCountInString(s) <= limit {
		return s
	}
	kept := 0
	for i := range s {
		if kept == limit-1 {
			return s[:i] + "…"
		}
		kept++
	}
	return s
}

// maxQuoted limits quoted text in a message, in characters.
const maxQuoted = 200

// Quote returns s for use in a message: like [Strip], short and in quotes.
func Quote(s string) string { return `"` + Strip(s, maxQuoted) + `"` }

func oneLine(s string, replace bool) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if hidden(r) || r == utf8.RuneError && size == 1 {
			if !replace {
				continue
			}
			r = utf8.RuneError
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// hidden reports whether r is unsafe to show. unicode.IsPrint rejects control, format
// (bidirectional, zero-width, tags), private and unassigned characters. The list here
// adds invisible letters and marks, which could hide a text. The two variation selectors
// that choose between a character's text and emoji forms stay.
func hidden(r rune) bool {
	const textForm, emojiForm, blankBraille = 0xFE0E, 0xFE0F, 0x2800
	switch {
	case r == textForm || r == emojiForm:
		return false
	case r == blankBraille || !unicode.IsPrint(r):
		return true
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
