package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// candidate is a word that fits, with its description.
type candidate struct{ value, about string }

// These stand for a word: any file, any folder.
const (
	anyFile   = ":files"
	anyFolder = ":folders"
)

// complete prints the candidates for the last word, one per line, each followed by
// a tab and its description.
func (a *app) complete(c *cli.App, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	typed := words[len(words)-1]
	at := position{app: a, commands: c.Commands, flags: c.Flags}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	for _, candidate := range at.candidates(typed) {
		special := candidate.value == anyFile || candidate.value == anyFolder
		if !special && !strings.HasPrefix(candidate.value, typed) {
			continue
		}
		if _, err := fmt.Fprintf(a.stdout, "%s\t%s\n", candidate.value, candidate.about); err != nil {
			return err
		}
	}
	return nil
}

// position is the place in a command line that the words so far lead to.
type position struct {
	app       *app
	commands  []*cli.Command // that may come next
	flags     []cli.Flag     // that may come next
	command   string         // the current one, such as "sessions show"
	arguments int            // how many were typed
	given     []string       // the flags that were typed
	awaits    string         // the flag whose value comes next
}

// pass moves past a word.
func (p *position) pass(word string) {
	switch {
	case p.awaits != "":
		p.set(p.awaits, word)
		p.awaits = ""
	case strings.HasPrefix(word, "-") && p.arguments == 0:
		name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		p.given = append(p.given, name)
		switch f := p.flag(name); {
		case assigned:
			p.set(name, value)
		case f != nil && takesValue(f):
			p.awaits = name
		}
	default:
		i := slices.IndexFunc(p.commands, func(c *cli.Command) bool { return c.Name == word })
		if i < 0 {
			p.arguments++
			return
		}
		next := p.commands[i]
		if next.Name == "help" { // help takes the same commands as words
			p.flags, p.given = nil, nil
			return
		}
		p.commands, p.flags, p.given = next.Subcommands, next.Flags, nil
		p.command = strings.TrimSpace(p.command + " " + next.Name)
	}
}

// set applies a flag that the candidates depend on.
func (p *position) set(flag, value string) {
	switch flag {
	case "config":
		p.app.inner.config = value
	case "state-root":
		p.app.inner.stateRoot = value
	}
}

func (p *position) flag(name string) cli.Flag {
	for _, f := range p.flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func takesValue(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}

// candidates returns the words that may stand here. The caller drops those that do
// not begin with typed.
func (p *position) candidates(typed string) []candidate {
	name, _, assigned := strings.Cut(typed, "=")
	switch {
	case p.awaits != "":
		return flagValues(p.awaits)
	case strings.HasPrefix(typed, "-") && assigned && p.arguments == 0:
		values := flagValues(strings.TrimLeft(name, "-"))
		for i, v := range values {
			if v.value != anyFile && v.value != anyFolder {
				values[i].value = name + "=" + v.value
			}
		}
		return values
	case strings.HasPrefix(typed, "-"):
		return p.flagNames()
	case len(p.commands) > 0:
		return commandNames(p.commands)
	case strings.HasPrefix(p.command, "sessions ") && p.command != "sessions list":
		return p.refs(typed)
	case p.command == "handler test":
		return eventNames()
	}
	return p.flagNames()
}

// eventNames returns the events whose handlers can be tested.
func eventNames() []candidate {
	var list []candidate
	for _, e := range trialEvents() {
		list = append(list, candidate{string(e), ""})
	}
	return list
}

func commandNames(commands []*cli.Command) []candidate {
	var list []candidate
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, candidate{c.Name, c.Usage})
		}
	}
	return list
}

// flagNames returns the flags that were not typed yet; none after an argument,
// because flags stand before arguments.
func (p *position) flagNames() []candidate {
	if p.arguments > 0 {
		return nil
	}
	var list []candidate
	for _, o := range options(append(withoutHelp(p.flags), cli.HelpFlag)) {
		name := strings.TrimLeft(o.names[0], "-")
		if o.repeats || !slices.Contains(p.given, name) {
			list = append(list, candidate{o.names[0], o.usage})
		}
	}
	return list
}

// flagValues returns the values of a flag if they are known.
func flagValues(flag string) []candidate {
	var list []candidate
	several := func(values ...string) []candidate {
		for _, v := range values {
			list = append(list, candidate{v, ""})
		}
		return list
	}
	switch flag {
	case "config":
		return several(anyFile)
	case "state-root":
		return several(anyFolder)
	case "format", "log-format":
		return several("text", "json")
	case "log-level":
		return several("debug", "info", "warn", "error")
	case "state":
		return several(sessionStates()...)
	case "type":
		for _, k := range eventlog.Catalogue() {
			list = append(list, candidate{k.Name, k.Meaning})
		}
	}
	return list
}

// refs returns the recorded items, in their short form unless the user began to
// type the long one: bash ends a word at its colon.
func (p *position) refs(typed string) []candidate {
	root, err := p.app.stateRoot()
	note := session.Note(strings.TrimPrefix(p.command, "sessions "))
	shows := note == "show"
	if err != nil || p.arguments > 0 && (shows || note == session.NoteRetry) {
		return nil
	}
	// Records that cannot be read are not offered.
	records, _ := session.ReadList(root, shows)
	var list []candidate
	for _, r := range records {
		if !shows && !offered(note, r) {
			continue
		}
		text := r.Ref
		if !strings.HasPrefix(typed, ref.Prefix) {
			text = ref.Short(text)
		}
		list = append(list, candidate{text, string(r.State)})
	}
	return list
}

// offered reports whether the command has something to do for the item.
func offered(note session.Note, r session.Record) bool {
	if note == session.NoteRetry {
		return len(r.GaveUp) > 0
	}
	return refusal(note, r, nil) == nil
}

func (a *app) completeCommand() *cli.Command {
	return &cli.Command{
		Name: completeName, Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			return a.complete(c.App, c.Args().Slice())
		},
	}
}
