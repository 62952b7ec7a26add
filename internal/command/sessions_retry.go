package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/daemon"
	"the-loop/internal/runlock"
	"the-loop/internal/session"
)

func (a *app) sessionsRetry() *cli.Command {
	return a.refCommand("retry", "try again what was given up for one item",
		"Leaves a note beside the item's record, which the poller takes up in its next cycle: everything that was given up for "+
			"the item gets its attempts back. While no source lists the item that waits until one does, and once the session has "+
			"ended nothing but its close is tried again. It returns at once; 'the-loop events --follow' shows what comes of it.\n\n"+
			"Example:\n"+
			"   the-loop sessions retry octo/api#7",
		a.retrySession)
}

func (a *app) retrySession(root string, ref session.Ref, asJSON bool) error {
	rec, err := readRecord(root, ref)
	if err != nil {
		return err
	}
	if len(rec.GaveUp) == 0 {
		hint := fmt.Sprintf("'the-loop sessions show %s' says how it stands", ref)
		if len(rec.Pending) > 0 {
			hint = "it is being tried already, once in each cycle"
		}
		return hinted{fmt.Errorf("nothing was given up for %s", ref), hint}
	}
	again := retryable(root, rec)
	if len(again) == 0 {
		return hinted{
			fmt.Errorf("the session has ended, so what was given up for %s is not tried again", ref),
			"an item that is reopened gets a new session",
		}
	}
	if err := daemon.CheckRoot(root); err != nil {
		return err
	}
	if err := session.LeaveRetryNote(root, ref.String()); err != nil {
		return err
	}
	// The answer only words a sentence; an error is no reason to fail.
	poller, _ := runlock.Probe(filepath.Join(root, runlock.FileName))
	events := []string{}
	for _, g := range again {
		events = append(events, deliveryWords(g.Event, g.CommentID))
	}
	if asJSON {
		return a.retriedJSON(rec, events, poller)
	}
	next := "no poller runs: the next one takes it up in its first cycle"
	if poller.Held {
		next = "the poller takes it up in its next cycle"
		if poller.PID != 0 {
			next = fmt.Sprintf("the poller (pid %d) takes it up in its next cycle", poller.PID)
		}
	}
	if rec.Unlisted {
		next = "no source lists it now: it is tried again as soon as one does"
	}
	if a.watched().orphaned(rec) {
		a.warn("no source of the configuration asks for " + ref.Scope() + " and this kind of item; until one does, nothing may come of it")
	}
	_, err = fmt.Fprintf(a.stdout, "%s: to be tried again: %s\n%s\n", ref, strings.Join(events, ", "), next)
	return err
}

// retryable returns the given-up deliveries that can still be made: only a close
// once the session has ended.
func retryable(root string, rec session.Record) []session.GaveUp {
	var list []session.GaveUp
	for _, g := range rec.GaveUp {
		target := rec
		if g.SessionRef != "" {
			if linked, err := session.ReadOne(root, g.SessionRef); err == nil {
				target = linked
			}
		}
		if !target.Over() || g.Event == session.EventClose {
			list = append(list, g)
		}
	}
	return list
}

func (a *app) retriedJSON(rec session.Record, events []string, poller runlock.State) error {
	text, err := json.MarshalIndent(struct {
		Ref    string   `json:"ref"`
		GaveUp []string `json:"gaveUp"`
		// Unlisted says that the retry waits for a source to list the item.
		Unlisted bool `json:"unlisted,omitempty"`
		Running  bool `json:"running"`
		PID      int  `json:"pid"`
	}{rec.Ref, events, rec.Unlisted, poller.Held, poller.PID}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}
