package safetext

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns the same JSON with escapes (\u202e) for characters that JSON allows as they
// are but a terminal would act on or not show: DEL, C1 controls, direction marks,
// zero-width characters and the like. The value stays the same: such characters can only
// occur inside a string. A byte that is not UTF-8 becomes U+FFFD, as in every JSON reader.
func JSON(text []byte) []byte {
	if plain(text) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, `\ufffd`...)
		case r == '\n' || unicode.IsPrint(r):
			out = append(out, text[:size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out
}

// plain reports whether text is ASCII without DEL, as it nearly always is. JSON forbids the
// other control characters unless escaped.
func plain(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f {
			return false
		}
	}
	return true
}
