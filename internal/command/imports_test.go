package command

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestNoCLibrary: a plain "go build" links the C library for either of these packages,
// and every command then starts a quarter slower.
func TestNoCLibrary(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "the-loop").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, name := range []string{"net", "os/user", "runtime/cgo"} {
		if slices.Contains(packages, name) {
			t.Errorf("the program imports %s", name)
		}
	}
}
