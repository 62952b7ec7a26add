package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/safetext"
)

// helpWidth is how many columns a line of help takes at most.
const helpWidth = 80

// appCall is how the program is called.
const appCall = "the-loop [global options] command [options]"

// option is a flag as it is shown.
type option struct {
	names    []string // with their dashes, the long one first
	value    string   // what stands for its value, "" when it takes none
	usage    string
	standard string // the default, "" where it goes without saying
	variable string // of the environment, "" for none
	repeats  bool
}

// head is the option as it is typed.
func (o option) head() string {
	text := strings.Join(o.names, ", ")
	if o.value != "" {
		text += " " + o.value
	}
	return text
}

// text is what is said about the option.
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

// options are the flags that are shown, in their order.
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

// unquoteUsage takes the name of a flag's value, which stands in back quotes,
// out of its usage.
func unquoteUsage(usage string) (text, value string) {
	before, rest, quoted := strings.Cut(usage, "`")
	value, after, closed := strings.Cut(rest, "`")
	if !quoted || !closed {
		return usage, "VALUE"
	}
	return before + value + after, value
}

// block is a part of a description: a paragraph that is filled, or lines that
// stand as they are because they are indented.
type block struct {
	verbatim bool
	lines    []string
}

// blocks reads a description, in which an empty line ends a block.
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

// fill breaks a text into lines of at most that many columns.
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

// helpText writes the help of a command; see setHelp.
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

// table writes two columns. A head that is long has a line of its own.
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

// template is the help as urfave/cli wants it.
func (h *helpText) template() string {
	return strings.ReplaceAll(h.String(), "{{", `{{"{{"}}`)
}

// asksForHelp reports whether help may be asked for, in one of the ways in
// which package flag reads -h and --help. To write the help of all commands
// takes some 15 % of what status costs.
func asksForHelp(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "help" || name == "h"
	})
}

// setHelp writes the help of the program and of all its commands: what
// urfave/cli makes of them runs out of an 80 column terminal.
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

// synopsis is how a command is called.
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
