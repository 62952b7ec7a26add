//go:build unix

package docs_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module begins the path of every package of the program.
const module = "the-loop/"

// goPackage is a package of the program as the go command lists it.
type goPackage struct {
	folder  string
	imports []string // those of the program, outside of tests
}

// goPackages lists the packages that have files beside tests, by path from the root.
// Commands, which nothing can import, are left out.
func goPackages(t *testing.T) map[string]goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{.Name}} {{len .GoFiles}}\t{{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	list := map[string]goPackage{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(f[2], "main ") || strings.HasSuffix(f[2], " 0") {
			continue
		}
		p := goPackage{folder: f[1]}
		for _, imported := range strings.Fields(f[3]) {
			if own, ours := strings.CutPrefix(imported, module); ours {
				p.imports = append(p.imports, own)
			}
		}
		list[strings.TrimPrefix(f[0], module)] = p
	}
	return list
}

// listed are the packages of the list below a paragraph that begins so, each with what
// its entry has in parentheses at its end.
func listed(t *testing.T, paragraph string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, below, _ := strings.Cut(string(text), "\n"+paragraph)
	_, below, _ = strings.Cut(below, "\n\n")
	list, _, _ := strings.Cut(below, "\n\n")
	list = strings.ReplaceAll(list, "\n  ", " ")
	packages := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^- `([^`]+)`: [^(\n]*(?:\\(([^)]*)\\))?$").FindAllStringSubmatch(list, -1) {
		packages[m[1]] = strings.ReplaceAll(m[2], "`", "")
	}
	if len(packages) == 0 {
		t.Fatalf("CONTRIBUTING.md has no list of packages below %q", paragraph)
	}
	return packages
}

// TestPlanOfPackages holds the plan in CONTRIBUTING.md against the imports.
func TestPlanOfPackages(t *testing.T) {
	plan, leaves, tests := listed(t, "The parts, with"), listed(t, "Leaves import leaves only"), listed(t, "Only tests import these")
	found := goPackages(t)
	for path, p := range found {
		imports, isPlanned := plan[path]
		_, isLeaf := leaves[path]
		_, isTest := tests[path]
		if !isPlanned && !isLeaf && !isTest {
			t.Errorf("CONTRIBUTING.md does not name %s", path)
		}
		var beside []string
		for _, imported := range p.imports {
			demo := path == "internal/command" && imported == "internal/fakegh"
			if _, ofTests := tests[imported]; ofTests && !isTest && !demo {
				t.Errorf("%s imports %s, which is for tests", path, imported)
			}
			if _, leaf := leaves[imported]; !leaf {
				beside = append(beside, strings.TrimPrefix(imported, "internal/"))
			}
		}
		slices.Sort(beside)
		if isPlanned && imports != "all" && imports != strings.Join(beside, ", ") {
			t.Errorf("%s imports %s; CONTRIBUTING.md says %s", path, strings.Join(beside, ", "), imports)
		}
		if isLeaf && len(beside) > 0 {
			t.Errorf("%s is no leaf: it imports %s", path, beside)
		}
	}
	for _, rows := range []map[string]string{plan, leaves, tests} {
		for path := range rows {
			if _, there := found[path]; !there {
				t.Errorf("CONTRIBUTING.md names %s, which is no package", path)
			}
		}
	}
}

// TestPackageCommentsNameImports: the comment of a package names each package of the
// program that it imports, or says that it may import every one.
func TestPackageCommentsNameImports(t *testing.T) {
	for path, p := range goPackages(t) {
		comment := packageComment(t, p.folder)
		for _, imported := range p.imports {
			named := regexp.MustCompile(`(^|[\s(])` + regexp.QuoteMeta(imported) + `([\s,.):;]|$)`)
			if !named.MatchString(comment) && !strings.Contains(comment, "may import every package") {
				t.Errorf("the comment of %s does not say that it may import %s", path, imported)
			}
		}
	}
}

// packageComment is the comment of the package in a folder, in one line.
func packageComment(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(f.Doc.Text())
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
