//go:build unix

// Package docs_test holds the pages against the program, so that none of them
// goes stale: links in this file, commands, examples of files and what status
// prints in those beside it.
package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"the-loop/internal/scripttest"
)

// TestMain runs the tests in the repository's root: pages are named from there.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	scripttest.Main(m)
}

// page is a Markdown file, split into what is read differently.
type page struct {
	name     string // from the repository's root
	headings []string
	code     []codeBlock
	prose    string       // all but code blocks, a line break after each paragraph
	spans    []string     // what stands in back quotes in the prose
	tables   [][][]string // rows of cells, the head first
}

// codeBlock is a fenced or an indented block.
type codeBlock struct {
	lang  string // of a fenced one
	line  int    // of its first line
	lines []string
}

func (b codeBlock) text() string { return strings.Join(b.lines, "\n") + "\n" }

// pages reads all pages of the repository.
func pages(t *testing.T) []page {
	t.Helper()
	var list []page
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			list = append(list, readPage(t, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := page{name: name}
	p.split(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
	for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(p.prose, -1) {
		p.spans = append(p.spans, span[1])
	}
	return p
}

// split sorts the lines. A fenced block ends at the next fence, an indented one
// with its indentation; it begins after an empty line.
func (p *page) split(lines []string) {
	const indent = "    "
	var prose strings.Builder
	fenced, after := false, ""
	for i, line := range lines {
		var open *codeBlock
		if n := len(p.code); n > 0 && p.code[n-1].line+len(p.code[n-1].lines) == i+1 {
			open = &p.code[n-1]
		}
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced = !fenced; fenced {
				p.code = append(p.code, codeBlock{lang: strings.TrimPrefix(line, "```"), line: i + 2})
			}
		case fenced:
			open.lines = append(open.lines, line)
		case strings.HasPrefix(line, indent) && open != nil && open.lang == "" && after != "```":
			open.lines = append(open.lines, strings.TrimPrefix(line, indent))
		case strings.HasPrefix(line, indent) && after == "":
			p.code = append(p.code, codeBlock{line: i + 1, lines: []string{strings.TrimPrefix(line, indent)}})
		default:
			p.read(line, strings.HasPrefix(after, "|"), &prose)
		}
		after = strings.TrimSpace(line)
	}
	p.prose = prose.String()
}

// read takes in a line that is no code; inTable tells that the one before it
// belongs to a table.
func (p *page) read(line string, inTable bool, prose *strings.Builder) {
	switch {
	case strings.HasPrefix(line, "#"):
		p.headings = append(p.headings, strings.TrimSpace(strings.TrimLeft(line, "#")))
		prose.WriteString("\n" + line + "\n")
	case strings.HasPrefix(line, "|"):
		if !inTable {
			p.tables = append(p.tables, nil)
		}
		last := &p.tables[len(p.tables)-1]
		if len(*last) != 1 || !strings.HasPrefix(line, "|---") {
			*last = append(*last, cells(line))
		}
		prose.WriteString("\n" + line + "\n")
	case line == "":
		prose.WriteString("\n")
	default:
		prose.WriteString(strings.TrimSpace(line) + " ")
	}
}

// cells are those of one row of a table, in which \| is no border.
func cells(row string) []string {
	const border = "\x00"
	list := strings.Split(strings.Trim(strings.ReplaceAll(row, `\|`, border), "|"), "|")
	for i := range list {
		list[i] = strings.TrimSpace(strings.ReplaceAll(list[i], border, "|"))
	}
	return list
}

// block finds the one block of code that begins with a text.
func (p page) block(t *testing.T, begin string) codeBlock {
	t.Helper()
	i := slices.IndexFunc(p.code, func(b codeBlock) bool { return strings.HasPrefix(b.text(), begin) })
	if i < 0 {
		t.Fatalf("%s has no block that begins with %q", p.name, begin)
	}
	return p.code[i]
}

// tablesWith are the rows of each table that has this head.
func (p page) tablesWith(head ...string) [][][]string {
	var found [][][]string
	for _, table := range p.tables {
		if slices.Equal(table[0], head) {
			found = append(found, table[1:])
		}
	}
	return found
}

// anchors are the fragments that lead to the page's headings, as GitHub makes
// them.
func (p page) anchors() map[string]bool {
	anchors := map[string]bool{"": true}
	for _, h := range p.headings {
		h = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(h, "$1")
		slug := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, h)
		for n, base := 1, slug; anchors[slug]; n++ {
			slug = fmt.Sprintf("%s-%d", base, n)
		}
		anchors[slug] = true
	}
	return anchors
}

func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	all := map[string]page{}
	for _, p := range pages(t) {
		all[p.name] = p
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, p := range all {
		prose := regexp.MustCompile("`[^`]*`").ReplaceAllString(p.prose, "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			target, fragment, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := p.name
			if target != "" {
				file = filepath.Join(filepath.Dir(p.name), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", p.name, m[1])
			} else if fragment != "" && !all[file].anchors()[fragment] {
				t.Errorf("%s links to %s, but %s has no such heading", p.name, m[1], file)
			}
		}
	}
}
