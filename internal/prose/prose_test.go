package prose

import (
	"strings"
	"testing"
)

// TestOf: HERE is prose, GONE is not.
func TestOf(t *testing.T) {
	for name, markdown := range map[string]string{
		"a paragraph":                 "HERE and\nHERE\n\nHERE",
		"line ends of Windows":        "HERE\r\n\r\n```\r\nGONE\r\n```\r\nHERE",
		"line ends of an old Mac":     "HERE\r```\rGONE\r```\rHERE",
		"headings":                    "# HERE\n\nHERE\n===\n\nHERE\n---\nHERE",
		"a code span":                 "HERE `GONE` HERE ``GONE ` GONE`` HERE",
		"a code span over lines":      "HERE `GONE\nGONE` HERE",
		"a backtick alone":            "HERE ` HERE\n\nHERE ` HERE",
		"an escaped backtick":         "HERE \\` HERE",
		"fenced code":                 "HERE\n```\nGONE\n\nGONE\n```\nHERE",
		"fenced code with a language": "```go\nGONE\n```\nHERE",
		"tildes":                      "~~~\nGONE\n```\nGONE\n~~~\nHERE",
		"a longer fence":              "````\nGONE\n```\nGONE\n````\nHERE",
		"a fence that does not end":   "HERE\n```\nGONE\n\nGONE",
		"a fence with a backtick":     "```a`b\nHERE",
		"indented code":               "HERE\n\n    GONE\n\n\tGONE\n\nHERE",
		"an indented further line":    "HERE\n    HERE",
		"a quotation":                 "> GONE\n\nHERE",
		"a lazy quotation":            "> GONE\nGONE\n\nHERE",
		"quotations in each other":    "> > GONE\n>\n> GONE\n\nHERE",
		"a quotation in a list":       "- > GONE\n- HERE\n\n  > GONE\n\n  HERE",
		"a list in a quotation":       "> - GONE\n>   GONE\nGONE\n\nHERE",
		"an alert":                    "> [!NOTE]\n> GONE",
		"code in a quotation":         "> ```\n> GONE\nHERE",
		"a list":                      "- HERE\n- [x] HERE\n  HERE\nHERE\n\n1. HERE\n   HERE",
		"code in a list":              "1. HERE\n   ```\n   GONE\n   ```\n   HERE\n\n       GONE\n\nHERE",
		"a fence that its list ends":  "- ```\n  GONE\n\nHERE",
		"an empty item":               "-\n\n  HERE\n\n-\n  HERE",
		"a comment":                   "<!-- GONE -->\nHERE",
		"a comment over paragraphs":   "HERE\n<!--\nGONE\n\nGONE\n-->\nHERE",
		"a comment in a sentence":     "HERE <!-- GONE --> HERE <!-- GONE\nGONE --> HERE",
		"a comment that does not end": "HERE\n<!--\nGONE\n\nGONE",
		"a comment shown as code":     "`<!--` HERE\n\nHERE",
		"details":                     "<details><summary>GONE</summary>\n\nHERE\n\n</details>",
		"a quotation in HTML":         "<blockquote>\n\nGONE\n\n</blockquote>\n\nHERE",
		"code in HTML":                "<pre>\nGONE\n\nGONE\n</pre>\nHERE <code>GONE</code> HERE",
		"an element that stays":       "HERE <b>HERE</b> HERE<br/>HERE",
		"an attribute":                "HERE <b title=\"GONE\">HERE</b>",
		"a link":                      "[HERE](https://example.com/GONE) HERE",
		"a link in HTML":              "<a href=\"GONE\">GONE</a> HERE",
		"the target of a link":        "[x]: /GONE 'GONE'\n\nHERE",
		"an image":                    "![GONE](GONE) HERE",
		"emphasis":                    "**HERE** _HERE_ ~~HERE~~",
		"a table":                     "| HERE | `GONE` |\n|---|---|\n| HERE | HERE |",
		"a break":                     "HERE\n\n***\nHERE\n- - -\nHERE",
		"a space of no width":         "\u200b> HERE\n\n\u00a0   HERE",
		"too deep":                    strings.Repeat("> ", 200) + "GONE\n\nGONE",
		"too long":                    strings.Repeat("GONE ", 200_000),
	} {
		got := Of(markdown)
		if want := strings.Count(markdown, "HERE"); strings.Count(got, "HERE") != want || strings.Contains(got, "GONE") {
			t.Errorf("%s: got %q, want %d HERE and no GONE", name, got, want)
		}
	}
}

// TestWordsAreNotJoined: separate parts never form one word.
func TestWordsAreNotJoined(t *testing.T) {
	for markdown, want := range map[string]string{
		"a `b` c":       "a \x00 c\n\n",
		"a<!-- b -->c":  "a\x00c\n\n",
		"a\n\nb":        "a\n\nb\n\n",
		"a \\# b":       "a \x00 b\n\n",
		"nul \x00 byte": "nul \uFFFD byte\n\n",
		"a [b](c) d":    "a \x00b\x00 d\n\n",
	} {
		if got := Of(markdown); got != want {
			t.Errorf("%q: got %q, want %q", markdown, got, want)
		}
	}
}

// BenchmarkOf reads expensive texts of the greatest length that GitHub allows.
func BenchmarkOf(b *testing.B) {
	const size = 65_536
	for name, piece := range map[string]string{
		"words": "some words ", "brackets": "[", "images": "![[", "links": "[a](<b", "quotes": "> ", "lists": "- ",
		"items": "- a\n\n", "comments": "<!-- ", "instructions": "<?", "declarations": "<!A", "tags": "<a b=\"", "emphasis": "*a _b ",
		"backticks": "`a``b```c", "blanks": "- \n", "definitions": "[a]: /u\n", "escapes": "\\", "nested": "  - x\n", "cdata": "<![CDATA[",
	} {
		markdown := strings.Repeat(piece, size/len(piece))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Of(markdown)
			}
		})
	}
}
