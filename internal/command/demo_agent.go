package command

import (
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"

	"the-loop/internal/session"
)

// demoAgentCommand is the demo's handler: it prints the event that it receives.
func (a *app) demoAgentCommand() *cli.Command {
	return &cli.Command{
		Name: "demo-agent", Hidden: true,
		Action: func(*cli.Context) error {
			var in session.Input
			if err := json.NewDecoder(a.stdin).Decode(&in); err != nil {
				return fmt.Errorf("reading the event: %w", err)
			}
			text := fmt.Sprintf("%s %s: %q", in.Event, in.Session.Ref, in.Item.Title)
			switch {
			case in.Comment != nil:
				text = fmt.Sprintf("%s by %s: %q", in.Event, in.Comment.Author, in.Comment.Body)
			case in.Closure != nil:
				text = fmt.Sprintf("%s: the item is %s", in.Event, in.Closure.State)
			}
			_, err := fmt.Fprintln(a.stdout, text)
			return err
		},
	}
}
