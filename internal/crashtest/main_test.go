//go:build unix

package crashtest

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"the-loop/internal/command"
)

// program is the name under which this binary is the daemon.
const program = "the-loop"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == program {
		os.Exit(command.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}
