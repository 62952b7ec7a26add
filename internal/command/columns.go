package command

import (
	"strings"
	"unicode"
)

// columns returns how many columns of a terminal a text takes at most. Terminals
// disagree about some characters; none draws a text wider than this.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += width(r)
	}
	return n
}

// width returns how many columns a character takes at most. U+FE0F takes none,
// but turns the character before it into an emoji of two.
func width(r rune) int {
	const emojiForm = 0xFE0F
	switch {
	case r < 0x300: // Latin, by far the most
		return 1
	case r == emojiForm:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100 || unicode.In(r, narrow()):
		return 1
	}
	return 2
}

// narrow returns the characters from U+1100 on that take one column everywhere:
// alphabets, punctuation and symbols without an emoji form.
func narrow() *unicode.RangeTable {
	return &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x1160, Hi: 0x22FF, Stride: 1}, // from Hangul vowels to mathematics
		{Lo: 0x2400, Hi: 0x25FC, Stride: 1}, // control pictures, boxes, shapes
		{Lo: 0x2713, Hi: 0x2718, Stride: 1}, // ticks and crosses
		{Lo: 0x2800, Hi: 0x28FF, Stride: 1}, // Braille
		{Lo: 0x2C00, Hi: 0x2DFF, Stride: 1}, // alphabets
		{Lo: 0xA4D0, Hi: 0xA95F, Stride: 1},
		{Lo: 0xAB00, Hi: 0xABFF, Stride: 1},
		{Lo: 0xFB00, Hi: 0xFDFF, Stride: 1},
		{Lo: 0xFE70, Hi: 0xFEFF, Stride: 1},
		{Lo: 0xFF61, Hi: 0xFFDC, Stride: 1}, // halfwidth forms
		{Lo: 0xFFFC, Hi: 0xFFFD, Stride: 1}, // the replacement character
	}}
}

// cut shortens a text to limit columns and ends it with "…" if it was longer.
func cut(text string, limit int) string {
	if columns(text) <= limit {
		return text
	}
	var b strings.Builder
	left := limit - 1
	for _, r := range text {
		if left -= width(r); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	if limit > 0 {
		b.WriteRune('…')
	}
	return b.String()
}
