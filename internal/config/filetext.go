package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// position is a place in the file; both count from 1, columns in characters.
type position struct{ line, column int }

// text is the content of a file as the parser gets it: without a byte order mark and
// with "\n" at the end of each line, so that lines and columns match an editor's.
type text struct {
	name  string
	plain string
	lines []string
}

func newText(name string, content []byte) text {
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	plain := strings.ReplaceAll(string(content), "\r\n", "\n")
	plain = strings.ReplaceAll(plain, "\r", "\n")
	return text{name: name, plain: plain, lines: strings.Split(plain, "\n")}
}

// fault returns a fault at a place, moved into the file if necessary: the parser
// places some tokens past the end of a line.
func (t text) fault(at position, path, message string) Fault {
	at = t.clamp(at)
	return Fault{File: t.name, Line: at.line, Column: at.column, Path: path, Message: message}
}

func (t text) clamp(at position) position {
	at.line = max(1, min(at.line, len(t.lines)))
	at.column = max(1, min(at.column, utf8.RuneCountInString(t.lines[at.line-1])+1))
	return at
}

// forbidden finds the first character that YAML does not allow in a file; the parser
// would accept some of them. It also finds runs of blank lines so long that the
// parser would work on them for minutes.
func (t text) forbidden() (at position, message string) {
	const mostBlank = 100
	blank := 0
	for i, line := range t.lines {
		if column, message := forbiddenIn(line); message != "" {
			return position{i + 1, column}, message
		}
		if blank++; strings.TrimLeft(line, " \t") != "" {
			blank = 0
		}
		if blank > mostBlank {
			return position{i + 1, 1}, fmt.Sprintf("more than %d blank lines in a row", mostBlank)
		}
	}
	return position{}, ""
}

func forbiddenIn(line string) (column int, message string) {
	column = 1
	for i, r := range line {
		switch {
		case r == 0:
			return column, "a NUL byte is not allowed in the file"
		case r == utf8.RuneError && invalidAt(line[i:]):
			return column, "the file is not UTF-8 text"
		case unicode.IsControl(r) && r != '\t' && r != '\u0085':
			return column, "a control character is not allowed in the file"
		}
		column++
	}
	return 0, ""
}

func invalidAt(s string) bool {
	_, width := utf8.DecodeRuneInString(s)
	return width == 1
}
