//go:build unix

package scripttest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/fakegh"
)

// Deadline bounds every wait of a scenario. Only a failure reaches it, however busy
// the machine is.
const Deadline = 2 * time.Minute

// Commands returns the commands of scenarios by name.
func Commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"waitfor": waitFor,
		"signal":  sendSignal,
		"gone":    gone,
		"calls":   calls,
		"mode":    mode,
		"notify":  notify,

		"openmetrics": openMetrics,
		"ownclock":    ownClock,
		"apart":       apart,
		"confined":    confined,
		"further":     further,
		"holds":       holds,
		"limited":     limited,
		"lives":       lives,
		"printable":   printable,
		"put":         put,
		"tmpfs":       tmpfs,
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
	until(ts, func() (bool, string) {
		text, err := os.ReadFile(name)
		found := len(pattern.FindAll(text, -1))
		return err == nil && found >= want, fmt.Sprintf("%d of %d matches of %q in %s", found, want, args[1], args[0])
	})
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
	until(ts, func() (bool, string) { return !alive(pid), fmt.Sprintf("process %d lives", pid) })
}

// alive counts a zombie as dead: it has ended, and its parent has yet to wait for it.
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

// lives checks that the process that a file names is alive, and ends it with
// the scenario: lives FILE.
func lives(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lives FILE")
	}
	pid := pidIn(ts, args[0])
	if !alive(pid) {
		ts.Fatalf("process %d has ended", pid)
	}
	ts.Defer(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
}

// calls checks how many calls of gh match: calls N PATTERN.
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

// until is Until for a command: it fails the scenario.
func until(ts *testscript.TestScript, done func() (yes bool, instead string)) {
	ts.Check(Until(done))
}

// Until calls done until it reports success. After [Deadline] it returns an error with
// what done found instead.
func Until(done func() (yes bool, instead string)) error {
	end := time.After(Deadline)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		yes, instead := done()
		if yes {
			return nil
		}
		select {
		case <-tick.C:
		case <-end:
			return fmt.Errorf("waited %s in vain: %s", Deadline, instead)
		}
	}
}
