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

// dispatches is how many handlers run at once, backups how many rotated event
// logs are kept.
const (
	dispatches = 4
	backups    = 2
)

// mostTemporary is how many files can be in the course of being replaced: a
// record for each handler that has ended and for the cycle, and the heartbeat.
const mostTemporary = dispatches + 2

// isTemporary knows the files that become another one by being renamed.
func isTemporary(name string) bool { return temporaryName.MatchString(filepath.Base(name)) }

var temporaryName = regexp.MustCompile(`^\..+\.json\d+$`)

// files looks at everything under the state root while no daemon runs. It
// returns the temporary files, and what is wrong.
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
	// A child that was forked and has not become another program yet has it for
	// a moment longer.
	if !await(func() bool {
		state, err := runlock.Probe(filepath.Join(s.state, runlock.FileName))
		return err == nil && !state.Held
	}) {
		complain("the lock is held by nobody who should have it")
	}
	return temporary, wrong
}

// eventFiles are the event log and what was rotated away from it.
func (s *stage) eventFiles() []string {
	rotated, _ := filepath.Glob(filepath.Join(s.state, "events-*.jsonl"))
	return append(rotated, filepath.Join(s.state, "events.jsonl"))
}

// eventLines reads all event logs and returns the lines that are no event.
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

// fillEvents brings the event log to just under the size at which it is
// rotated, with copies of a line that it has.
func (s *stage) fillEvents() {
	name := filepath.Join(s.state, "events.jsonl")
	text, err := os.ReadFile(name)
	if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
		return // there is none, or its last line was cut: the next round will do
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
