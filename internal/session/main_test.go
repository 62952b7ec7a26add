//go:build unix

package session

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is the handler, too: a test that needs one runs this binary with
// one of these words as its first argument.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "puppet":
			os.Exit(puppetMain(os.Args[2:]))
		case "fulldisk":
			os.Exit(fullDiskMain(os.Args[2]))
		}
	}
	goleak.VerifyTestMain(m)
}
