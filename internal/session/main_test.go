//go:build unix

package session

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is the test of a full disk, too, which runs this binary in a file
// system of its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fulldisk" {
		os.Exit(fullDiskMain(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}
