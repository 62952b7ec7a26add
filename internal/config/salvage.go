package config

import (
	"regexp"
	"slices"
	"strings"
)

// salvage reads single sections of a file that cannot be parsed as a whole. It leaves
// out broken lines.
func (t text) salvage(sections ...string) *node {
	root := &node{mapping: true, index: map[string]int{}}
	for _, name := range sections {
		if n := t.section(name); n != nil {
			root.add(entry{name: name, at: n.at, node: n})
		}
	}
	return root
}

// section returns the first readable section of that name, nil for none.
func (t text) section(name string) *node {
	const mostLines = 100 // each may have to be parsed alone
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

// endsSection reports whether a line belongs to the next section.
func endsSection(line string) bool {
	return line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#")
}

// parseSection returns the value of the lines' only key, nil if they cannot be parsed.
func parseSection(name string, lines []string) *node {
	tree, _ := newText("", []byte(strings.Join(lines, "\n"))).parse()
	if tree == nil || !tree.mapping || tree.get(name) == nil {
		return nil
	}
	return tree.get(name).node
}
