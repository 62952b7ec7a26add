package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/counted"
	"the-loop/internal/ref"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/internal/timetext"
	"the-loop/status"
)

// logLines is how many lines of a session's log are shown.
const logLines = 20

func (a *app) sessionsShow() *cli.Command {
	return a.refCommand("show", "show the record of one session and the end of its log",
		"Says what is known of the item, how its session stands, what is being tried and what was given up and why, "+
			"where its record and its log are, and the last 20 lines of the log.\n\n"+
			"--format json prints the record as it is stored.\n\n"+
			"Examples:\n"+
			"   the-loop sessions show octo/api#7\n"+
			"   the-loop sessions show https://github.com/octo/api/issues/7\n"+
			"   the-loop sessions show --format json github:octo/api#7",
		a.showSession)
}

func (a *app) showSession(root string, item ref.Item, asJSON bool) error {
	rec, err := readRecord(root, item)
	if err != nil {
		return err
	}
	if asJSON {
		text, err := rec.Encode()
		if err != nil {
			return err
		}
		_, err = a.stdout.Write(text)
		return err
	}
	lines := sessionLines(rec, a.watched(), time.Now())
	logPath := session.LogPath(root, rec.Session)
	tail, logErr := session.LogTail(root, rec.Session, logLines)
	lines.add("record", session.RecordPath(root, item))
	if _, err := os.Stat(logPath); errors.Is(err, fs.ErrNotExist) {
		lines.add("log", "none: no handler has run")
	} else {
		lines.add("log", logPath)
	}
	if len(tail) > 0 {
		lines = append(lines, "", "The last "+counted.Of(len(tail), "line", "lines")+" of the log:")
		for _, line := range tail {
			lines = append(lines, strings.TrimRight("   "+safetext.Line(line), " "))
		}
	}
	if _, err := fmt.Fprintln(a.stdout, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return logErr
}

// facts are lines of a key and a text.
type facts []string

func (f *facts) add(key, text string) {
	*f = append(*f, fmt.Sprintf("%-15s%s", key+":", text))
}

// sessionLines puts a record into words.
func sessionLines(r session.Record, w watched, now time.Time) facts {
	var f facts
	f.add("ref", r.Ref)
	f.add("item", itemWords(r))
	if r.URL != "" {
		f.add("url", safetext.Line(r.URL))
	}
	f.add("session", r.Session)
	f.add("state", stateWords(r, now))
	if r.AdoptedBy != "" {
		f.add("adopted by", safetext.Line(r.AdoptedBy))
	}
	f.add("last delivery", whenWords(r.LastDeliveryAt, now))
	for _, p := range r.Pending {
		f.add("being tried", pendingWords(p, now))
	}
	for _, g := range r.GaveUp {
		text := fmt.Sprintf("%s, %s", deliveryWords(g.Event, g.CommentID), whenWords(g.At, now))
		f.add("gave up", withError(text, g.Error))
	}
	if len(r.GaveUp) > 0 {
		f.add("to try again", "the-loop sessions retry "+r.Ref)
	}
	switch {
	case held(r) && r.State == session.StatePaused:
		f.add("paused by", safetext.Line(r.StoppedBy))
		f.add("to go on", "the-loop sessions resume "+r.Ref)
	case held(r):
		f.add("stopped by", safetext.Line(r.StoppedBy))
		f.add("to start it", "the-loop sessions restart "+r.Ref)
	case r.Restart:
		f.add("restart", "a new session follows when this one has ended")
	}
	if w.orphaned(r) {
		f.add("orphaned", "no source of the configuration asks for it, so nothing will happen to it")
	}
	if r.Gone != "" {
		f.add("gone", safetext.Line(r.Gone)+"; the session is kept")
		if r.Live() {
			f.add("to end it", "the-loop sessions stop "+r.Ref)
		}
	}
	if !r.RecoveredAt.IsZero() {
		f.add("recovered", whenWords(r.RecoveredAt, now)+", because the record could not be read")
	}
	return f
}

func itemWords(r session.Record) string {
	kind := map[ref.Kind]string{ref.Issue: "issue", ref.PullRequest: "pull request"}[r.Kind]
	if kind == "" {
		return "not listed since the record was recovered"
	}
	text := kind + " by " + firstNonEmpty(safetext.Line(r.Author), "a deleted account")
	if r.Title != "" {
		text += fmt.Sprintf(", %q", safetext.Line(r.Title))
	}
	return text
}

func stateWords(r session.Record, now time.Time) string {
	text := string(r.State)
	if !r.SinceAt.IsZero() {
		text += " since " + whenWords(r.SinceAt, now)
	}
	if why := waitsFor(r); why != "" {
		text += ": " + why
	}
	if r.Generation > 1 {
		text += fmt.Sprintf(", session number %d of the item", r.Generation)
	}
	return text
}

// waitsFor says why the item has no session, or what its session waits for.
func waitsFor(r session.Record) string {
	switch {
	case r.State == session.StateQueued:
		return "it waits for room (routing.maxSessions, or maxSessions of its source)"
	case r.State == session.StateClosing:
		return "its close is not delivered yet"
	case r.State != session.StateNone:
		return ""
	case r.Fed:
		return "its comments go to the session of the issue it works on"
	case r.NoHandler:
		return "it waits for routing.handlers.spawn, which is not set"
	case asksForStart(r):
		return "it waits for a comment 'the-loop start' of an authorized user"
	case r.HasPending(session.EventSpawn):
		return "its session is being started"
	}
	return "no session was started"
}

func whenWords(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return fmt.Sprintf("%s (%s)", timetext.UTC(t), status.Age(t, now))
}

func deliveryWords(event session.Event, commentID string) string {
	if commentID == "" {
		return string(event)
	}
	return string(event) + " " + safetext.Line(commentID)
}

func pendingWords(p session.Pending, now time.Time) string {
	text := deliveryWords(p.Event, p.CommentID)
	if p.SessionRef != "" {
		text += " to the session of " + safetext.Line(p.SessionRef)
	}
	text += ", " + counted.Of(p.Attempts, "attempt", "attempts") + " failed"
	if !p.LastAttemptAt.IsZero() {
		text += ", last tried " + whenWords(p.LastAttemptAt, now)
	}
	return withError(text, p.LastError)
}

func withError(text, err string) string {
	if err == "" {
		return text
	}
	return text + ": " + safetext.Line(err)
}
