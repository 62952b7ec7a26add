package config

import (
	"regexp"
	"slices"
	"strings"
)

// salvage makes out single sections of a file that cannot be parsed as a whole.
// A section of which a line is broken has the keys of its other lines.
func (t text) salvage(sections ...string) *node {
	root := &node{mapping: true, index: map[string]int{}}
	for _, name := range sections {
		if n := t.section(name); n != nil {
			root.add(entry{name: name, at: n.at, node: n})
		}
	}
	return root
}

// section is the first section of that name, nil where none can be read.
func (t text) section(name string) *node {
	const mostLines = 100 // each of which may have to be parsed alone
	head := regexp.MustCompile(`^["']?` + regexp.QuoteMeta(name) + `["']?[ \t]*:([ \t]|$)`)
	first := slices.IndexFunc(t.lines, head.MatchString)
	if first < 0 {
		return nil
	}
	body := t.lines[first+1:]
	if end := slices.IndexFunc(body, endsSection); end >= 0 {
		body = body[:end]
	}
	body = body[:min(len(body), mostLines)]
	if n := parseSection(name, t.lines[first:first+1+len(body)]); n != nil {
		return n
	}
	whole := &node{mapping: true, index: map[string]int{}}
	for _, line := range body {
		n := parseSection(name, []string{name + ":", line})
		if n == nil || !n.mapping {
			continue
		}
		for _, e := range n.entries {
			if whole.get(e.name) == nil {
				whole.add(e)
			}
		}
	}
	return whole
}

// endsSection reports whether a line belongs to what comes behind a section.
func endsSection(line string) bool {
	return line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#")
}

// parseSection is the value of the one key that the lines hold, nil where they
// cannot be parsed.
func parseSection(name string, lines []string) *node {
	tree, _ := newText("", []byte(strings.Join(lines, "\n"))).parse()
	if tree == nil || !tree.mapping || tree.get(name) == nil {
		return nil
	}
	return tree.get(name).node
}
