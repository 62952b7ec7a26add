package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/safetext"
)

// helpWidth is the greatest number of columns of a line of help.
const helpWidth = 80

// appCall is the synopsis of the program.
const appCall = "the-loop [global options] command [options]"

// option is a flag as the help shows it.
type option struct {
	names    []string // with their dashes, the long one first
	value    string   // the placeholder of its value, "" when it takes none
	usage    string
	standard string // the default, "" if it goes without saying
	variable string // the environment variable, "" for none
	repeats  bool
}

// head returns the option as people type it.
func (o option) head() string {
	text := strings.Join(o.names, ", ")
	if o.value != "" {
		text += " " + o.value
	}
	return text
}

// text returns the description of the option.
func (o option) text() string {
	text := o.usage
	if o.repeats {
		text += " (repeatable)"
	}
	if o.standard != "" {
		text += " (default: " + o.standard + ")"
	}
	if o.variable != "" {
		text += " [$" + o.variable + "]"
	}
	return text
}

// options returns the visible flags in their order.
func options(flags []cli.Flag) []option {
	var list []option
	for _, f := range flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if !ok || !visible(f) {
			continue
		}
		var o option
		for _, name := range f.Names() {
			o.names = append(o.names, dashed(name))
		}
		o.usage, o.value = unquoteUsage(doc.GetUsage())
		if !doc.TakesValue() {
			o.value = ""
		} else if v := doc.GetValue(); !slices.Contains([]string{"", "0", "0s", "[]"}, v) {
			o.standard = v
		}
		if variables := doc.GetEnvVars(); len(variables) > 0 {
			o.variable = variables[0]
		}
		_, o.repeats = f.(*cli.StringSliceFlag)
		list = append(list, o)
	}
	return list
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// unquoteUsage splits off the placeholder of a flag's value, which stands in back
// quotes in its usage.
func unquoteUsage(usage string) (text, value string) {
	before, rest, quoted := strings.Cut(usage, "`")
	value, after, closed := strings.Cut(rest, "`")
	if !quoted || !closed {
		return usage, "VALUE"
	}
	return before + value + after, value
}

// block is a part of a description: a paragraph to fill, or indented lines to leave
// as they are.
type block struct {
	verbatim bool
	lines    []string
}

// blocks splits a description. An empty line ends a block.
func blocks(description string) []block {
	var list []block
	fresh := true
	for line := range strings.SplitSeq(description, "\n") {
		if line == "" {
			fresh = true
			continue
		}
		verbatim := strings.HasPrefix(line, " ")
		if fresh || list[len(list)-1].verbatim != verbatim {
			list = append(list, block{verbatim: verbatim})
		}
		fresh = false
		last := &list[len(list)-1]
		last.lines = append(last.lines, line)
	}
	return list
}

// fill breaks a text into lines of at most width columns.
func fill(text string, width int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && columns(lines[last])+1+columns(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// helpText builds the help of a command for setHelp.
type helpText struct{ strings.Builder }

const helpIndent = "   "

func (h *helpText) section(title string) {
	if h.Len() > 0 {
		h.WriteByte('\n')
	}
	h.WriteString(title + ":\n")
}

func (h *helpText) line(text string) { h.WriteString(helpIndent + text + "\n") }

func (h *helpText) fill(text string) {
	for _, line := range fill(text, helpWidth-len(helpIndent)) {
		h.line(line)
	}
}

func (h *helpText) description(text string) {
	for i, b := range blocks(text) {
		if i > 0 && !b.verbatim {
			h.WriteByte('\n')
		}
		if !b.verbatim {
			h.fill(strings.Join(b.lines, " "))
			continue
		}
		for _, line := range b.lines {
			h.line(line)
		}
	}
}

// table writes two columns. A long head gets a line of its own.
func (h *helpText) table(rows [][2]string) {
	const widest = 24
	width := 0
	for _, row := range rows {
		if n := columns(row[0]); n <= widest {
			width = max(width, n)
		}
	}
	margin := strings.Repeat(" ", width+2)
	for _, row := range rows {
		head := fmt.Sprintf("%-*s  ", width, row[0])
		if columns(row[0]) > width {
			h.line(row[0])
			head = margin
		}
		for i, line := range fill(row[1], helpWidth-len(helpIndent)-len(margin)) {
			if i > 0 {
				head = margin
			}
			h.line(head + line)
		}
	}
}

func (h *helpText) commands(list []*cli.Command) {
	var rows [][2]string
	for _, c := range list {
		if !c.Hidden {
			rows = append(rows, [2]string{c.Name, c.Usage})
		}
	}
	if len(rows) > 0 {
		h.section("COMMANDS")
		h.table(rows)
	}
}

func (h *helpText) options(title string, list []option) {
	var rows [][2]string
	for _, o := range list {
		rows = append(rows, [2]string{o.head(), o.text()})
	}
	h.section(title)
	h.table(rows)
}

// template returns the help as a template for urfave/cli.
func (h *helpText) template() string {
	return strings.ReplaceAll(h.String(), "{{", `{{"{{"}}`)
}

// asksForHelp reports whether an argument may be a request for help, in any form
// that package flag accepts. Building the help of all commands would take about
// 15 % of the time of status, so other invocations skip it.
func asksForHelp(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "help" || name == "h"
	})
}

// setHelp builds the help of the program and of all its commands. The templates of
// urfave/cli do not fit into 80 columns.
func setHelp(c *cli.App) {
	var h helpText
	h.section("NAME")
	h.fill(c.Name + " - " + c.Usage)
	h.section("USAGE")
	h.line(appCall)
	h.section("VERSION")
	h.line(safetext.Line(c.Version))
	h.section("DESCRIPTION")
	h.description(c.Description)
	h.commands(c.Commands)
	h.options("GLOBAL OPTIONS", options(append(withoutHelp(c.Flags), cli.HelpFlag, cli.VersionFlag)))
	c.CustomAppHelpTemplate = h.template()
	setCommandHelp(c.Name, c.Commands)
}

func setCommandHelp(path string, commands []*cli.Command) {
	for _, c := range commands {
		var h helpText
		h.section("NAME")
		h.fill(path + " " + c.Name + " - " + c.Usage)
		h.section("USAGE")
		h.line(synopsis(path, c))
		if c.Description != "" {
			h.section("DESCRIPTION")
			h.description(c.Description)
		}
		h.commands(c.Subcommands)
		h.options("OPTIONS", options(append(slices.Clone(c.Flags), cli.HelpFlag)))
		c.CustomHelpTemplate = h.template()
		setCommandHelp(path+" "+c.Name, c.Subcommands)
	}
}

// synopsis returns the form in which people type a command.
func synopsis(path string, c *cli.Command) string {
	text := path + " " + c.Name
	if len(c.Subcommands) > 0 {
		return text + " command [options]"
	}
	if len(options(c.Flags)) > 0 {
		text += " [options]"
	}
	if c.ArgsUsage != "" {
		text += " " + c.ArgsUsage
	}
	return text
}
