package safetext

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns valid JSON with escapes (\u202e) for what JSON allows to stand in
// the open but a terminal would act on or not show: DEL, C1 controls, direction
// marks, zero-width characters and the like. The value stays the same. Such a
// character can only stand inside a string; a byte that is not UTF-8 becomes
// U+FFFD there, as every reader of JSON would take it.
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

// plain reports whether text is of printable ASCII alone, as nearly all of it
// is. The other ASCII controls cannot stand in the open in JSON.
func plain(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f {
			return false
		}
	}
	return true
}
