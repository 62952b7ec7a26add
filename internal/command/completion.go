package command

import (
	_ "embed" // the scripts
	"fmt"

	"github.com/urfave/cli/v2"
)

// The scripts ask the program itself for candidates, through the hidden command
// completeName, so they never fall behind it.
var (
	//go:embed completion.bash
	completionBash string
	//go:embed completion.zsh
	completionZsh string
	//go:embed completion.fish
	completionFish string
)

// completeName is the hidden command that the scripts call. They pass the words of
// the command line; the user is typing the last one.
const completeName = "__complete"

func (a *app) completionCommand() *cli.Command {
	shell := func(name, script, install string) *cli.Command {
		return &cli.Command{
			Name:        name,
			Usage:       "print the script for " + name,
			Description: "To install it for every new shell:\n" + install,
			Action: func(c *cli.Context) error {
				if err := noArguments(c); err != nil {
					return err
				}
				_, err := fmt.Fprint(a.stdout, script)
				return err
			},
		}
	}
	return &cli.Command{
		Name:  "completion",
		Usage: "print a completion script for your shell",
		Description: "The script completes commands, flags, their values and the REFs of recorded sessions.\n\n" +
			"For this shell only:\n" +
			"   source <(the-loop completion bash)\n" +
			"   source <(the-loop completion zsh)\n" +
			"   the-loop completion fish | source\n\n" +
			"'the-loop completion SHELL --help' says how to install it.",
		Subcommands: []*cli.Command{
			shell("bash", completionBash, "   mkdir -p ~/.local/share/bash-completion/completions\n"+
				"   the-loop completion bash \\\n"+
				"     >~/.local/share/bash-completion/completions/the-loop"),
			shell("zsh", completionZsh, "   mkdir -p ~/.zsh/completions\n"+
				"   the-loop completion zsh >~/.zsh/completions/_the-loop\n\n"+
				"and this line in ~/.zshrc, before compinit:\n   fpath=(~/.zsh/completions $fpath)"),
			shell("fish", completionFish, "   mkdir -p ~/.config/fish/completions\n"+
				"   the-loop completion fish >~/.config/fish/completions/the-loop.fish"),
		},
	}
}
