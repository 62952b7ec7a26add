//go:build unix

package scripttest

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/fakegh"
)

// HandlerDir is the variable that names the handler's folder. The handler writes its
// input there and reads its instructions.
const HandlerDir = "HANDLER_DIR"

// Params are those of a run over the scripted gh; the caller adds the scenarios.
func Params(events *Events) testscript.Params {
	return testscript.Params{
		Setup:               func(env *testscript.Env) error { return setup(env, events) },
		Cmds:                Commands(),
		Condition:           Condition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}

// FirstOnPath makes program the one that a scenario finds on its PATH by that name.
func FirstOnPath(env *testscript.Env, name, program string) error {
	bin := filepath.Join(env.WorkDir, ".bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	return nil
}

// setup gives each scenario its own folders for everything that the program would
// look for in the user's home.
func setup(env *testscript.Env, events *Events) error {
	for name, value := range map[string]string{
		fakegh.DirVariable:    "gh",
		"THE_LOOP_STATE_ROOT": "state",
		"XDG_CONFIG_HOME":     "config",
		HandlerDir:            "handler",
	} {
		env.Setenv(name, filepath.Join(env.WorkDir, value))
	}
	// With the race detector a program waits a second at its end, and a scenario
	// ends many.
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	// The programs' own paths, for scenarios that change PATH.
	for name, program := range map[string]string{"PROGRAM": "the-loop", "FAKEGH": "gh"} {
		path, err := exec.LookPath(program)
		if err != nil {
			return err
		}
		env.Setenv(name, path)
	}
	env.Defer(func() { events.collect(env.WorkDir) })
	return nil
}

// Events gathers the names of the events in the event logs of scenarios. The
// zero value is ready for use.
type Events struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (e *Events) collect(work string) {
	logs, _ := filepath.Glob(filepath.Join(work, "*", "events*.jsonl"))
	for _, name := range logs {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var ev struct{ Event string }
			if json.Unmarshal(lines.Bytes(), &ev) == nil {
				e.add(ev.Event)
			}
		}
		f.Close()
	}
}

func (e *Events) add(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = map[string]bool{}
	}
	e.seen[name] = true
}

// Names returns the gathered names in order.
func (e *Events) Names() []string { return slices.Sorted(maps.Keys(e.seen)) }
