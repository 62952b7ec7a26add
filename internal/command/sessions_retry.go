package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/daemon"
	"the-loop/internal/ref"
	"the-loop/internal/runlock"
	"the-loop/internal/session"
)

func (a *app) sessionsRetry() *cli.Command {
	return &cli.Command{
		Name: "retry", Usage: "try again what was given up", ArgsUsage: "REF…",
		Description: "Leaves a note beside each item's record and returns at once. In its next cycle the poller tries again everything that " +
			"it gave up for the item, with all attempts. While no source lists the item, the retry waits until one does; after the " +
			"session has ended, only its close is tried again. 'the-loop events --follow' shows the result.\n\n" +
			"With --all it does so for every item with a delivery that was given up.\n\n" +
			"Examples:\n" +
			"   the-loop sessions retry octo/api#7\n" +
			"   the-loop sessions retry --all",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "retry everything that was given up"}, formatFlag()},
		Action: func(c *cli.Context) error {
			asJSON, err := wantsJSON(c)
			switch {
			case err != nil:
				return err
			case c.Bool("all"):
				if err := noArguments(c); err != nil {
					return err
				}
				root, err := a.stateRoot()
				if err != nil {
					return err
				}
				return a.retryAll(root, asJSON)
			case !c.Args().Present():
				return arguments(c, 1, "at least one REF, such as OWNER/REPO#7, or --all")
			}
			root, refs, err := a.refs(c.Args().Slice())
			if err != nil {
				return err
			}
			return a.retrySessions(root, refs, asJSON, len(refs) > 1)
		},
	}
}

// retryAll retries every item for which something was given up that can still be
// tried.
func (a *app) retryAll(root string, asJSON bool) error {
	records, errs := session.ReadList(root, false)
	var refs []ref.Item
	for _, rec := range records {
		if item, err := ref.Parse(rec.Ref); err == nil && len(retryable(root, rec)) > 0 {
			refs = append(refs, item)
		}
	}
	if len(refs) == 0 && !asJSON {
		fmt.Fprintf(a.stderr, "the-loop: nothing to retry under %s\n", root)
	}
	if len(refs) > 0 || asJSON {
		if err := a.retrySessions(root, refs, asJSON, true); err != nil {
			errs = append(errs, err)
		}
	}
	return oneOrAll(errs)
}

// retried says what a retry asks for.
type retried struct {
	Ref    string   `json:"ref"`
	GaveUp []string `json:"gaveUp"`
	// Unlisted says that the retry waits for a source to list the item.
	Unlisted bool `json:"unlisted,omitempty"`
	Running  bool `json:"running"`
	PID      int  `json:"pid"`
}

// retrySessions leaves a note for each item. What cannot be done for one item keeps
// none of the others from it. With several set the JSON is a list.
func (a *app) retrySessions(root string, refs []ref.Item, asJSON, several bool) error {
	// The answer only words a sentence; an error is no reason to fail.
	poller, _ := runlock.Probe(filepath.Join(root, runlock.FileName))
	var errs []error
	done := []retried{}
	for _, item := range refs {
		r, err := a.retrySession(root, item)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r.Running, r.PID = poller.Held, poller.PID
		done = append(done, r)
	}
	var err error
	if asJSON {
		err = a.retriedJSON(done, several)
	} else {
		err = a.retriedText(done)
	}
	if err != nil {
		return err
	}
	return oneOrAll(errs)
}

func (a *app) retrySession(root string, item ref.Item) (retried, error) {
	rec, err := readRecord(root, item)
	if err != nil {
		return retried{}, err
	}
	if len(rec.GaveUp) == 0 {
		hint := fmt.Sprintf("'the-loop sessions show %s' shows its state", item)
		if len(rec.Pending) > 0 {
			hint = "it is still being tried, once each cycle"
		}
		return retried{}, hinted{fmt.Errorf("nothing was given up for %s", item), hint}
	}
	again := retryable(root, rec)
	if len(again) == 0 {
		return retried{}, hinted{
			fmt.Errorf("the session has ended, so what was given up for %s is not tried again", item),
			"reopen the item to get a new session",
		}
	}
	if err := daemon.CheckRoot(root); err != nil {
		return retried{}, err
	}
	if err := session.LeaveRetryNote(root, item.String()); err != nil {
		return retried{}, err
	}
	if a.watched().orphaned(rec) {
		a.warn("no configured source watches " + item.Scope() + " for this kind of item; until one does, nothing may happen")
	}
	r := retried{Ref: rec.Ref, Unlisted: rec.Unlisted}
	for _, g := range again {
		r.GaveUp = append(r.GaveUp, deliveryWords(g.Event, g.CommentID))
	}
	return r, nil
}

// retriedText says what is tried again, and when.
func (a *app) retriedText(done []retried) error {
	text, unlisted := "", 0
	for _, r := range done {
		text += fmt.Sprintf("%s: will be retried: %s\n", r.Ref, strings.Join(r.GaveUp, ", "))
		if r.Unlisted {
			unlisted++
			text += "no source lists it now; it will be retried as soon as one does\n"
		}
	}
	if listed := len(done) - unlisted; listed > 0 {
		what, take := "it", done[0]
		if listed > 1 {
			what = "them"
		}
		switch {
		case !take.Running:
			text += fmt.Sprintf("no poller is running; the next one will retry %s in its first cycle\n", what)
		case take.PID != 0:
			text += fmt.Sprintf("the poller (pid %d) will retry %s in its next cycle\n", take.PID, what)
		default:
			text += fmt.Sprintf("the poller will retry %s in its next cycle\n", what)
		}
	}
	_, err := fmt.Fprint(a.stdout, text)
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

func (a *app) retriedJSON(done []retried, several bool) error {
	if !several && len(done) == 0 {
		return nil
	}
	var value any = done
	if !several {
		value = done[0]
	}
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}
