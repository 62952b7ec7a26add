//go:build unix

package endurance_test

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"the-loop/internal/command"
)

// program is the name under which this binary runs as the daemon.
const program = "the-loop"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == program {
		os.Exit(command.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	// lumberjack keeps one goroutine for each logger until the process ends.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}
