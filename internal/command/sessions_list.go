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
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/status"
)

func (a *app) sessionsList() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list every recorded item and how its session stands",
		Description: "First those of which something was given up, then the live ones, then items without a session, " +
			"then closed ones, each group from the newest to the oldest.\n\n" +
			"STATE is none (no session was started), queued (it waits for room), active, paused (comments are kept for it), " +
			"closing (the close is not delivered yet), stopped (the item is open and starts nothing until somebody asks), closed or " +
			"gave-up (its start failed too often). SINCE is for how long; LAST DELIVERY is when a handler last " +
			"succeeded; ATTEMPTS counts the failed ones of the delivery that is being tried.\n\n" +
			"NOTE says 'no spawn handler' when the item waits for routing.handlers.spawn, 'gave up' when a delivery failed too " +
			"often (see 'the-loop sessions retry'), 'deferred' when one was only put off so far, because its handler exited 75 or " +
			"the system could start no process, 'not listed' when no source lists an item for which something was given up, " +
			"'retried when listed' when that has been asked for, 'pull requests without the label not heard' when the repository has too many of them, 'deleted' or 'moved to OWNER/REPO#N' when the item of a live session is gone, for a paused or stopped " +
			"session who did that and the command that ends it, and " +
			"'orphaned' when no source of the configuration asks for the item any more, so that nothing will happen to its session.\n\n" +
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
		text = sessionTable(records, a.watched(), time.Now())
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

// sessionTable returns the records as a table; each column is as wide as its widest
// cell.
func sessionTable(records []session.Record, w watched, now time.Time) []byte {
	rows := [][]string{{"REF", "STATE", "SINCE", "LAST DELIVERY", "ATTEMPTS", "NOTE"}}
	for _, r := range records {
		rows = append(rows, []string{
			r.Ref, string(r.State), spanSince(r.SinceAt, now), ageOf(r.LastDeliveryAt, now), attempts(r), w.note(r),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var out []byte
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		out = append(append(out, strings.TrimRight(line, " ")...), '\n')
	}
	return out
}

func spanSince(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return status.Span(now.Sub(t))
}

func ageOf(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return status.Age(t, now)
}

// attempts returns how many attempts the pending deliveries have taken, "-" when
// none is pending.
func attempts(r session.Record) string {
	if len(r.Pending) == 0 {
		return "-"
	}
	most := 0
	for _, p := range r.Pending {
		most = max(most, p.Attempts)
	}
	return fmt.Sprint(most)
}

func (w watched) note(r session.Record) string {
	var notes []string
	if w.orphaned(r) {
		notes = append(notes, "orphaned")
	}
	if r.NoHandler {
		notes = append(notes, "no spawn handler")
	}
	if r.Lost() {
		notes = append(notes, "lost, starts again")
	}
	if r.Gone != "" {
		notes = append(notes, safetext.Line(r.Gone))
	}
	if r.Unheard && r.Live() {
		notes = append(notes, "pull requests without the label not heard")
	}
	if text := heldNote(r); text != "" {
		notes = append(notes, text)
	}
	if len(r.GaveUp) > 0 {
		notes = append(notes, "gave up")
	}
	if r.Unlisted {
		notes = append(notes, "not listed")
	}
	if r.Retry {
		notes = append(notes, "retried when listed")
	}
	if slices.ContainsFunc(r.Pending, session.Pending.Deferred) {
		notes = append(notes, "deferred")
	}
	return strings.Join(notes, ", ")
}

// heldNote says who paused or stopped the session, and the command that ends that.
func heldNote(r session.Record) string {
	by := "by " + safetext.Line(r.StoppedBy)
	switch {
	case r.Restart:
		return "a new session follows"
	case r.State == session.StatePaused:
		return by + "; 'sessions resume' goes on"
	case r.State == session.StateStopped:
		return by + "; 'sessions restart' starts it"
	}
	return ""
}
