package command

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/status"
)

func (a *app) statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "say whether the poller runs and what it cannot see",
		Description: "Reads the lock and the heartbeat, asks nothing of any network and returns 0 when the poller runs, " +
			"1 when it does not. A degraded poller runs: each 'degraded:' line names a repository that was not seen whole in the " +
			"last cycle, and why.\n\n" +
			"With --watch it goes on until Ctrl-C and returns 0: a terminal is redrawn every second, and elsewhere the whole " +
			"status is printed again whenever it says something new.\n\n" +
			"Examples:\n" +
			"   the-loop status --watch\n" +
			"   the-loop status >/dev/null || echo 'the poller is down'\n" +
			"   the-loop status --format json | jq -r '.lastCycle.scopesFailed[].scope'\n" +
			"   the-loop status --format openmetrics >the-loop.prom",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "watch", Usage: "keep it up to date until Ctrl-C"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print as `FORMAT`: text, json or openmetrics"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			format := c.String("format")
			if !slices.Contains([]string{"text", "json", "openmetrics"}, format) {
				return usage{text: fmt.Sprintf("unknown format %q", format), hint: "use text, json or openmetrics"}
			}
			if c.Bool("watch") && format == "openmetrics" {
				return usage{text: "--watch prints text or json", hint: "have a collector run the command without --watch"}
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			if c.Bool("watch") {
				return attended(c.Context, attendedPatience, nil, func(ctx context.Context) error {
					return a.watchStatus(ctx, root, format == "json")
				})
			}
			return a.status(root, format)
		},
	}
}

// gatherStatus notes the version of this program, which may be another than that of
// the poller.
func gatherStatus(root string) status.Report {
	report := status.Gather(root, time.Now())
	report.Program = version()
	return report
}

func (a *app) status(root, format string) error {
	report := gatherStatus(root)
	if !report.Running {
		a.code = exitFailed
	}
	if format == "openmetrics" {
		_, err := a.stdout.Write(report.OpenMetrics())
		return err
	}
	text, err := document(report, format == "json")
	if err != nil {
		return err
	}
	if screen, ok := a.stdout.(*os.File); ok && format == "text" && isTerminal(screen) {
		text = wrapped(report.Lines(), screen)
	}
	_, err = a.stdout.Write(text)
	return err
}
