package command

import (
	"context"
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
			"   the-loop status --format json | jq -r '.lastCycle.scopesFailed[].scope'",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "watch", Usage: "keep it up to date until Ctrl-C"},
			formatFlag(),
		},
		Action: func(c *cli.Context) error {
			asJSON, err := formatAlone(c)
			if err != nil {
				return err
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			if c.Bool("watch") {
				return attended(c.Context, attendedPatience, nil, func(ctx context.Context) error {
					return a.watchStatus(ctx, root, asJSON)
				})
			}
			return a.status(root, asJSON)
		},
	}
}

func (a *app) status(root string, asJSON bool) error {
	report := status.Gather(root, time.Now())
	if !report.Running {
		a.code = exitFailed
	}
	text, err := document(report, asJSON)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(text)
	return err
}
