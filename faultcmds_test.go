//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// faultCondition knows the conditions of the scenarios of named faults:
//
//	[tmpfs]  a small file system can be mounted, in order to fill it
//	[modes]  the modes of files bind what "confined" runs, as root too
//	[nproc]  the number of processes of a user of one's own can be limited
func faultCondition(name string) (bool, error) {
	switch name {
	case "tmpfs":
		return canMount(), nil
	case "modes":
		return modesBind(), nil
	case "nproc":
		return processesLimited(), nil
	}
	return false, errors.New("unknown condition")
}

func canMount() bool {
	dir, err := os.MkdirTemp("", "the-loop-mount-")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	if exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).Run() != nil {
		return false
	}
	return exec.Command("umount", dir).Run() == nil
}

// confinement is the command before a command that makes it obey the modes of
// files: root does not, unless the capabilities for that are taken away.
func confinement() []string {
	if os.Getuid() != 0 {
		return nil
	}
	return []string{"setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--"}
}

func modesBind() bool {
	dir, err := os.MkdirTemp("", "the-loop-modes-")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	// The shell says 0 when it could read and not write.
	test := append(confinement(), "sh", "-c", `chmod 0500 "$0" && test -r "$0" && ! test -w "$0"`, dir)
	return exec.Command(test[0], test[1:]...).Run() == nil
}

// crowded is the command before a command that runs it as a user with a limit of
// that many processes, who may write where root may. Root is bound by no limit.
func crowded(limit string) []string {
	return []string{
		"setpriv", "--reuid=64999", "--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override",
		"--bounding-set=-sys_resource,-sys_admin", "--", "prlimit", "--nproc=" + limit, "--core=0",
	}
}

func processesLimited() bool {
	run := func(limit string) bool {
		test := append(crowded(limit), "sh", "-c", "(true) && (true)")
		return os.Getuid() == 0 && exec.Command(test[0], test[1:]...).Run() == nil
	}
	return run("50") && !run("1")
}

// confined writes a script that runs a command which the modes of files bind:
// confined FILE, and then exec sh FILE PROGRAM ARG….
func confined(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: confined FILE")
	}
	writePrefix(ts, args[0], confinement())
}

// limited writes a script that runs a command with a limit of $LIMIT processes:
// limited FILE, and then exec sh FILE PROGRAM ARG….
func limited(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: limited FILE")
	}
	writePrefix(ts, args[0], crowded("$LIMIT"))
}

// writePrefix writes a script that runs its arguments behind a command.
func writePrefix(ts *testscript.TestScript, name string, command []string) {
	line := strings.Join(slices.Concat([]string{"exec"}, command, []string{`"$@"`}), " ")
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(line+"\n"), 0o600))
}

// tmpfs mounts an empty file system: tmpfs DIR SIZE.
func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tmpfs DIR SIZE")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(exec.Command("mount", "-t", "tmpfs", "-o", "mode=0700,size="+args[1], "none", dir).Run())
	ts.Defer(func() { _ = exec.Command("umount", "-l", dir).Run() }) // a scenario may have done it
}

// printable checks that texts hold nothing that a terminal obeys or hides, nor
// invalid UTF-8: printable stdout|stderr|FILE….
func printable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: printable stdout|stderr|FILE…")
	}
	for _, name := range args {
		text := ts.ReadFile(name)
		if !utf8.ValidString(text) {
			ts.Fatalf("%s is no valid UTF-8:\n%q", name, text)
		}
		for line := range strings.Lines(text) {
			i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return !unicode.IsPrint(r) })
			if i >= 0 {
				ts.Fatalf("%s is not printable at column %d of %q", name, i+1, line)
			}
		}
	}
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

// holds checks that a folder holds nothing but what matches one of the
// patterns, no temporary file for one: holds DIR PATTERN….
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: holds DIR PATTERN…")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		if !matchesOne(e.Name(), args[1:]) {
			ts.Fatalf("%s holds %s", args[0], e.Name())
		}
	}
}

func matchesOne(name string, patterns []string) bool {
	for _, p := range patterns {
		if ok, _ := filepath.Match(p, name); ok {
			return true
		}
	}
	return false
}

// further waits until a file holds N more matches than now: further FILE
// PATTERN N.
func further(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: further FILE PATTERN N")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	there := len(pattern.FindAllString(ts.ReadFile(args[0]), -1))
	waitFor(ts, false, []string{args[0], args[1], strconv.Itoa(there + number(ts, args[2]))})
}

// apart checks that no two events of that name in an event log, of which one
// follows the other, are closer than a duration: apart FILE EVENT D. Their
// times may go back, when the clock was set.
func apart(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: apart FILE EVENT D")
	}
	least, err := time.ParseDuration(args[2])
	ts.Check(err)
	var last time.Time
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var ev struct {
			TS    time.Time
			Event string
		}
		ts.Check(json.Unmarshal([]byte(line), &ev))
		if ev.Event != args[1] {
			continue
		}
		if gap := ev.TS.Sub(last).Abs(); gap < least {
			ts.Fatalf("%s came %s after the one before:\n%s", args[1], gap, line)
		}
		last = ev.TS
	}
}
