//go:build unix

package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// openMetrics parses a text with Prometheus' own parser and writes the names of its
// families to a file: openmetrics TEXT NAMES. The parser is a module of its own, which
// keeps its dependencies out of the program's.
func openMetrics(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: openmetrics TEXT NAMES")
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "the-loop").Output()
	ts.Check(err)
	module := filepath.Join(strings.TrimSpace(string(root)), "internal", "openmetrics")
	program := ts.MkAbs(".openmetrics")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
	read := exec.Command(program)
	read.Stdin = strings.NewReader(ts.ReadFile(args[0]))
	var refusal strings.Builder
	read.Stderr = &refusal
	names, err := read.Output()
	if err != nil {
		ts.Fatalf("%v\n%s", err, refusal.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), names, 0o600))
}
