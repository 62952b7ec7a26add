package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"the-loop/internal/counted"
	"the-loop/status"
)

const (
	// redrawEvery is how often a terminal is redrawn, mainly for the ages.
	redrawEvery = time.Second
	// lookEvery is how often printChanges looks for a change.
	lookEvery = 250 * time.Millisecond
)

// watchStatus shows the status again and again until the context ends.
func (a *app) watchStatus(ctx context.Context, root string, asJSON bool) error {
	gather := func() status.Report { return gatherStatus(root) }
	if screen, ok := a.stdout.(*os.File); ok && !asJSON && isTerminal(screen) && os.Getenv("TERM") != "dumb" {
		return redraw(ctx, screen, gather)
	}
	return printChanges(ctx, a.stdout, gather, asJSON)
}

// redraw keeps the status on a terminal up to date, in place. It switches no mode
// of the terminal, so it has none to restore, however it ends.
func redraw(ctx context.Context, screen *os.File, gather func() status.Report) error {
	resized := make(chan os.Signal, 1)
	notifyResized(resized)
	defer signal.Stop(resized)
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	// Scroll the old text up, where the user can scroll back to it.
	_, height := screenSize(screen)
	text := strings.Repeat("\n", height-1)
	for {
		width, height := screenSize(screen)
		text += frame(gather().Lines(), width, height)
		if _, err := io.WriteString(screen, text); err != nil {
			return err
		}
		text = ""
		select {
		case <-tick.C:
		case <-resized:
		case <-ctx.Done():
			_, err := fmt.Fprintln(screen)
			return err
		}
	}
}

// frame returns the text that draws the lines over an earlier frame. Long lines are
// wrapped while there are rows, and then cut.
func frame(lines []string, width, height int) string {
	const home, clearLine, clearRest = "\x1b[H", "\x1b[2K", "\x1b[J"
	most := max(1, height-1) // the cursor stands below the last line
	if len(lines) > most {
		hidden := len(lines) - most + 1
		lines = append(lines[:most-1:most-1], "… and "+counted.Of(hidden, "more line", "more lines"))
	}
	lines = spread(lines, width, most)
	var b strings.Builder
	b.WriteString(home)
	for _, line := range lines {
		// Clear the line before drawing it: after a character in the last column
		// some terminals would clear that character, too.
		b.WriteString(clearLine + cut(line, width) + "\n")
	}
	b.WriteString(clearRest)
	return b.String()
}

// printChanges writes the whole status whenever it has changed; ages alone do not
// count. A blank line separates two texts.
func printChanges(ctx context.Context, out io.Writer, gather func() status.Report, asJSON bool) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var last *status.Report
	for {
		report := gather()
		if last == nil || !same(report, *last, asJSON) {
			text, err := document(report, asJSON)
			if err != nil {
				return err
			}
			if last != nil && !asJSON {
				text = append([]byte("\n"), text...)
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
			last = &report
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func same(a, b status.Report, asJSON bool) bool {
	if asJSON {
		return a.SameJSON(b)
	}
	return a.Same(b)
}

// document returns a report in the form that is printed.
func document(r status.Report, asJSON bool) ([]byte, error) {
	if asJSON {
		return r.JSON()
	}
	return []byte(r.Text()), nil
}
