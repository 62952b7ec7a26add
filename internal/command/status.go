package command

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/status"
)

func (a *app) statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "say whether the poller runs, what it saw and what it could not see",
		Description: "Reads the lock and the heartbeat, asks nothing of any network and returns 0 when the\n" +
			"poller runs, 1 when it does not. A degraded poller runs.",
		Flags: []cli.Flag{formatFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			asJSON, err := wantsJSON(c)
			if err != nil {
				return err
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
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
	if !asJSON {
		_, err := fmt.Fprint(a.stdout, report.Text())
		return err
	}
	text, err := report.JSON()
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(text)
	return err
}

// stateRoot is where the poller that a command is about keeps its files.
func (a *app) stateRoot() (string, error) {
	root, err := config.StateRoot(a.configOptions())
	if err != nil {
		return "", configError{err}
	}
	return root, nil
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "print `text` or json"}
}

// wantsJSON reads --format.
func wantsJSON(c *cli.Context) (bool, error) {
	switch f := c.String("format"); f {
	case "text":
		return false, nil
	case "json":
		return true, nil
	default:
		return false, usage{text: fmt.Sprintf("unknown format %q", f), hint: "use text or json"}
	}
}
