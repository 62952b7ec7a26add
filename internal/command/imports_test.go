package command

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports refuses what every command would pay for at its start: for net and os/user
// a plain "go build" links the C library, and the schema library prepares itself for long.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "the-loop").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, name := range []string{"net", "os/user", "runtime/cgo", "github.com/google/jsonschema-go/jsonschema"} {
		if slices.Contains(packages, name) {
			t.Errorf("the program imports %s", name)
		}
	}
}
