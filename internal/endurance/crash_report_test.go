//go:build unix

package endurance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// figures are the numbers for the final report.
type figures struct {
	endings, moments map[string]int
	leftovers, torn  int
	mostLeftovers    int
	killedWhileSaved int // kills that left at least one temporary file
}

// report logs the figures of the run.
func (c *crash) report(rounds int, took time.Duration) {
	due, moot := 0, c.people.moot
	for _, s := range c.people.comments {
		if s.due {
			due++
		}
	}
	var b strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&b, "\n"+format, args...) }
	tell("%d rounds in %s, %d lives of the daemon", rounds, took.Round(time.Second), c.lives)
	for _, counts := range []map[string]int{c.figures.endings, c.figures.moments, c.people.deeds} {
		var list []string
		for _, what := range slices.Sorted(maps.Keys(counts)) {
			list = append(list, fmt.Sprintf("%d %s", counts[what], what))
		}
		tell("       %s", strings.Join(list, ", "))
	}
	tell("%5d  comments were due and were delivered; %d more were moot, their item having been closed", due, moot)
	tell("%5d  handler runs, %d of them a repetition after a kill; %d closes of a session whose start had not worked",
		c.ledger.entries/2, c.ledger.repeats, c.ledger.unstarted)
	tell("%5d  kills left temporary files, %d in all, %d at most; all were gone after the next start",
		c.figures.killedWhileSaved, c.figures.leftovers, c.figures.mostLeftovers)
	tell("%5d  torn lines in the event log", c.figures.torn)
	c.t.Log(b.String())
}
