// Package prose finds the author's own words in a Markdown text: no code, no quotation,
// no HTML comment, no raw HTML block. It follows CommonMark with GitHub's extensions.
// In doubt it omits: all that it returns is prose, but it may omit some prose. It never
// fails, and its cost grows only with the text.
//
// It is no renderer. A Markdown library would do the same and more, but its tables add a
// millisecond or two to the start of every command. The tests compare this package with
// such a library.
//
// It imports nothing of the project.
package prose

import "strings"

// Cut marks a part that [Of] omits in the middle of a paragraph.
const Cut = '\x00'

// The limits of the input: GitHub accepts 65,536 characters in a text, and no person
// nests blocks as deep.
const (
	maxBytes = 1 << 19
	maxDepth = 50
)

// Of returns the paragraphs and headings of a Markdown text, with a blank line between
// them. It returns "" for a text above the limits of length or depth.
func Of(markdown string) string {
	if len(markdown) > maxBytes {
		return ""
	}
	markdown = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(markdown)
	d := &document{}
	for line := range strings.SplitSeq(markdown, "\n") {
		d.line(expandTabs(line))
		if len(d.containers) > maxDepth {
			return ""
		}
	}
	d.endParagraph()
	return d.out.String()
}

// expandTabs replaces tabs by spaces, with a tab stop every four columns. Tabs matter
// only for the depth of an indent.
func expandTabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for _, r := range line {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		n := 4 - column%4
		b.WriteString(strings.Repeat(" ", n))
		column += n
	}
	return b.String()
}

// leaf is the kind of block that contains the last line.
type leaf int

const (
	none leaf = iota
	paragraph
	fence
	htmlBlock
)

// container is a block quote or, with an indent, a list item.
type container struct {
	quote  bool
	indent int  // the least indent of a further line of the item
	empty  bool // the item has no content yet
}

// document is the state between two lines.
type document struct {
	containers []container
	leaf       leaf
	text       []string // lines of the open paragraph
	quoted     bool     // the open paragraph is in a quotation
	fenceMark  string   // the open fence: its character, as many times as in the text
	htmlEnd    string   // ends the open HTML block; "" means a blank line
	hidden     hiding
	out        strings.Builder
}

// line processes the next line, without tabs and line end.
func (d *document) line(s string) {
	rest, matched := d.match(s)
	all := matched == len(d.containers)
	if all && d.continues(rest) {
		return
	}
	if d.leaf != paragraph {
		d.leaf = none
	}
	opened := false
	for !blank(rest) {
		more, ok := d.openContainer(rest, matched, all && !opened)
		if !ok {
			break
		}
		rest, opened = more, true
		matched = len(d.containers)
		if matched > maxDepth {
			return
		}
	}
	switch {
	case blank(rest):
		if !opened {
			d.close(matched)
		}
		d.endParagraph()
	case d.openLeaf(rest, matched, all && !opened):
	case d.leaf == paragraph: // continues, possibly without its containers' marks
		d.text = append(d.text, rest)
	default:
		d.close(matched)
		d.filled()
		d.leaf, d.text, d.quoted = paragraph, []string{rest}, d.inQuote()
	}
}

// match removes the marks of the open containers from the line and returns how many of
// them the line belongs to.
func (d *document) match(s string) (rest string, matched int) {
	for i, c := range d.containers {
		switch {
		case c.quote:
			after, ok := cutQuoteMark(s)
			if !ok {
				return s, i
			}
			s = after
		case blank(s):
			if c.empty {
				return s, i
			}
			s = ""
		case indentOf(s) >= c.indent:
			s = s[c.indent:]
		default:
			return s, i
		}
	}
	return s, len(d.containers)
}

// continues processes a line of an open fence or HTML block.
func (d *document) continues(rest string) bool {
	switch d.leaf {
	case fence:
		if indentOf(rest) < 4 {
			if t := strings.Trim(rest, " "); len(t) >= len(d.fenceMark) && strings.Trim(t, d.fenceMark[:1]) == "" {
				d.leaf = none
			}
		}
		return true
	case htmlBlock:
		if d.htmlEnd == "" && blank(rest) {
			return false
		}
		d.hidden.raw(rest)
		if d.htmlEnd != "" && containsFold(rest, d.htmlEnd) {
			d.leaf = none
		}
		return true
	}
	return false
}

// openContainer opens the block quote or list item at the start of rest and returns the
// text after its mark. direct is true when the line belongs to the block that was open
// before it: then some lists do not interrupt an open paragraph.
func (d *document) openContainer(rest string, matched int, direct bool) (string, bool) {
	if indentOf(rest) >= 4 {
		return rest, false
	}
	if after, ok := cutQuoteMark(rest); ok {
		d.close(matched)
		d.filled()
		d.containers = append(d.containers, container{quote: true})
		return after, true
	}
	open := d.leaf == paragraph && direct
	if isBreak(rest) || open && isUnderline(rest) {
		return rest, false
	}
	after, indent, ok := cutItemMark(rest, open)
	if !ok {
		return rest, false
	}
	d.close(matched)
	d.filled()
	d.containers = append(d.containers, container{indent: indent, empty: blank(after)})
	return after, true
}

// openLeaf processes a line outside paragraphs: one that opens a block, or is one.
func (d *document) openLeaf(rest string, matched int, direct bool) bool {
	if indentOf(rest) >= 4 {
		if d.leaf == paragraph {
			return false
		}
		d.close(matched)
		d.filled()
		return true // indented code
	}
	s := strings.TrimLeft(rest, " ")
	if d.leaf == paragraph && direct && isUnderline(rest) {
		d.endParagraph()
		return true
	}
	mark, isFence := fenceMark(s)
	end, isHTML := htmlStart(s, d.leaf == paragraph)
	heading, isHeading := cutHeading(s)
	switch {
	case isHeading:
		d.close(matched)
		d.filled()
		d.text, d.quoted = []string{heading}, d.inQuote()
		d.endParagraph()
	case isFence:
		d.close(matched)
		d.filled()
		d.leaf, d.fenceMark = fence, mark
	case isHTML:
		d.close(matched)
		d.filled()
		d.hidden.raw(s)
		if end == "" || !containsFold(s, end) {
			d.leaf, d.htmlEnd = htmlBlock, end
		}
	case isBreak(rest):
		d.close(matched)
		d.filled()
	default:
		return false
	}
	return true
}

// close ends the open paragraph and all containers except the first n.
func (d *document) close(n int) {
	d.endParagraph()
	d.containers = d.containers[:n]
}

// filled records that the innermost container has content.
func (d *document) filled() {
	for i := range d.containers {
		d.containers[i].empty = false
	}
}

func (d *document) inQuote() bool {
	for _, c := range d.containers {
		if c.quote {
			return true
		}
	}
	return false
}

func (d *document) endParagraph() {
	text := d.text
	d.leaf, d.text = none, nil
	if len(text) == 0 {
		return
	}
	words := d.hidden.inline(strings.Join(text, "\n"))
	if !d.quoted && words != "" {
		d.out.WriteString(words)
		d.out.WriteString("\n\n")
	}
}
