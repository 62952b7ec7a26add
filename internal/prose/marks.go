package prose

import (
	"strings"
	"unicode"
)

func blank(s string) bool { return strings.Trim(s, " ") == "" }

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// cutQuoteMark removes the mark of a block quote and the space after it.
func cutQuoteMark(s string) (string, bool) {
	if indentOf(s) >= 4 {
		return s, false
	}
	after, ok := strings.CutPrefix(strings.TrimLeft(s, " "), ">")
	if !ok {
		return s, false
	}
	return strings.TrimPrefix(after, " "), true
}

// cutItemMark removes the mark of a list item and returns the indent of the item's further
// lines. Neither an empty item nor a number other than 1 interrupts an open paragraph.
func cutItemMark(s string, open bool) (after string, indent int, ok bool) {
	indent = indentOf(s)
	t := s[indent:]
	width := 0
	switch digits := len(t) - len(strings.TrimLeft(t, "0123456789")); {
	case t == "":
		return s, 0, false
	case strings.IndexByte("-+*", t[0]) >= 0:
		width = 1
	case digits >= 1 && digits <= 9 && len(t) > digits && strings.IndexByte(".)", t[digits]) >= 0:
		if open && strings.TrimLeft(t[:digits], "0") != "1" {
			return s, 0, false
		}
		width = digits + 1
	default:
		return s, 0, false
	}
	t = t[width:]
	spaces := indentOf(t)
	switch {
	case blank(t):
		if open {
			return s, 0, false
		}
		return "", indent + width + 1, true
	case spaces == 0:
		return s, 0, false
	case spaces > 4:
		spaces = 1 // the rest is indented code
	}
	return t[spaces:], indent + width + spaces, true
}

// isBreak reports a thematic break: three or more of one mark and nothing else.
func isBreak(s string) bool {
	t := strings.ReplaceAll(s, " ", "")
	return indentOf(s) < 4 && len(t) >= 3 && strings.IndexByte("-_*", t[0]) >= 0 && strings.Trim(t, t[:1]) == ""
}

// isUnderline reports a line that turns the paragraph above it into a heading.
func isUnderline(s string) bool {
	t := strings.Trim(s, " ")
	return indentOf(s) < 4 && t != "" && (t[0] == '=' || t[0] == '-') && strings.Trim(t, t[:1]) == ""
}

// fenceMark returns the mark that opens a block of fenced code.
func fenceMark(s string) (string, bool) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return "", false
	}
	info := strings.TrimLeft(s, s[:1])
	mark := s[:len(s)-len(info)]
	return mark, len(mark) >= 3 && (s[0] == '~' || !strings.Contains(info, "`"))
}

// cutHeading removes the marks before a heading.
func cutHeading(s string) (string, bool) {
	text := strings.TrimLeft(s, "#")
	level := len(s) - len(text)
	return strings.Trim(text, " "), level >= 1 && level <= 6 && (text == "" || text[0] == ' ')
}

func containsFold(s, lower string) bool { return strings.Contains(toLower(s), lower) }

// toLower changes A-Z only and so keeps all byte positions.
func toLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
