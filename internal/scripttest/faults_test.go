//go:build unix

package scripttest_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/scripttest"
)

var update = flag.Bool("u", false, "update the expected output of the scenarios")

func TestMain(m *testing.M) { scripttest.Main(m) }

// TestFaults runs the scenarios of named faults. In a package of its own, it runs
// beside the other scenarios and has its own time limit.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "fault-*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	p := scripttest.Params(&scripttest.Events{})
	p.Files = files
	p.UpdateScripts = *update
	testscript.Run(t, p)
}
