package config

import (
	"strconv"
	"strings"
	"unicode"
)

// mostQuoted bounds what a message repeats of the file, in characters.
const mostQuoted = 60

// quoted shows foreign text within a message: escaped, in quotes and short.
func quoted(s string) string {
	return strconv.Quote(cut(s, mostQuoted))
}

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// printable replaces what would not show in one line of a terminal.
func printable(s string) string {
	const most = 200
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, cut(s, most))
}

// join appends a key to a path. A key that is no plain word is quoted, since
// it may be any text.
func join(path, key string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	if key == "" || strings.TrimFunc(key, plain) != "" || len(key) > mostQuoted {
		key = quoted(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
