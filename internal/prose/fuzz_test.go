package prose

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// FuzzOf compares the package with a complete Markdown parser: no word that the parser
// finds in code, a quotation, HTML or an attribute may count as prose. The input
// selects among pieces that have a meaning in Markdown.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x02", "0123456789", "abcABC"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		markdown := compose(choices)
		if emptyItem.MatchString(markdown) {
			t.Skip("the parser differs from CommonMark")
		}
		spoken := spokenWords(markdown)
		for _, word := range wordPattern.FindAllString(Of(markdown), -1) {
			if !spoken[word] {
				t.Errorf("%s is no prose:\n%s\n%q", word, markdown, markdown)
			}
		}
	})
}

// FuzzOfAnyText: no text makes it panic.
func FuzzOfAnyText(f *testing.F) {
	for _, seed := range []string{"a\r\nb\tc", "- \n\n  x", "<!--", "![](", "[a](<b \"c", "\\", "\xff<\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if got := Of(markdown); len(got) > 5*len(markdown)+2 {
			t.Errorf("%d bytes of prose from %d", len(got), len(markdown))
		}
	})
}

// emptyItem is a list item that begins with a blank line, inside another item. For these,
// and for tabs, the parser differs from CommonMark.
var emptyItem = regexp.MustCompile(`(?m)([-+*]|\d[.)]) +([-+*]|\d+[.)])[ >]*\r?$`)

var pieces = []string{
	"\n", "\n", "\n\n", " ", "  ", "    ", ">", "> ", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "-", "=", "---",
	"***", "```", "```\n", "~~~", "~~~~", "`", "``", "# ", "## ", "<", ">", "<!--", "-->", "<!-- ", " -->", "<!", "<?",
	"?>", "<pre>", "</pre>", "<div>", "</div>", "<details>", "<b>", "</b>", "<b x=\"", "<b x='>", "\"", "'", "/>",
	"[", "]", "](", ")", "(", "](<", "]: ", "![", "\\", "\\`", "|", "*", "_", "&", "<x:y>", "<![CDATA[", "]]>", "\r",
}

var wordPattern = regexp.MustCompile(`w\d+w`)

// compose builds a text of pieces, with a unique word between most of them.
func compose(choices []byte) string {
	var b strings.Builder
	for i, c := range choices[:min(len(choices), 60)] {
		b.WriteString(pieces[int(c)%len(pieces)])
		if c < 192 {
			fmt.Fprintf(&b, "w%dw", i)
		}
	}
	return b.String()
}

// spokenWords returns the words that the parser finds in paragraphs and headings outside
// quotations.
func spokenWords(markdown string) map[string]bool {
	source := []byte(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(markdown))
	words := map[string]bool{}
	_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Blockquote, *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock, *ast.RawHTML, *ast.Image, *ast.AutoLink:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			for _, word := range wordPattern.FindAllString(string(n.Segment.Value(source)), -1) {
				words[word] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return words
}
