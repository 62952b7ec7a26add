// Package argvtemplate is the argv of a handler with places that are filled in
// for each delivery: {{.Ref}}, {{.Number}} and nine more.
//
// It guarantees that filling in is plain text substitution: an argument stays
// one argument whatever a value holds, a value is never read as a template
// again, and nothing but the named fields can be reached. text/template would
// bring functions, methods and reflection, none of which an argv needs.
//
// It is a leaf: it imports the standard library only.
package argvtemplate

import (
	"errors"
	"fmt"
	"strings"
)

// Fields are the values that a template can name. None of them is text that a
// stranger wrote.
type Fields struct {
	Event      string // "spawn", "comment" or "close"
	Session    string // the session's name, a DNS-1123 label
	Ref        string // "github:[host/]owner/repo#N"
	Host       string // always written, "github.com" too
	Owner      string
	Repo       string
	Number     string
	Kind       string // "issue" or "pull-request"
	URL        string
	DeliveryID string // the same at each retry
	StateRoot  string // absolute
}

// field is one entry of the closed list of names.
type field struct {
	name string
	get  func(*Fields) string
}

func fields() []field {
	return []field{
		{"Event", func(f *Fields) string { return f.Event }},
		{"Session", func(f *Fields) string { return f.Session }},
		{"Ref", func(f *Fields) string { return f.Ref }},
		{"Host", func(f *Fields) string { return f.Host }},
		{"Owner", func(f *Fields) string { return f.Owner }},
		{"Repo", func(f *Fields) string { return f.Repo }},
		{"Number", func(f *Fields) string { return f.Number }},
		{"Kind", func(f *Fields) string { return f.Kind }},
		{"URL", func(f *Fields) string { return f.URL }},
		{"DeliveryID", func(f *Fields) string { return f.DeliveryID }},
		{"StateRoot", func(f *Fields) string { return f.StateRoot }},
	}
}

// Names lists the fields that a template can name, in a fixed order.
func Names() []string {
	var names []string
	for _, f := range fields() {
		names = append(names, f.name)
	}
	return names
}

// Template is a parsed argv; an empty one means that there is no handler.
type Template []Argument

// Argument is one parsed argument of a Template.
type Argument struct {
	source string
	parts  []part
}

// part is literal text followed by the value that get reads, if there is one.
type part struct {
	literal string
	get     func(*Fields) string
}

// Parse reads every argument of argv. The first argument is the command and
// must not be empty. The error names the argument by its number, from 1.
func Parse(argv []string) (Template, error) {
	if len(argv) == 0 {
		return nil, errors.New("the argv is empty")
	}
	if argv[0] == "" {
		return nil, errors.New("argument 1: the command is empty")
	}
	t := make(Template, 0, len(argv))
	for i, s := range argv {
		a, err := ParseArgument(s)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		t = append(t, a)
	}
	return t, nil
}

// ParseArgument reads one argument. The error says what is accepted.
func ParseArgument(s string) (Argument, error) {
	if strings.ContainsRune(s, 0) {
		return Argument{}, errors.New("a NUL character cannot be passed to a command")
	}
	a := Argument{source: s}
	rest := s
	for {
		before, after, found := strings.Cut(rest, "{{")
		if !found {
			a.parts = append(a.parts, part{literal: rest})
			return a, nil
		}
		inside, remainder, closed := strings.Cut(after, "}}")
		if !closed {
			return Argument{}, fmt.Errorf("{{ is not closed by }}; %s", accepted())
		}
		get := lookup(inside)
		if get == nil {
			return Argument{}, fmt.Errorf("unknown field %s; %s", quote(inside), accepted())
		}
		a.parts = append(a.parts, part{literal: before, get: get})
		rest = remainder
	}
}

// lookup finds what stands between the braces, nil when it is no field. Blanks
// are allowed around it and nowhere else.
func lookup(inside string) func(*Fields) string {
	name, dotted := strings.CutPrefix(strings.Trim(inside, " \t"), ".")
	if !dotted {
		return nil
	}
	for _, f := range fields() {
		if f.name == name {
			return f.get
		}
	}
	return nil
}

// quote shows what was between the braces: foreign text, so escaped and short.
func quote(inside string) string {
	const most = 40
	if r := []rune(inside); len(r) > most {
		inside = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", "{{"+inside+"}}")
}

func accepted() string {
	var list []string
	for _, name := range Names() {
		list = append(list, "{{."+name+"}}")
	}
	return "accepted are " + strings.Join(list, ", ")
}

// Render is the argv with every field replaced by its value, verbatim. It is
// nil for an empty Template.
func (t Template) Render(f Fields) []string {
	var argv []string
	for _, a := range t {
		var b strings.Builder
		for _, p := range a.parts {
			b.WriteString(p.literal)
			if p.get != nil {
				b.WriteString(p.get(&f))
			}
		}
		argv = append(argv, b.String())
	}
	return argv
}

// Source is the argv that was parsed, nil for an empty Template.
func (t Template) Source() []string {
	var argv []string
	for _, a := range t {
		argv = append(argv, a.source)
	}
	return argv
}

// Equal reports whether both were parsed from the same argv.
func (t Template) Equal(other Template) bool {
	if len(t) != len(other) {
		return false
	}
	for i := range t {
		if t[i].source != other[i].source {
			return false
		}
	}
	return true
}
