// Package argvtemplate holds the argv of a handler with placeholders that each delivery
// fills in: {{.Ref}}, {{.Number}} and nine more.
//
// It guarantees plain text substitution: an argument stays one argument whatever a value
// holds, no value is parsed as a template, and only the named fields are available.
// text/template would bring functions, methods and reflection, and an argv needs none
// of them.
//
// It is a leaf: it imports the standard library only.
package argvtemplate

import (
	"errors"
	"fmt"
	"strings"
)

// Fields are the values that a template can name. None of them is a stranger's text.
type Fields struct {
	Event      string // "spawn", "comment" or "close"
	Session    string // the session's name, a DNS-1123 label
	Ref        string // "github:[host/]owner/repo#N"
	Host       string // never empty, also for "github.com"
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

// Template is a parsed argv. An empty one means that no handler is configured.
type Template []Argument

// Argument is one parsed argument of a Template.
type Argument struct {
	source string
	parts  []part
}

// part is literal text, followed by the value that get returns if get is not nil.
type part struct {
	literal string
	get     func(*Fields) string
}

// Parse parses every argument of argv. The first one is the command and must not be
// empty. An error gives the number of the argument, from 1.
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

// ParseArgument parses one argument. An error lists the accepted forms.
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

// lookup returns the field between the braces, or nil for an unknown name. Blanks may
// surround the name.
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

// quote returns the text between the braces, escaped and shortened, since it is foreign.
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

// Render returns the argv with the value of every field, verbatim. It returns nil for an
// empty Template.
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

// Source returns the parsed argv, nil for an empty Template.
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
