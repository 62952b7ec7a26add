package command

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"the-loop/internal/daemon"
	"the-loop/internal/ref"
	"the-loop/internal/runlock"
	"the-loop/internal/session"
)

// noteCommand is a command that leaves a note for the daemon.
type noteCommand struct {
	note                 session.Note
	usage, does, becomes string
}

func noteCommands() []noteCommand {
	return []noteCommand{
		{session.NoteStop, "stop a session; its item starts nothing until it is restarted",
			"The session gets a close with the closure state 'stopped', and its item starts nothing until 'the-loop sessions restart' or " +
				"a comment 'the-loop start'. An item that waits for room leaves the queue.", "stopped"},
		{session.NotePause, "keep the comments for a session",
			"Comments are kept until 'the-loop sessions resume', and no handler but close is run for the session meanwhile.", "paused"},
		{session.NoteResume, "deliver the comments that were kept for a paused session",
			"The comments that were kept are delivered, in order.", "resumed"},
		{session.NoteRestart, "stop a session and start another for its item",
			"The session gets a close with the closure state 'stopped'; then, once the item is listed, a new one is spawned. A stopped item is started.",
			"restarted"},
	}
}

func (a *app) sessionsNotes() []*cli.Command {
	var list []*cli.Command
	for _, o := range noteCommands() {
		list = append(list, a.sessionsNote(o))
	}
	return list
}

func (a *app) sessionsNote(o noteCommand) *cli.Command {
	return &cli.Command{
		Name: string(o.note), Usage: o.usage, ArgsUsage: "REF…",
		Description: o.does + "\n\n" +
			"The command leaves a note beside each item's record and returns at once. The poller acts on it in its next cycle; if " +
			"none is running, the next one does so in its first.\n\n" +
			"Example:\n" +
			"   the-loop sessions " + string(o.note) + " octo/api#7",
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return arguments(c, 1, "at least one REF, such as OWNER/REPO#7")
			}
			root, refs, err := a.refs(c.Args().Slice())
			if err != nil {
				return err
			}
			return a.leaveNotes(root, o, refs)
		},
	}
}

// leaveNotes leaves the notes. What cannot be done for one item keeps none of the
// others from it.
func (a *app) leaveNotes(root string, o noteCommand, refs []ref.Item) error {
	if err := daemon.CheckRoot(root); err != nil {
		return err
	}
	var errs []error
	left := false
	for _, item := range refs {
		rec, err := readRecord(root, item)
		if err == nil {
			err = refusal(o.note, rec, session.LeftNotes(root, item))
		}
		if err == nil {
			err = session.LeaveNote(root, item.String(), o.note)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		left = true
		if a.watched().orphaned(rec) {
			a.warn("no configured source watches " + item.Scope() + " for this kind of item")
		}
		if _, err := fmt.Fprintf(a.stdout, "%s: will be %s\n", item, o.becomes); err != nil {
			return err
		}
	}
	if left {
		// The answer only words a sentence; an error is no reason to fail.
		poller, _ := runlock.Probe(filepath.Join(root, runlock.FileName))
		if _, err := fmt.Fprintln(a.stdout, takenUp(poller)); err != nil {
			return err
		}
	}
	return oneOrAll(errs)
}

// takenUp says when the daemon carries out what a note asks for.
func takenUp(poller runlock.State) string {
	switch {
	case !poller.Held:
		return "no poller is running; it is done at the next start"
	case poller.PID != 0:
		return fmt.Sprintf("the poller (pid %d) does it in its next cycle", poller.PID)
	}
	return "the poller does it in its next cycle"
}

// refusal is why a command makes no sense for the item as it stands, once the
// notes that were left before are taken up. Nil when it does.
func refusal(note session.Note, rec session.Record, left []session.Note) error {
	state, live := rec.State, rec.Live()
	for _, before := range left {
		switch before {
		case session.NoteStop:
			state, live = session.StateStopped, false
		case session.NotePause:
			state, live = session.StatePaused, true
		case session.NoteResume, session.NoteRestart:
			state, live = session.StateActive, true
		}
	}
	hint := fmt.Sprintf("'the-loop sessions show %s' shows its state", rec.Ref)
	no := func(text string) error { return hinted{fmt.Errorf("%s: %s", rec.Ref, text), hint} }
	switch {
	case state == session.StateStopped && note == session.NoteStop:
		return no("already stopped")
	case state == session.StateStopped && note == session.NoteRestart, live && note == session.NoteRestart:
		return nil
	case state == session.StateClosed, state == session.StateClosing:
		return no("the session has ended")
	case note == session.NoteStop, state == session.StateGaveUp && note == session.NoteRestart:
		return nil
	case note == session.NoteResume && state != session.StatePaused:
		return no("not paused")
	case !live:
		return no("there is no live session")
	case state == session.StatePaused && note == session.NotePause:
		return no("already paused")
	}
	return nil
}
