//go:build unix

package scripttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// printable checks that texts hold no terminal sequences, no invisible characters and
// no invalid UTF-8: printable stdout|stderr|FILE….
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

// put copies a file in one step: put FROM TO. A program that reads TO meanwhile gets
// the old text or the new. The built-in cp empties TO first.
func put(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: put FROM TO")
	}
	from, to := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	info, err := os.Stat(from)
	ts.Check(err)
	temp := to + ".new"
	ts.Check(os.WriteFile(temp, []byte(ts.ReadFile(args[0])), info.Mode().Perm()))
	ts.Check(os.Rename(temp, to))
}

// holds waits until every file of a folder matches one of the patterns: holds DIR
// PATTERN…. A running program may be about to rename a temporary file.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: holds DIR PATTERN…")
	}
	until(ts, func() (bool, string) {
		entries, err := os.ReadDir(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, e := range entries {
			if !matchesOne(e.Name(), args[1:]) {
				return false, args[0] + " holds " + e.Name()
			}
		}
		return true, ""
	})
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

// apart checks that events of one name follow each other at a distance of at least D:
// apart FILE EVENT D. Their times may go back, since a scenario can set the clock.
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
