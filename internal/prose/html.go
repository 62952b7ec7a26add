package prose

import "strings"

// htmlStart reports whether a line begins an HTML block, and returns the text that ends
// it, "" for a blank line. Some tags do not interrupt an open paragraph.
func htmlStart(s string, open bool) (end string, ok bool) {
	if s == "" || s[0] != '<' {
		return "", false
	}
	for _, b := range [...]struct{ begins, ends string }{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![cdata[", "]]>"},
	} {
		if strings.HasPrefix(toLower(s), b.begins) {
			return b.ends, true
		}
	}
	if len(s) > 2 && s[1] == '!' && 'A' <= s[2] && s[2] <= 'Z' {
		return ">", true
	}
	name := tagName(strings.TrimPrefix(s[1:], "/"))
	after := strings.TrimPrefix(s[1:], "/")[len(name):]
	ended := after == "" || after[0] == ' ' || after[0] == '>' || strings.HasPrefix(after, "/>")
	closing := strings.HasPrefix(s, "</")
	switch {
	case name == "" || !ended:
	case !closing && strings.Contains(" pre script style textarea ", " "+name+" "):
		return "</" + name + ">", true
	case strings.Contains(blockTags, " "+name+" "):
		return "", true
	}
	n := tagLength(s)
	return "", !open && name != "" && n > 0 && blank(s[n:])
}

// blockTags are the elements whose tags begin an HTML block even before text:
// condition 6 of CommonMark's HTML blocks.
const blockTags = " address article aside base basefont blockquote body caption center col colgroup dd details " +
	"dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html " +
	"iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table " +
	"tbody td tfoot th thead title tr track ul source "

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// tagName returns the name of the element at the start of s, in lower case.
func tagName(s string) string {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (s[n] == '-' || '0' <= s[n] && s[n] <= '9')) {
		n++
	}
	return toLower(s[:n])
}

func isTag(s string) bool {
	return len(s) > 1 && (isLetter(s[1]) || s[1] == '/')
}

// htmlLength returns the length of the raw HTML, or of the address in angle brackets, at
// the start of s; 0 when the "<" is plain text.
func htmlLength(s string) int {
	for _, b := range [...]struct{ begins, ends string }{{"<!-->", ""}, {"<!--->", ""}, {"<!--", "-->"}} {
		if rest, ok := strings.CutPrefix(s, b.begins); ok {
			i := strings.Index(rest, b.ends)
			if i < 0 {
				return len(s) // no end: in doubt
			}
			return len(b.begins) + i + len(b.ends)
		}
	}
	if len(s) < 3 {
		return 0
	}
	if s[1] == '!' || s[1] == '?' {
		return len(s) // a declaration or an instruction, rare in such texts: in doubt
	}
	if n := addressLength(s); n > 0 {
		return n
	}
	if !isTag(s) {
		return 0
	}
	if n := tagLength(s); n > 0 {
		return n
	}
	if end := strings.IndexByte(s, '>'); strings.ContainsAny(s[:max(end, 0)], "\"'") {
		return len(s) // a quotation mark that may hide the end
	}
	return 0
}

// addressLength returns the length of the address in angle brackets at the start of s.
func addressLength(s string) int {
	end := strings.IndexAny(s[1:], "<> \n") + 1
	if end == 0 || s[end] != '>' {
		return 0
	}
	address := s[1:end]
	scheme, _, ok := strings.Cut(address, ":")
	switch {
	case ok && len(scheme) > 1 && len(scheme) <= 32 && isLetter(scheme[0]) && !strings.ContainsFunc(scheme, notInScheme):
		return end + 1
	case !strings.Contains(address, "@"):
		return 0
	case strings.ContainsAny(address, "`\\"):
		return len(s) // in doubt
	}
	return end + 1
}

func notInScheme(r rune) bool {
	return r > 0x7f || !isLetter(byte(r)) && !strings.ContainsRune("0123456789+.-", r)
}

// tagLength returns the length of the tag at the start of s, 0 without one.
func tagLength(s string) int {
	rest := strings.TrimPrefix(s[1:], "/")
	name := tagName(rest)
	if name == "" {
		return 0
	}
	rest = rest[len(name):]
	for {
		after := strings.TrimLeft(rest, " \n")
		spaced := len(after) < len(rest)
		after = strings.TrimPrefix(after, "/")
		if strings.HasPrefix(after, ">") {
			return len(s) - len(after) + 1
		}
		n := attributeLength(after)
		if !spaced || n == 0 {
			break
		}
		rest = after[n:]
	}
	return 0
}

// attributeLength returns the length of the attribute at the start of s, 0 without one.
func attributeLength(s string) int {
	rest := strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-")
	if len(rest) == len(s) {
		return 0
	}
	value, ok := strings.CutPrefix(strings.TrimLeft(rest, " \n"), "=")
	if !ok {
		return len(s) - len(rest)
	}
	value = strings.TrimLeft(value, " \n")
	n := strings.IndexAny(value, " \n\"'=<>`")
	if n == 0 && (value[0] == '"' || value[0] == '\'') {
		n = strings.IndexByte(value[1:], value[0]) + 2
		if n == 1 {
			return 0
		}
	}
	if n <= 0 {
		return 0
	}
	return len(s) - len(value) + n
}

// hiding counts the open elements whose text GitHub ignores.
type hiding map[string]int

// hides lists these elements.
const hides = " a blockquote code kbd pre samp script style textarea tt "

// tag processes the tag at the start of s.
func (h *hiding) tag(s string) {
	closing := len(s) > 1 && s[1] == '/'
	s = strings.TrimPrefix(s[1:], "/")
	name := tagName(s)
	after := s[len(name):]
	if name == "" || !strings.Contains(hides, " "+name+" ") || after != "" && strings.IndexByte(" \n/>", after[0]) < 0 {
		return
	}
	if *h == nil {
		*h = hiding{}
	}
	switch {
	case !closing:
		(*h)[name]++
	case (*h)[name] > 0:
		(*h)[name]--
	}
}

func (h hiding) active() bool {
	for _, n := range h {
		if n > 0 {
			return true
		}
	}
	return false
}

// raw processes the tags of a line in an HTML block.
func (h *hiding) raw(s string) {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return
		}
		s = s[i:]
		if isTag(s) {
			h.tag(s)
			s = s[1:]
			continue
		}
		s = s[max(1, htmlLength(s)):]
	}
}
