package command

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"
)

// helpCommand does the same as --help.
func (a *app) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "print the help of the program or of a command", ArgsUsage: "[COMMAND]",
		Description: "Examples:\n" +
			"   the-loop help run\n" +
			"   the-loop help sessions show",
		// Else urfave/cli answers 'help --help' with the help of the program.
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			commands := c.App.Commands
			for _, name := range c.Args().Slice() {
				if name == "--help" || name == "-h" {
					cli.HelpPrinter(a.stdout, c.Command.CustomHelpTemplate, c.Command)
					return nil
				}
				i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.Name == name && !c.Hidden })
				if i < 0 {
					return usage{
						text: fmt.Sprintf("unknown command %q", name),
						hint: firstNonEmpty(suggestCommand(name, commands), "see 'the-loop help'"),
						call: callOf(c),
					}
				}
				commands = commands[i].Subcommands
			}
			again := a.cli()
			setHelp(again)
			return again.RunContext(c.Context, slices.Concat([]string{c.App.Name}, c.Args().Slice(), []string{"--help"}))
		},
	}
}
