package doctor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// handlers looks up the command of each event as the dispatcher does.
func (e *examination) handlers() {
	if e.Config == nil {
		return
	}
	h := e.Config.Routing.Handlers
	for _, handler := range []struct {
		event string
		argv  []string
	}{
		{"spawn", h.Spawn.Source()}, {"comment", h.Comment.Source()}, {"close", h.Close.Source()},
		{"update", h.Update.Source()}, {"alive", h.Alive.Source()}, {"notify", h.Notify.Source()},
	} {
		if len(handler.argv) > 0 {
			e.handler(handler.event+" handler", handler.argv)
		}
	}
	if len(h.Spawn) == 0 {
		e.warn("handler", "spawn handler", "there is none: items wait and no session starts",
			"set routing.handlers.spawn to the command that starts a session")
	}
}

// handler looks up a command and, if that runs another command or a script, those too.
func (e *examination) handler(subject string, argv []string) {
	path, ok := e.command(subject, argv[0])
	if !ok {
		return
	}
	run := path
	for range len(argv) { // each step drops at least one word
		next, known := runBy(argv)
		switch {
		case !known:
			e.ok("handler", subject, run)
			return
		case next.script:
			if e.script(subject, argv[0], next.argv[0]) {
				e.ok("handler", subject, next.argv[0]+", run by "+run)
			}
			return
		}
		argv = next.argv
		found, ok := e.command(subject, argv[0])
		if !ok {
			return
		}
		run = found + ", run by " + run
	}
}

// command looks up a program and reports whether it can be run. If not, it has
// reported why.
func (e *examination) command(subject, command string) (path string, ok bool) {
	const check = "handler"
	if strings.Contains(command, "{{") {
		e.ok(check, subject, quoted(command)+" differs from item to item, so it was not checked")
		return "", false
	}
	path, err := exec.LookPath(command)
	switch {
	case errors.Is(err, exec.ErrDot):
		e.fail(check, subject, fmt.Sprintf("%s is found only through a relative entry of PATH", quoted(command)), "write its absolute path")
	case errors.Is(err, exec.ErrNotFound) && filepath.Base(command) == command:
		e.fail(check, subject, quoted(command)+" is not on PATH", "write its absolute path; a service has a PATH of its own")
	case err != nil:
		e.fail(check, subject, fmt.Sprintf("%s: %v", quoted(command), cause(err)), "make it an executable file, or correct the path")
	case filepath.Base(command) != command && !filepath.IsAbs(command):
		e.warn(check, subject, quoted(command)+" is relative to the folder where the daemon starts", "write an absolute path")
	default:
		if fault, fix := interpreterFault(path); fault != "" {
			e.fail(check, subject, path+" cannot be run: "+fault, fix)
			return "", false
		}
		return path, true
	}
	return "", false
}

// script checks that an interpreter can read the file, which need not be executable.
func (e *examination) script(subject, interpreter, file string) bool {
	const check = "handler"
	if strings.Contains(file, "{{") {
		e.ok(check, subject, quoted(file)+" differs from item to item, so it was not checked")
		return false
	}
	f, err := os.Open(file)
	if err == nil {
		defer f.Close()
		if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
			err = errors.New("it is a folder")
		}
	}
	switch {
	case err != nil:
		e.fail(check, subject, fmt.Sprintf("%s cannot read %s: %v", filepath.Base(interpreter), quoted(file), cause(err)),
			"correct the path of the script")
	case !filepath.IsAbs(file):
		e.warn(check, subject, quoted(file)+" is relative to the folder where the daemon starts", "write an absolute path")
	default:
		return true
	}
	return false
}
