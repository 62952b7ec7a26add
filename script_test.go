//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/eventlog"
	"the-loop/internal/fakegh"
)

var update = flag.Bool("u", false, "update the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"the-loop": main,
		"handler":  handler,
		"gh":       func() { os.Exit(fakegh.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScript runs the scenarios over the scripted gh, and then compares the
// events that they emitted with the catalogue: an event that no scenario can
// bring about is a promise that nothing holds.
func TestScript(t *testing.T) {
	events := &eventNames{seen: map[string]bool{}}
	ok := t.Run("scenarios", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "script"),
			Setup:               events.setup,
			Cmds:                scriptCommands(),
			Condition:           faultCondition,
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			UpdateScripts:       *update,
		})
	})
	if !ok || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return // not all of them ran
	}
	var catalogue []string
	for _, k := range eventlog.Catalogue() {
		catalogue = append(catalogue, k.Name)
	}
	slices.Sort(catalogue)
	if got := events.names(); !slices.Equal(got, catalogue) {
		t.Errorf("the scenarios emitted\n\t%s\nbut the catalogue has\n\t%s",
			strings.Join(got, "\n\t"), strings.Join(catalogue, "\n\t"))
	}
}

// setup gives each scenario folders of its own for everything that the
// program would otherwise look for in the user's home.
func (e *eventNames) setup(env *testscript.Env) error {
	for name, value := range map[string]string{
		fakegh.DirVariable:    "gh",
		"THE_LOOP_STATE_ROOT": "state",
		"XDG_CONFIG_HOME":     "config",
		handlerDir:            "handler",
	} {
		env.Setenv(name, filepath.Join(env.WorkDir, value))
	}
	// A program with the race detector waits a second at its end for goroutines
	// that still run, and a scenario ends many.
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	// The programs' own paths, for scenarios that change PATH.
	for name, program := range map[string]string{"PROGRAM": "the-loop", "FAKEGH": "gh"} {
		path, err := exec.LookPath(program)
		if err != nil {
			return err
		}
		env.Setenv(name, path)
	}
	env.Defer(func() { e.collect(env.WorkDir) })
	return nil
}

// eventNames gathers what the event logs of all scenarios hold.
type eventNames struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (e *eventNames) collect(work string) {
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
				e.mu.Lock()
				e.seen[ev.Event] = true
				e.mu.Unlock()
			}
		}
		f.Close()
	}
}

func (e *eventNames) names() []string { return slices.Sorted(maps.Keys(e.seen)) }

// deadline bounds every wait of a scenario: it is reached only by a failure.
const deadline = 30 * time.Second

func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"waitfor": waitFor,
		"signal":  sendSignal,
		"gone":    gone,
		"calls":   calls,
		"mode":    mode,
		"notify":  notify,

		"ownclock":  ownClock,
		"apart":     apart,
		"confined":  confined,
		"further":   further,
		"holds":     holds,
		"limited":   limited,
		"lives":     lives,
		"printable": printable,
		"tmpfs":     tmpfs,
	}
}

// waitFor waits until a file holds N matches: waitfor FILE PATTERN [N].
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: waitfor FILE PATTERN [N]")
	}
	want := 1
	if len(args) == 3 {
		want = number(ts, args[2])
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	until(ts, func() bool {
		text, err := os.ReadFile(name)
		return err == nil && len(pattern.FindAll(text, -1)) >= want
	}, fmt.Sprintf("%d match(es) of %q in %s", want, args[1], args[0]))
}

// sendSignal signals the process that a file names: signal TERM FILE.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{
		"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP,
		"KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT,
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal NAME FILE")
	}
	ts.Check(syscall.Kill(pidIn(ts, args[1]), signals[args[0]]))
}

// gone waits until the process that a file names has ended: gone FILE.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	pid := pidIn(ts, args[0])
	until(ts, func() bool { return !alive(pid) }, fmt.Sprintf("process %d to end", pid))
}

// alive takes a zombie for dead: its parent only has not asked yet.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true // no proc file system: the signal has to do
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func pidIn(ts *testscript.TestScript, file string) int {
	first, _, _ := strings.Cut(ts.ReadFile(file), "\n")
	return number(ts, strings.TrimSpace(first))
}

// calls checks how often gh was asked: calls N PATTERN.
func calls(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: calls N PATTERN")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	text, err := os.ReadFile(filepath.Join(ts.Getenv(fakegh.DirVariable), "calls.log"))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	if got, want := len(pattern.FindAll(text, -1)), number(ts, args[0]); got != want {
		ts.Fatalf("%d calls match %q, want %d; all calls:\n%s", got, args[1], want, text)
	}
}

// mode checks permissions: mode 0600 FILE….
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mode OCTAL FILE…")
	}
	for _, name := range args[1:] {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
			ts.Fatalf("%s has mode %s, want %s", name, got, args[0])
		}
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		ts.Fatalf("%q is not a number", s)
	}
	return n
}

// until asks again and again, but not for ever.
func until(ts *testscript.TestScript, done func() bool, what string) {
	end := time.After(deadline)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-end:
			ts.Fatalf("waited %s in vain for %s", deadline, what)
		}
	}
}
