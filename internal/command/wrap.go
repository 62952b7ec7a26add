package command

import (
	"os"
	"strings"
)

// textColumn is the column in which the text of a line of status begins.
const textColumn = 24

// spread breaks the lines that are wider than a terminal for as long as there are
// rows to spare. Every line has its first row; the upper ones get more first.
func spread(lines []string, width, rows int) []string {
	spare := max(0, rows-len(lines))
	var out []string
	for _, line := range lines {
		parts := wrap(line, width, 1+spare)
		spare -= len(parts) - 1
		out = append(out, parts...)
	}
	return out
}

// wrap breaks a line between its words into at most that many rows; the last one
// holds the rest. What follows the first row stands below its text.
func wrap(line string, width, rows int) []string {
	indent := strings.Repeat(" ", textColumn)
	if width < 2*textColumn {
		indent = indent[:width/3]
	}
	var out []string
	for len(out) < rows-1 && columns(line) > width {
		at := breakAt(line, width, len(indent))
		if at == 0 {
			break
		}
		out = append(out, strings.TrimRight(line[:at], " "))
		line = indent + strings.TrimLeft(line[at:], " ")
	}
	return append(out, line)
}

// breakAt is where a row of that width ends: at the last blank behind the first
// columns or, in a word that is wider, before the first character that does not
// fit. It is 0 when not one does.
func breakAt(line string, width, first int) int {
	used, blank := 0, 0
	for i, r := range line {
		if r == ' ' && used > first {
			blank = i
		}
		if used += columns(string(r)); used > width {
			if blank > 0 || used-columns(string(r)) <= first {
				return blank
			}
			return i
		}
	}
	return len(line)
}

// wrapped returns the lines as they fit into the width of a terminal.
func wrapped(lines []string, screen *os.File) []byte {
	width, _ := screenSize(screen)
	var b strings.Builder
	for _, line := range lines {
		for _, row := range wrap(line, width, len(line)+1) {
			b.WriteString(row + "\n")
		}
	}
	return []byte(b.String())
}
