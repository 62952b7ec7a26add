//go:build unix

package scripttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The packages of the programs that scenarios start. A program has the name of
// its folder. The scripted gh and the handler are small: scenarios start them
// thousands of times, and the start of a test binary costs three times as much.
const (
	daemon  = "the-loop"
	gh      = "the-loop/internal/fakegh/gh"
	handler = "the-loop/internal/scripttest/handler"
)

// Main builds the-loop, the scripted gh and the handler, puts them first on
// PATH, runs the tests and exits. Like the tests, the-loop runs with or without the
// race detector.
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "the-loop-programs-")
	if err == nil {
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the programs of the scenarios:", err)
		os.RemoveAll(dir)
		os.Exit(1)
	}
	privateFolders()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func build(dir string) error {
	if err := goBuild(dir, gh, handler); err != nil {
		return err
	}
	var flags []string
	if raceEnabled {
		flags = append(flags, "-race")
	}
	if err := goBuild(dir, append(flags, daemon)...); err != nil {
		return err
	}
	return os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// goBuild leaves out the state of version control, so that one source has one cached
// build.
func goBuild(dir string, args ...string) error {
	args = append([]string{"build", "-buildvcs=false", "-o", dir + string(filepath.Separator)}, args...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
