//go:build unix

package scripttest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

//go:embed testdata/clock/jumped.go
var jumpedSource []byte

// ownClock builds the program with a wall clock that the scenario can set while it
// runs: ownclock PROGRAM. The file that THE_LOOP_CLOCK names holds the seconds to add.
// The monotonic clock stays as it is, as when an administrator sets the machine's
// clock. Only the standard library's time.Now differs from the released program.
func ownClock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ownclock PROGRAM")
	}
	const (
		reading = "\tsec, nsec, mono := runtimeNow()\n"
		set     = reading + "\tsec += jumped()\n"
	)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	ts.Check(err)
	library := filepath.Join(strings.TrimSpace(string(goroot)), "src", "time")
	original, err := os.ReadFile(filepath.Join(library, "time.go"))
	ts.Check(err)
	if bytes.Count(original, []byte(reading)) != 1 {
		ts.Fatalf("%s reads the clock in another way than ownClock knows", library)
	}
	jumped := ts.MkAbs("jumped.go")
	ts.Check(os.WriteFile(jumped, jumpedSource, 0o600))
	changed, overlay := ts.MkAbs("time.go"), ts.MkAbs("overlay.json")
	ts.Check(os.WriteFile(changed, bytes.Replace(original, []byte(reading), []byte(set), 1), 0o600))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(library, "time.go"):   changed,
		filepath.Join(library, "jumped.go"): jumped,
	}})
	ts.Check(err)
	ts.Check(os.WriteFile(overlay, replace, 0o600))
	build := exec.Command("go", "build", "-overlay", overlay, "-trimpath", "-o", ts.MkAbs(args[0]), daemon)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
}
