package prose

import "strings"

// inline returns the words of a paragraph. A [Cut] replaces each omitted part and each
// bracket of a link.
func (h *hiding) inline(s string) string {
	if isDefinition(s) {
		return ""
	}
	p := &words{s: s, ends: runsOfTicks(s), hidden: h}
	for p.at < len(s) {
		p.step()
	}
	return p.out.String()
}

// isDefinition reports whether a paragraph defines, or may define, the targets of links.
func isDefinition(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, "[") && strings.Contains(s, "]:")
}

// words is a scan through a paragraph.
type words struct {
	s      string
	at     int
	ends   map[int][]int // starts of the backtick runs ahead, by length
	hidden *hiding
	out    strings.Builder
}

func (p *words) step() {
	rest := p.s[p.at:]
	switch c := rest[0]; {
	case c == '\\' && len(rest) > 1:
		p.cut(2)
		if rest[1] >= 0x80 || isLetter(rest[1]) || rest[1] == ' ' || rest[1] == '\n' {
			p.at-- // the backslash escapes nothing
		}
	case c == '`':
		p.cut(p.ticks(rest))
	case c == '<':
		n := htmlLength(rest)
		if n > 0 && isTag(rest) {
			p.hidden.tag(rest)
		}
		p.cut(max(1, n))
	case strings.HasPrefix(rest, "!["):
		p.cut(imageLength(rest))
	case strings.HasPrefix(rest, "]("):
		p.cut(1 + targetLength(rest[1:]))
	case c == '[' || c == ']':
		p.cut(1)
	default:
		if !p.hidden.active() {
			p.out.WriteByte(c)
		}
		p.at++
	}
}

// cut omits the next n bytes.
func (p *words) cut(n int) {
	p.out.WriteByte(Cut)
	p.at += n
}

// runsOfTicks returns the starts of the backtick runs by their length.
func runsOfTicks(s string) map[int][]int {
	runs := map[int][]int{}
	for i := 0; i < len(s); {
		n := ticksAt(s[i:])
		if n > 0 {
			runs[n] = append(runs[n], i)
		}
		i += max(1, n)
	}
	return runs
}

func ticksAt(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// ticks returns the length of the code span that starts here, or else of its backticks
// alone.
func (p *words) ticks(rest string) int {
	n := ticksAt(rest)
	runs := p.ends[n]
	for len(runs) > 0 && runs[0] <= p.at {
		runs = runs[1:]
	}
	p.ends[n] = runs
	if len(runs) == 0 {
		return n
	}
	return runs[0] + n - p.at
}

// imageLength returns the length of an image's text, which is no word of a sentence. In
// doubt it returns the whole paragraph.
func imageLength(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '`', '<', '\\':
			return len(s)
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// targetLength returns the length of a link's target and title in parentheses. In doubt
// it returns the whole paragraph.
func targetLength(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '`', '<', '\\', '"', '\'', '[', ']':
			return len(s)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
