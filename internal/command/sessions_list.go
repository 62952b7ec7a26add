package command

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/nearest"
	"the-loop/internal/session"
)

func (a *app) sessionsList() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list every recorded item and how its session stands",
		Description: "Sessions with a delivery that was given up come first, then live ones, items without a session and closed ones, " +
			"each group from the newest to the oldest.\n\n" +
			"STATE is none (no session was started), queued (the item waits for room), active, paused (its comments are kept), " +
			"closing (the close is not delivered yet), stopped (the item is open and starts nothing until it is asked for), closed or " +
			"gave-up (its start failed too often). SINCE says for how long; LAST DELIVERY says when a handler last " +
			"succeeded; ATTEMPTS counts the failed attempts of the delivery that is being tried. TITLE is cut to fit the terminal.\n\n" +
			"NOTE says why an item has no session or what its session waits for, and what to type:\n" +
			noteHelp() + "\n" +
			"Examples:\n" +
			"   the-loop sessions list --state active --state closing\n" +
			"   the-loop sessions list --format json | jq -r '.[] | .ref + \" \" + .state'",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "state", Usage: "only sessions in `STATE`"},
			formatFlag(),
		},
		Action: func(c *cli.Context) error {
			asJSON, err := formatAlone(c)
			if err != nil {
				return err
			}
			states := c.StringSlice("state")
			for _, s := range states {
				if !slices.Contains(sessionStates(), s) {
					return usage{
						text: fmt.Sprintf("--state: %q is not a state", s),
						hint: cmp.Or(didYouMean(nearest.To(s, sessionStates())), "use "+strings.Join(sessionStates(), ", ")),
					}
				}
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return a.listSessions(root, states, asJSON)
		},
	}
}

func sessionStates() []string {
	var names []string
	for _, s := range []session.State{
		session.StateNone, session.StateQueued, session.StateActive, session.StatePaused, session.StateClosing,
		session.StateStopped, session.StateClosed, session.StateGaveUp,
	} {
		names = append(names, string(s))
	}
	return names
}

func (a *app) listSessions(root string, states []string, asJSON bool) error {
	// Everything read stays in use to the end: collecting garbage on the way would
	// cost a fifth of the time and free next to nothing.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	records, errs := readSessions(root, states, asJSON)
	if len(states) > 0 {
		records = slices.DeleteFunc(records, func(r session.Record) bool {
			return !slices.Contains(states, string(r.State))
		})
	}
	inOrderOfInterest(records)
	var text []byte
	var err error
	switch {
	case asJSON:
		text, err = session.EncodeAll(records)
	case len(records) > 0:
		text = sessionTable(records, a.watched(), time.Now(), a.tableWidth())
	case len(errs) == 0:
		fmt.Fprintf(a.stderr, "the-loop: no session is recorded under %s\n", root)
	}
	if err != nil {
		return err
	}
	if _, err := a.stdout.Write(text); err != nil {
		return err
	}
	if len(errs) > 0 {
		return severalErrors(errs)
	}
	return nil
}

// readSessions reads the records as far as they are shown: of a hundred thousand
// sessions that are over, a table needs a line each and not the whole record.
func readSessions(root string, states []string, asJSON bool) ([]session.Record, []error) {
	ended := len(states) == 0 || slices.Contains(states, string(session.StateClosed))
	if asJSON && ended {
		return session.ReadAll(root)
	}
	return session.ReadList(root, ended)
}

// inOrderOfInterest puts records that need attention first, closed ones last, and
// within each group the newest first.
func inOrderOfInterest(records []session.Record) {
	slices.SortStableFunc(records, func(x, y session.Record) int {
		return cmp.Or(cmp.Compare(interest(x), interest(y)), y.SinceAt.Compare(x.SinceAt))
	})
}

func interest(r session.Record) int {
	switch {
	case len(r.GaveUp) > 0:
		return 0
	case live(r):
		return 1
	case r.State == session.StateNone, r.State == session.StateQueued, r.State == session.StateStopped:
		return 2
	}
	return 3
}
