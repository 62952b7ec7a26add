package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/nearest"
)

// suggestCommand returns the hint for a mistyped command, "" when no command is
// similar.
func suggestCommand(typed string, commands []*cli.Command) string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return didYouMean(nearest.To(typed, names))
}

// didYouMean returns a hint, "" without a suggestion.
func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", near)
}

// suggestFlag returns the hint for a flag that a command does not have: a similar
// flag of the command, or else the command that has the flag. It returns "" when
// there is neither.
func suggestFlag(typed string, c *cli.Context) string {
	var own []string
	flags := c.App.Flags
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != c.App.Name {
		flags = c.Command.Flags
	}
	for _, f := range flags {
		own = append(own, f.Names()...)
	}
	if near := nearest.To(typed, own); near != "" {
		return fmt.Sprintf("did you mean --%s?", near)
	}
	commands := c.App.Commands
	if c.Command != nil && len(c.Command.Subcommands) > 0 {
		commands = c.Command.Subcommands
	}
	for _, command := range commands {
		for _, f := range command.Flags {
			if slices.Contains(f.Names(), typed) && visible(f) {
				return fmt.Sprintf("--%s belongs behind the command: '%s --%s'", typed, strings.TrimSpace(command.HelpName), typed)
			}
		}
	}
	return ""
}

// visible reports whether the help shows a flag.
func visible(f cli.Flag) bool {
	v, ok := f.(cli.VisibleFlag)
	return ok && v.IsVisible()
}
