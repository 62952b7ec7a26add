package command

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/status"
)

const (
	// maxTitle is the width of the widest title in the table, minTitle of the narrowest
	// that a small terminal leaves, both in columns.
	maxTitle = 60
	minTitle = 12
	// titleColumn is the place of TITLE in a row.
	titleColumn = 5
)

// tableWidth returns how many columns a table may take: those of the terminal, or 0
// for any number.
func (a *app) tableWidth() int {
	if !isTerminal(a.stdout) {
		return 0
	}
	width, _ := screenSize(a.stdout.(*os.File))
	return width
}

// sessionTable returns the records as a table; each column is as wide as its widest
// cell. Titles are cut so that a row fits into the width, unless it is 0. Notes are
// never cut.
func sessionTable(records []session.Record, w watched, now time.Time, width int) []byte {
	rows := [][]string{{"REF", "STATE", "SINCE", "LAST DELIVERY", "ATTEMPTS", "TITLE", "NOTE"}}
	for _, r := range records {
		rows = append(rows, []string{
			r.Ref, string(r.State), spanSince(r.SinceAt, now), ageOf(r.LastDeliveryAt, now), attempts(r),
			cut(safetext.Line(r.Title), maxTitle), w.note(r),
		})
	}
	widths := columnWidths(rows)
	if width > 0 {
		used := 0
		for _, w := range widths {
			used += w + 2
		}
		widths[titleColumn] -= min(max(used-2-width, 0), max(widths[titleColumn]-minTitle, 0))
	}
	var out []byte
	for _, row := range rows {
		for i, cell := range row {
			if i == titleColumn {
				cell = cut(cell, widths[i])
			}
			out = append(out, cell...)
			if i < len(row)-1 { // nothing stands beside the last column
				out = append(out, strings.Repeat(" ", max(0, widths[i]-columns(cell))+2)...)
			}
		}
		out = append(bytes.TrimRight(out, " "), '\n')
	}
	return out
}

func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	return widths
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

// note says what a session or its item waits for and then, after a semicolon, what to
// type about it.
func (w watched) note(r session.Record) string {
	text := strings.Join(w.facts(r), ", ")
	if actions := actions(r); len(actions) > 0 {
		text += "; " + strings.Join(actions, ", ")
	}
	return text
}

func (w watched) facts(r session.Record) []string {
	var facts []string
	for _, f := range []struct {
		when bool
		text string
	}{
		{w.orphaned(r), "orphaned"},
		{r.NoHandler, "no spawn handler"},
		{asksForStart(r), "waits for 'the-loop start'"},
		{r.State == session.StateNone && r.Fed, "its issue's session hears it"},
		{r.State == session.StateNone && r.HasPending(session.EventSpawn) && !r.Lost(), "starting"},
		{r.State == session.StateQueued, "waits for room (maxSessions)"},
		{r.State == session.StateClosing, "close not delivered yet"},
		{r.Lost(), "lost, starts again"},
		{r.Gone != "", safetext.Line(r.Gone)},
		{r.Unheard && r.Live(), "pull requests without the label not heard"},
		{held(r), "by " + safetext.Line(r.StoppedBy)},
		{r.Restart, "a new session follows"},
		{len(r.GaveUp) > 0, "gave up"},
		{r.Unlisted, "not listed"},
		{r.Retry, "retried when listed"},
		{slices.ContainsFunc(r.Pending, session.Pending.Deferred), "deferred"},
	} {
		if f.when {
			facts = append(facts, f.text)
		}
	}
	return facts
}

// actions returns the commands that end what a session waits for.
func actions(r session.Record) []string {
	var actions []string
	for _, a := range []struct {
		when bool
		text string
	}{
		{r.Gone != "" && r.Live(), "'sessions stop' ends it"},
		{held(r) && r.State == session.StatePaused, "'sessions resume' goes on"},
		{held(r) && r.State == session.StateStopped, "'sessions restart' starts it"},
		{len(r.GaveUp) > 0 && !r.Retry, "'sessions retry' tries again"},
	} {
		if a.when {
			actions = append(actions, a.text)
		}
	}
	return actions
}

// held reports whether a session is paused or stopped for good.
func held(r session.Record) bool {
	return !r.Restart && (r.State == session.StatePaused || r.State == session.StateStopped)
}

// asksForStart reports whether an item waits for an authorized user.
func asksForStart(r session.Record) bool {
	return r.State == session.StateNone && r.UnauthorizedTold && r.AdoptedBy == "" && !r.Fed
}

// noteHelp explains the notes, a line each.
func noteHelp() string {
	var b strings.Builder
	for _, n := range [][2]string{
		{"orphaned", "no source asks for the item any more"},
		{"no spawn handler", "routing.handlers.spawn is not set"},
		{"waits for 'the-loop start'", "a comment of an authorized user"},
		{"waits for room (maxSessions)", "as many sessions live as may"},
		{"its issue's session hears it", "a pull request that works on an issue"},
		{"starting", "the spawn is being delivered"},
		{"close not delivered yet", "the session ends after that"},
		{"lost, starts again", "the alive handler says that it is gone"},
		{"deleted, moved to REF", "the item is gone, its session is kept"},
		{"pull requests … not heard", "the repository has too many of them"},
		{"by LOGIN", "who paused or stopped the session"},
		{"gave up", "a delivery failed too often"},
		{"not listed", "no source lists the item at present"},
		{"retried when listed", "'sessions retry' waits for that"},
		{"deferred", "exited 75, or no process could start"},
	} {
		fmt.Fprintf(&b, "   %-30s%s\n", n[0], n[1])
	}
	return b.String()
}
