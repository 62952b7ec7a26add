package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/internal/daemon"
	"the-loop/internal/descriptors"
	"the-loop/internal/fakegh"
)

// Exit codes, for every command alike.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// app is one invocation: its streams, and the settings that every command takes.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// outer, middle and inner hold the global settings typed before the command,
	// between a command and its subcommand, and after it. The later ones win.
	outer, middle, inner globals

	once config.Once       // keeps a configuration that can be read only once, such as a pipe
	log  *daemon.LogOutput // stands before stderr while a daemon runs; nil for other commands
	// console colours a log on a terminal; atTerminal says that stderr is one.
	console    palette
	atTerminal bool
	code       int
}

// Main runs one command line and returns the process's exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if isDemoGH(args[0]) {
		return fakegh.Main(args[1:], stdout, stderr)
	}
	descriptors.Keep()
	a := newApp(stdin, stdout, stderr)
	defer func() {
		if a.log != nil {
			a.log.Flush()
		}
	}()
	c := a.cli()
	if asksForHelp(args) {
		setHelp(c)
	}
	err := c.RunContext(context.Background(), args)
	if err != nil {
		return a.fail(err)
	}
	return a.code
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{stdin: stdin, stdout: stdout, stderr: stderr, console: newPalette(stderr), atTerminal: isTerminal(stderr)}
}

// isDemoGH reports whether this process is the demo's stand-in for gh: the demo
// starts it under that name and sets a variable.
func isDemoGH(program string) bool {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return name == "gh" && os.Getenv(fakegh.DirVariable) != ""
}

func (a *app) cli() *cli.App {
	c := &cli.App{
		Name:    "the-loop",
		Usage:   "watch many GitHub repositories through gh, one session per labelled item",
		Version: version(),
		Description: "The daemon asks the gh of this machine for the labelled issues and pull requests of every repository, once a " +
			"minute. It starts a command of yours for each, hands it every new comment, and tells it when the item is closed. " +
			"One repository's failure costs that repository only, and 'the-loop status' names everything that could not be seen.\n\n" +
			"Examples:\n" +
			"   the-loop demo                               see it work, nothing installed\n" +
			"   the-loop run --repo OWNER/A --repo OWNER/B  watch two repositories\n" +
			"   the-loop config init                        write a starter configuration\n" +
			"   the-loop doctor                             check everything it needs",
		// urfave/cli adds no --help to a program that has a command named help.
		Flags:           append(a.outer.flags(fromEnvironment), cli.HelpFlag),
		Commands:        a.commands(),
		Reader:          a.stdin,
		Writer:          a.stdout,
		ErrWriter:       a.stderr,
		HideHelpCommand: true,
		// A label may contain a comma. A list is typed by repeating the flag.
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              a.usageError,
		Action:                    a.noCommand,
	}
	a.prepare(c.Commands)
	return c
}

func (a *app) commands() []*cli.Command {
	return []*cli.Command{
		a.runCommand(),
		a.statusCommand(),
		a.stopCommand(),
		a.eventsCommand(),
		a.sessionsCommand(),
		a.configCommand(),
		a.doctorCommand(),
		a.handlerCommand(),
		a.demoCommand(),
		a.completionCommand(),
		a.manCommand(),
		a.helpCommand(),
		a.versionCommand(),
		a.completeCommand(),
		a.demoAgentCommand(),
	}
}

// prepare gives every command the flags and checks that all commands share.
func (a *app) prepare(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = a.usageError
		c.HideHelpCommand = true
		if c.Action == nil {
			c.Action = a.noCommand
		}
		if !c.Hidden {
			c.Action = a.checked(c.Action)
		}
		if len(c.Subcommands) > 0 {
			c.Flags = append(c.Flags, a.middle.flags(hiddenHere)...)
			a.prepare(c.Subcommands)
			continue
		}
		c.Flags = append(c.Flags, a.inner.flags(hiddenHere)...)
	}
}

// checked returns the action preceded by a check of the global settings, which
// every command makes whether it needs them or not.
func (a *app) checked(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if _, err := a.globals().logger(io.Discard); err != nil {
			return err
		}
		return action(c)
	}
}

// callOf returns the synopsis of the command that was meant.
func callOf(c *cli.Context) string {
	if c.Command == nil || c.Command.HelpName == c.App.Name || c.Command.HelpName == "" {
		return appCall
	}
	return synopsis(strings.TrimSuffix(c.Command.HelpName, " "+c.Command.Name), c.Command)
}

func helpFor(c *cli.Context) string {
	name := "the-loop"
	if c.Command != nil && c.Command.HelpName != "" && c.Command.Name != "" {
		name = c.Command.HelpName
	}
	return name + " --help"
}

// noCommand is the action of a command line that lacks a command or names an
// unknown one.
func (a *app) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return usage{text: "no command given", hint: "see '" + helpFor(c) + "'", call: callOf(c)}
	}
	name := c.Args().First()
	commands := c.App.Commands
	if c.Command != nil && len(c.Command.Subcommands) > 0 {
		commands = c.Command.Subcommands
	}
	return usage{
		text: fmt.Sprintf("unknown command %q", name),
		hint: firstNonEmpty(suggestCommand(name, commands), "see '"+helpFor(c)+"'"),
		call: callOf(c),
	}
}

// noArguments refuses arguments, and flags that follow one.
func noArguments(c *cli.Context) error { return arguments(c, 0, "") }

// arguments checks that there are n arguments. Flags stand before arguments, so a
// flag among them gets an error of its own rather than one about the number.
func arguments(c *cli.Context, n int, names string) error {
	for i, arg := range c.Args().Slice() {
		if i > 0 && strings.HasPrefix(arg, "-") && arg != "-" {
			return usage{
				text: fmt.Sprintf("flag %s comes after the argument %q", arg, c.Args().First()),
				hint: fmt.Sprintf("write flags first: '%s %s … %s'", c.Command.HelpName, arg, c.Args().First()),
				call: callOf(c),
			}
		}
	}
	switch {
	case c.NArg() == n:
		return nil
	case n == 0:
		return usage{text: fmt.Sprintf("unexpected argument %q", c.Args().First()), hint: "see '" + helpFor(c) + "'", call: callOf(c)}
	}
	return usage{text: fmt.Sprintf("expected %s", names), hint: "see '" + helpFor(c) + "'", call: callOf(c)}
}
