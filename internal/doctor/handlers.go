package doctor

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// handlers looks for the command of each event as the dispatcher will.
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
	} {
		if len(handler.argv) > 0 {
			e.handler(handler.event, handler.argv[0])
		}
	}
	if len(h.Spawn) == 0 {
		e.warn("handler", "spawn handler", "there is none: items wait and no session starts",
			"set routing.handlers.spawn to what starts a session")
	}
}

func (e *examination) handler(event, command string) {
	const check = "handler"
	subject := event + " handler"
	if strings.Contains(command, "{{") {
		e.ok(check, subject, quoted(command)+" differs from item to item, so it was not looked for")
		return
	}
	path, err := exec.LookPath(command)
	switch {
	case errors.Is(err, exec.ErrDot):
		e.fail(check, subject, fmt.Sprintf("PATH finds %s only by a relative folder", quoted(command)), "write its absolute path")
	case errors.Is(err, exec.ErrNotFound) && filepath.Base(command) == command:
		e.fail(check, subject, quoted(command)+" is not on PATH", "write its absolute path; a service has a PATH of its own")
	case err != nil:
		e.fail(check, subject, fmt.Sprintf("%s: %v", quoted(command), cause(err)), "make it an executable file, or correct the path")
	case filepath.Base(command) != command && !filepath.IsAbs(command):
		e.warn(check, subject, quoted(command)+" is taken from the folder that the daemon is started in", "write an absolute path")
	default:
		e.script(event, path)
	}
}

// script tells what keeps an executable file from being run, where that is seen.
func (e *examination) script(event, path string) {
	if fault, fix := interpreterFault(path); fault != "" {
		e.fail("handler", event+" handler", path+" cannot be run: "+fault, fix)
		return
	}
	e.ok("handler", event+" handler", path)
}
