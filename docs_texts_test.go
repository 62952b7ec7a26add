//go:build unix

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/status"
)

func statusOf(f heartbeat.File) status.Report {
	return status.Report{Running: true, PID: 4242, Heartbeat: f, Now: at("2026-11-30T13:10:12Z")}
}

func TestStatusOfTheREADME(t *testing.T) {
	got := readPage(t, "README.md").block(t, "poller      running").text()
	if diff := cmp.Diff(statusOf(example()).Text(), got); diff != "" {
		t.Errorf("README.md, what status prints (-want +got):\n%s", diff)
	}
}

func TestPaceOfThePages(t *testing.T) {
	got := readPage(t, "docs/operations.md").block(t, "pace:").text()
	for _, line := range statusOf(paced(example())).Lines() {
		if strings.HasPrefix(strings.TrimSpace(line), "pace:") && strings.TrimSpace(line) == strings.TrimSpace(got) {
			return
		}
	}
	t.Errorf("docs/operations.md shows\n%s\nstatus prints\n%s", got, statusOf(paced(example())).Text())
}

// gap stands in a text for what the program fills in.
const gap = "…"

// source is the program's own source, without its tests.
func source(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	set := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path != "." && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "examples"):
			return fs.SkipDir
		case filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go"):
			files[filepath.ToSlash(path)], err = parser.ParseFile(set, path, nil, 0)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// textOf is the text that an expression makes, with gaps; false when no part of
// it is written down.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		verb := regexp.MustCompile(`%[-+#]?[0-9.*]*[a-zA-Z]`)
		return verb.ReplaceAllLiteralString(text, gap), err == nil
	case *ast.BinaryExpr:
		left, okLeft := textOf(e.X)
		right, okRight := textOf(e.Y)
		if !okLeft {
			left = gap
		}
		if !okRight {
			right = gap
		}
		return left + right, okLeft || okRight
	case *ast.ParenExpr:
		return textOf(e.X)
	}
	return "", false
}

// textsOf are all texts in the source.
func textsOf(files map[string]*ast.File) []string {
	var texts []string
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := textOf(e)
			if ok {
				texts = append(texts, text)
			}
			return !ok
		})
	}
	return texts
}

// quoted are the texts of the program that a page on troubles quotes: what
// stands in back quotes in its headings, after "hint:", and in the first column
// of its tables.
func quoted(p page) []string {
	span := regexp.MustCompile("`([^`]+)`")
	var places []string
	for line := range strings.SplitSeq(p.prose, "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "hint:") {
			places = append(places, line)
		}
	}
	for _, table := range p.tables {
		for _, row := range table {
			places = append(places, row[0])
		}
	}
	var texts []string
	for _, place := range places {
		for _, m := range span.FindAllStringSubmatch(place, -1) {
			if commandLine(m[1]) == nil {
				texts = append(texts, m[1])
			}
		}
	}
	return texts
}

// TestTextsOfTroubleshootingAreThePrograms: somebody searches the page for what
// the program, or gh, has said.
func TestTextsOfTroubleshootingAreThePrograms(t *testing.T) {
	known := textsOf(source(t))
	// How status begins a line; the rest of the line is a text of its own.
	key := regexp.MustCompile(`^(poller|stale:|config:|pace:|last cycle:|progress:) +`)
	texts := quoted(readPage(t, "docs/troubleshooting.md"))
	for _, text := range texts {
		for piece := range strings.SplitSeq(key.ReplaceAllLiteralString(text, ""), gap) {
			piece = strings.TrimSpace(piece)
			if !slices.ContainsFunc(known, func(k string) bool { return strings.Contains(k, piece) }) {
				t.Errorf("%q is on the page, but nothing prints %q", text, piece)
			}
		}
	}
	if len(texts) < 50 {
		t.Errorf("found %d texts, of which there are more", len(texts))
	}
}

// TestTroubleshootingKnowsTheTexts: whatever status can show, and whatever the
// log warns of, is on the page.
func TestTroubleshootingKnowsTheTexts(t *testing.T) {
	p := readPage(t, "docs/troubleshooting.md")
	page := strings.Join(strings.Fields(strings.ReplaceAll(p.prose, "`", "")), " ")
	var texts []string
	for name, f := range source(t) {
		texts = append(texts, shownTexts(filepath.ToSlash(filepath.Dir(name)), f)...)
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		for piece := range strings.SplitSeq(text, gap) {
			piece = strings.Trim(strings.Join(strings.Fields(piece), " "), " :,;()")
			if len(piece) >= 8 && !strings.Contains(page, piece) {
				t.Errorf("%s does not explain %q: it has no %q", p.name, text, piece)
			}
		}
	}
	if len(texts) < 50 {
		t.Errorf("found %d texts, of which there are more", len(texts))
	}
}

// shownTexts are the texts of a file that somebody gets to see when something
// is wrong: the errors of gh, what a repository is degraded for, hints, and
// what is logged as a warning or an error.
func shownTexts(dir string, f *ast.File) []string {
	if slices.Contains([]string{"internal/fakegh", "internal/ghdouble", "internal/doctor"}, dir) {
		return nil
	}
	var texts []string
	add := func(e ast.Expr) {
		if text, ok := textOf(e); ok {
			texts = append(texts, text)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch called, _ := n.Fun.(*ast.SelectorExpr); {
			case dir == "gh" && isCalled(n.Fun, "newError") && len(n.Args) > 1:
				add(n.Args[1])
			case called != nil && (called.Sel.Name == "Warn" || called.Sel.Name == "Error") && len(n.Args) > 0:
				add(n.Args[0])
			case dir == "status" && called != nil && called.Sel.Name == "add" && len(n.Args) == 2:
				add(n.Args[1]) // a line of status
			}
		case *ast.BasicLit:
			if text, ok := textOf(n); ok && dir == "status" && strings.Contains(text, " — ") {
				texts = append(texts, text)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if dir == "poller/github" && strings.HasPrefix(name.Name, "text") && i < len(n.Values) {
					add(n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && dir == "status" && key.Name == "hint" {
				add(n.Value)
			}
		}
		return true
	})
	return texts
}

func isCalled(fun ast.Expr, name string) bool {
	id, ok := fun.(*ast.Ident)
	return ok && id.Name == name
}
