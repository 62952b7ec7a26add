//go:build unix

package dispatch

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is the handler, too: a test that needs one runs this binary with
// "puppet" as its first argument.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "puppet" {
		os.Exit(puppetMain(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}
