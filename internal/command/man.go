package command

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (a *app) manCommand() *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "print the manual page",
		Description: "The page holds the help of every command, the exit codes, the files and the environment.\n\n" +
			"Examples:\n" +
			"   the-loop man | man -l -\n" +
			"   mkdir -p ~/.local/share/man/man1\n" +
			"   the-loop man >~/.local/share/man/man1/the-loop.1",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := fmt.Fprint(a.stdout, manPage(c.App))
			return err
		},
	}
}

// manPage returns the manual in the language of man(7).
func manPage(c *cli.App) string {
	var m man
	m.macro(".TH", strings.ToUpper(c.Name), "1", buildDate(), c.Name+" "+c.Version, "User Commands")
	m.raw(".nh\n.ad l") // add neither hyphens nor blanks
	m.section("NAME")
	m.text(c.Name + " - " + c.Usage)
	m.section("SYNOPSIS")
	m.raw(`\fB` + roff(c.Name) + `\fR [\fIglobal options\fR] \fIcommand\fR [\fIoptions\fR] [\fIREF\fR]`)
	m.section("DESCRIPTION")
	m.description(c.Description)
	m.section("GLOBAL OPTIONS")
	m.text("They may come before or after the command. A flag beats its environment variable.")
	m.options(append(withoutHelp(c.Flags), cli.HelpFlag, cli.VersionFlag))
	m.section("COMMANDS")
	m.text("Flags come before arguments. Every command takes --help.")
	m.commands(c.Name, c.Commands)
	for _, s := range manSections() {
		m.section(s.title)
		if s.text != "" {
			m.description(s.text)
		}
		for _, row := range s.rows {
			m.item(`\fB`+roff(row[0])+`\fR`, row[1])
		}
	}
	return m.String()
}

// buildDate returns the day of the commit that was built, "" when it is unknown.
func buildDate() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				day, _, _ := strings.Cut(s.Value, "T")
				return day
			}
		}
	}
	return ""
}

// man builds a page.
type man struct{ strings.Builder }

func (m *man) raw(line string) { m.WriteString(line + "\n") }

// macro writes a request with its arguments.
func (m *man) macro(name string, args ...string) {
	for _, arg := range args {
		name += ` "` + strings.ReplaceAll(roff(arg), `"`, `\(dq`) + `"`
	}
	m.raw(name)
}

func (m *man) section(title string) { m.macro(".SH", title) }

// text writes a text for man to fill, in lines that are readable as they are.
func (m *man) text(text string) {
	for _, line := range fill(text, 70) {
		m.raw(roff(line))
	}
}

func (m *man) description(text string) {
	for i, b := range blocks(text) {
		if b.verbatim {
			m.raw(".PP\n.nf")
			for _, line := range b.lines {
				m.raw(roff(line))
			}
			m.raw(".fi")
			continue
		}
		if i > 0 {
			m.raw(".PP")
		}
		m.text(strings.Join(b.lines, " "))
	}
}

func (m *man) item(head, text string) {
	m.raw(".TP\n" + head)
	m.text(text)
}

func (m *man) options(flags []cli.Flag) {
	for _, o := range options(flags) {
		var names []string
		for _, name := range o.names {
			names = append(names, `\fB`+roff(name)+`\fR`)
		}
		head := strings.Join(names, ", ")
		if o.value != "" {
			head += ` \fI` + roff(o.value) + `\fR`
		}
		m.item(head, o.text())
	}
}

func (m *man) commands(path string, commands []*cli.Command) {
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		m.macro(".SS", synopsis(path, c))
		m.text(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".")
		if c.Description != "" {
			m.raw(".PP")
			m.description(c.Description)
		}
		m.options(withoutHelp(c.Flags))
		m.commands(path+" "+c.Name, c.Subcommands)
	}
}

// withoutHelp drops the flags that urfave/cli adds to a command when it runs.
func withoutHelp(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool {
		return f == cli.HelpFlag || f == cli.VersionFlag
	})
}

// roff escapes a text so that man takes nothing for a request or an escape. Other
// characters than ASCII become numbers, which do not depend on an encoding.
func roff(text string) string {
	var b strings.Builder
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		b.WriteString(`\&`)
	}
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r > 0x7E:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
