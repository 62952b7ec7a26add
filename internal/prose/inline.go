package prose

import "strings"

// inline returns the words of a paragraph: what is left out of it becomes a
// [Cut], and so does each bracket of a link.
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

// isDefinition reports a paragraph that defines the targets of links, or may.
func isDefinition(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, "[") && strings.Contains(s, "]:")
}

// words is the way through a paragraph.
type words struct {
	s      string
	at     int
	ends   map[int][]int // where runs of so many backticks begin, not yet passed
	hidden *hiding
	out    strings.Builder
}

func (p *words) step() {
	rest := p.s[p.at:]
	switch c := rest[0]; {
	case c == '\\' && len(rest) > 1:
		p.cut(2)
		if rest[1] >= 0x80 || isLetter(rest[1]) || rest[1] == ' ' || rest[1] == '\n' {
			p.at-- // it escapes nothing
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

// cut leaves the next n bytes out.
func (p *words) cut(n int) {
	p.out.WriteByte(Cut)
	p.at += n
}

// runsOfTicks finds the runs of backticks by their length.
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

// ticks is the length of the code span that begins here, or of its backticks
// where none does.
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

// imageLength is the length of an image's text, which is no word of a sentence;
// all of the paragraph where that is in doubt.
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

// targetLength is the length of a link's target and title in parentheses; all of
// the paragraph where that is in doubt.
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
