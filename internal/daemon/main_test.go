package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"the-loop/internal/fakegh"
)

// TestMain runs the scripted gh when the test binary is called as gh.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "gh" {
		os.Exit(fakegh.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	// lumberjack keeps one goroutine for each logger until the process ends.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}
