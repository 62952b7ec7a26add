//go:build unix

package endurance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"the-loop/heartbeat"
	"the-loop/internal/runlock"
	"the-loop/internal/session"
)

// dispatches is the number of concurrent handlers, backups the number of rotated event
// logs that the daemon keeps.
const (
	dispatches = 4
	backups    = 2
)

// mostTemporary is the most files that can be under replacement at once: a record for
// each handler that has ended and for the cycle, and the heartbeat.
const mostTemporary = dispatches + 2

// isTemporary reports whether the name is that of a file before its rename.
func isTemporary(name string) bool { return temporaryName.MatchString(filepath.Base(name)) }

var temporaryName = regexp.MustCompile(`^\..+\.json\d+$`)

// files checks everything under the state root while no daemon runs. It returns the
// temporary files and a list of faults.
func (s *stage) files() (temporary, wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	err := filepath.WalkDir(s.state, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case isTemporary(path):
			temporary = append(temporary, path)
		case strings.Contains(d.Name(), ".corrupt-"):
			complain("a record was set aside: %s", path)
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	_, errs := session.ReadAll(s.state)
	for _, err := range errs {
		complain("%v", err)
	}
	if _, err := heartbeat.Read(filepath.Join(s.state, heartbeat.FileName)); err != nil && !os.IsNotExist(err) {
		complain("%v", err)
	}
	// A forked child that has not yet called exec holds the lock for a moment longer.
	if !await(func() bool {
		state, err := runlock.Probe(filepath.Join(s.state, runlock.FileName))
		return err == nil && !state.Held
	}) {
		complain("the lock is held by nobody who should have it")
	}
	return temporary, wrong
}

// eventFiles lists the event log and its rotated files.
func (s *stage) eventFiles() []string {
	rotated, _ := filepath.Glob(filepath.Join(s.state, "events-*.jsonl"))
	return append(rotated, filepath.Join(s.state, "events.jsonl"))
}

// eventLines counts the lines of all event logs and returns those that are no event.
func (s *stage) eventLines() (lines int, torn []string) {
	for _, name := range s.eventFiles() {
		text, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			torn = append(torn, err.Error())
		}
		for line := range bytes.Lines(text) {
			var e struct{ TS, Event, Level string }
			lines++
			if json.Unmarshal(line, &e) != nil || e.TS == "" || e.Event == "" || e.Level == "" {
				torn = append(torn, fmt.Sprintf("%s: %q", filepath.Base(name), line))
			}
		}
	}
	return lines, torn
}

// fillEvents grows the event log to just below its rotation size with copies of one of
// its lines.
func (s *stage) fillEvents() {
	name := filepath.Join(s.state, "events.jsonl")
	text, err := os.ReadFile(name)
	if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
		return // no log, or a cut last line: the next round tries again
	}
	line := text[:bytes.IndexByte(text, '\n')+1]
	room := 1<<20 - len(text) - 600
	if room < len(line) {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	s.check(err)
	defer f.Close()
	_, err = f.Write(bytes.Repeat(line, room/len(line)))
	s.check(err)
}
