package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/internal/nearest"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/status"
)

func (a *app) sessionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "sessions",
		Usage: "list the sessions, show one, try again what was given up",
		Description: "A session is what the handlers of one issue or pull request work on. These commands read its record " +
			"and need no running poller.\n\n" +
			"A REF names the item: github:OWNER/REPO#N or, shorter, OWNER/REPO#N, with HOST/ before it where that is not " +
			"github.com; the item's URL does as well. Flags stand before it.\n\n" +
			"Without a command of its own it lists them.",
		Subcommands: []*cli.Command{a.sessionsList(), a.sessionsShow(), a.sessionsRetry()},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return a.noCommand(c)
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return a.listSessions(root, nil, false)
		},
	}
}

func (a *app) sessionsList() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list every recorded item and how its session stands",
		Description: "First those of which something was given up, then the live ones, then items without a session, " +
			"then closed ones, each group from the newest to the oldest.\n\n" +
			"STATE is none (no session was started), active, closing (the close is not delivered yet), closed or " +
			"gave-up (its start failed too often). SINCE is for how long; LAST DELIVERY is when a handler last " +
			"succeeded; ATTEMPTS counts the failed ones of the delivery that is being tried.\n\n" +
			"NOTE says 'no spawn handler' when the item waits for routing.handlers.spawn, 'gave up' when a delivery failed too " +
			"often (see 'the-loop sessions retry'), 'deferred' when one was only put off so far, because its handler exited 75 or " +
			"the system could start no process, 'deleted' or 'moved to OWNER/REPO#N' when the item of a live session is gone, and " +
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
		session.StateNone, session.StateActive, session.StateClosing, session.StateClosed, session.StateGaveUp,
	} {
		names = append(names, string(s))
	}
	return names
}

// refCommand is a subcommand that is about one item.
func (a *app) refCommand(name, usage, description string, action func(root string, ref session.Ref, asJSON bool) error) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Description: description, ArgsUsage: "REF",
		Flags: []cli.Flag{formatFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, "one REF, such as OWNER/REPO#7"); err != nil {
				return err
			}
			asJSON, err := wantsJSON(c)
			if err != nil {
				return err
			}
			ref, err := parseRef(c.Args().First())
			if err != nil {
				return err
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return action(root, ref, asJSON)
		},
	}
}

// parseRef reads a REF as people write it: in full, without its prefix, or as
// the address of the item's page.
func parseRef(typed string) (session.Ref, error) {
	text := typed
	if u, err := url.Parse(typed); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		parts := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(parts) >= 4 && (parts[2] == "issues" || parts[2] == "pull") {
			text = fmt.Sprintf("github:%s/%s/%s#%s", u.Host, parts[0], parts[1], parts[3])
		}
	}
	ref, err := session.ParseRef(text)
	if err == nil {
		return ref, nil
	}
	if ref, short := session.ParseRef("github:" + text); short == nil {
		return ref, nil
	}
	return session.Ref{}, usage{
		text: err.Error(),
		hint: "write github:OWNER/REPO#N or OWNER/REPO#N; 'the-loop sessions list' has them all",
	}
}

// readRecord is the record of an item that has one.
func readRecord(root string, ref session.Ref) (session.Record, error) {
	rec, err := session.ReadOne(root, ref.String())
	if errors.Is(err, fs.ErrNotExist) {
		return rec, hinted{
			fmt.Errorf("nothing is recorded of %s under %s", ref, root),
			"'the-loop sessions list' has all that is; an item is recorded once it was listed",
		}
	}
	return rec, err
}

func (a *app) listSessions(root string, states []string, asJSON bool) error {
	// All that is read is kept to the end, so collecting garbage on the way
	// there costs a fifth of the time and frees next to nothing.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	records, errs := session.ReadAll(root)
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

// severalErrors are shown one a line.
type severalErrors []error

func (s severalErrors) Error() string { return errors.Join(s...).Error() }

func (s severalErrors) lines() []string {
	lines := make([]string, len(s))
	for i, err := range s {
		lines[i] = err.Error()
	}
	return lines
}

// inOrderOfInterest puts what needs somebody first and what is over last, and
// the newest first within each group.
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
	case r.State == session.StateNone:
		return 2
	}
	return 3
}

// live reports whether something may still be done for the item.
func live(r session.Record) bool {
	return r.State == session.StateActive || r.State == session.StateClosing ||
		r.State == session.StateGaveUp || len(r.Pending) > 0
}

// sessionTable is the records as columns as wide as what stands in them.
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

// attempts are those that were spent on what is being tried, "-" when nothing
// is.
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

// watched are the scopes that the configuration has, each with the kinds of
// item that are asked for; nil when there is no configuration to tell.
type watched map[string][]string

const (
	kindIssue       = "issue"
	kindPullRequest = "pull-request"
)

// watched is what the configuration watches. One that cannot be read marks
// nothing: the sessions are worth seeing all the same.
func (a *app) watched() watched {
	cfg, err := config.Load(a.configOptions())
	if err != nil {
		if missing := (*config.MissingError)(nil); !errors.As(err, &missing) {
			a.warn("the configuration cannot be read, so orphaned sessions are not marked; see 'the-loop config validate'")
		}
		return nil
	}
	w := watched{}
	for _, source := range cfg.Polling.Sources {
		for _, repo := range source.Repos {
			if source.Issues {
				w[repo.Scope()] = append(w[repo.Scope()], kindIssue)
			}
			if source.PullRequests {
				w[repo.Scope()] = append(w[repo.Scope()], kindPullRequest)
			}
		}
	}
	return w
}

// orphaned reports whether nothing will happen to a live session because its
// repository, or its kind of item, is not asked for any more.
func (w watched) orphaned(r session.Record) bool {
	ref, err := session.ParseRef(r.Ref)
	if w == nil || err != nil || !live(r) {
		return false
	}
	kinds := w[ref.Scope()]
	if r.Kind == "" { // a recovered record does not know
		return len(kinds) == 0
	}
	return !slices.Contains(kinds, r.Kind)
}

func (w watched) note(r session.Record) string {
	var notes []string
	if w.orphaned(r) {
		notes = append(notes, "orphaned")
	}
	if r.NoHandler {
		notes = append(notes, "no spawn handler")
	}
	if r.Gone != "" {
		notes = append(notes, safetext.Line(r.Gone))
	}
	if len(r.GaveUp) > 0 {
		notes = append(notes, "gave up")
	}
	if slices.ContainsFunc(r.Pending, session.Pending.Deferred) {
		notes = append(notes, "deferred")
	}
	return strings.Join(notes, ", ")
}
