//go:build unix

package handlers_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/term"

	"the-loop/internal/session"
)

// agentDir names the folder in which the agent records its messages, in "got", and waits
// for the file "ready" before it begins.
const agentDir = "AGENT_DIR"

// The sequences of bracketed paste: turn on, begin, end.
const (
	pasteOn    = "\x1b[?2004h"
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// agent imitates a coding agent: it owns the terminal, asks for bracketed paste, and
// accepts pasted text on Enter. It records typed text as "typed".
func agent() {
	dir := os.Getenv(agentDir)
	_, err := term.MakeRaw(int(os.Stdin.Fd()))
	check(err)
	tick := time.NewTicker(10 * time.Millisecond)
	for !exists(filepath.Join(dir, "ready")) {
		<-tick.C
	}
	note(dir, "started for %s", os.Getenv("THE_LOOP_REF"))
	fmt.Print(pasteOn, "ready> ")
	var seen string
	for in := bufio.NewReader(os.Stdin); ; {
		c, err := in.ReadByte()
		if err != nil {
			return // the terminal is gone
		}
		if seen += string(c); c != '\r' || strings.HasPrefix(seen, pasteBegin) && !strings.Contains(seen, pasteEnd) {
			continue
		}
		told(dir, strings.TrimSuffix(seen, "\r"))
		fmt.Print("\r\nready> ")
		seen = ""
	}
}

// told accepts one message and reads the file that it names.
func told(dir, message string) {
	inner, begun := strings.CutPrefix(message, pasteBegin)
	inner, ended := strings.CutSuffix(inner, pasteEnd)
	if !begun || !ended || strings.ContainsFunc(inner, func(r rune) bool { return r < ' ' || r > '~' }) {
		note(dir, "typed %q", message)
		return
	}
	file := regexp.MustCompile(`\.the-loop/[a-z0-9-]+\.json`).FindString(inner)
	data, err := os.ReadFile(file)
	check(err)
	var event session.Input
	check(json.Unmarshal(data, &event))
	switch event.Event {
	case session.EventSpawn:
		note(dir, "%s %s %q", event.Event, event.Session.Ref, event.Item.Title)
		note(dir, "URL told: %t, marker told: %t", strings.Contains(inner, event.Item.URL),
			strings.Contains(inner, session.CommentMarker))
	case session.EventComment:
		note(dir, "%s by %s %q", event.Event, event.Comment.Author, event.Comment.Body)
	case session.EventUpdate:
		note(dir, "%s of #%d: %s %s%s", event.Event, event.Item.Number, event.Update.Kind, event.Update.State, event.Update.Decision)
	}
}

// note adds a line to the record in "got".
func note(dir, format string, args ...any) {
	f, err := os.OpenFile(filepath.Join(dir, "got"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	check(err)
	_, err = fmt.Fprintf(f, format+"\n", args...)
	check(err)
	check(f.Close())
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(98)
	}
}
