package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// node is one value of the file with its place.
type node struct {
	at position
	// value is a string, int64, uint64, float64, bool, nil, or odd. Mappings and lists
	// do not use it.
	value any
	// text is a scalar as written in the file, for messages.
	text    string
	mapping bool
	entries []entry        // a mapping's, in the order of the file
	index   map[string]int // where in entries a key is
	list    bool
	items   []*node // a list's
}

// entry is one key of a mapping with its value.
type entry struct {
	name string
	at   position
	node *node
}

// odd is a scalar that no key accepts, such as .nan.
type odd struct {
	note string // what to write instead, "" if that is obvious
}

// get returns the entry of a key, nil if the mapping lacks it.
func (n *node) get(name string) *entry {
	if i, ok := n.index[name]; ok {
		return &n.entries[i]
	}
	return nil
}

func (n *node) add(e entry) {
	n.index[e.name] = len(n.entries)
	n.entries = append(n.entries, e)
}

// empty reports whether the value is missing: a key with nothing after it.
func (n *node) empty() bool { return !n.mapping && !n.list && n.value == nil }

// plain returns the value in the form for the schema validator.
func (n *node) plain() any {
	switch {
	case n.mapping:
		m := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			m[e.name] = e.node.plain()
		}
		return m
	case n.list:
		l := make([]any, len(n.items))
		for i, item := range n.items {
			l[i] = item.plain()
		}
		return l
	default:
		return n.value
	}
}

// find returns the node at a location, and the location in the form for people.
func (n *node) find(location []string) (found *node, path string) {
	for _, step := range location {
		if n.mapping {
			e := n.get(step)
			if e == nil {
				break
			}
			n = e.node
			continue
		}
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.items) {
			break
		}
		n = n.items[i]
	}
	return n, pathOf(location)
}

// pathOf writes a location as polling.sources[0].repos[2]. No key of the
// schema is a number, so a number is a place in a list.
func pathOf(location []string) string {
	path := ""
	for _, step := range location {
		if _, err := strconv.Atoi(step); err == nil {
			path += "[" + step + "]"
			continue
		}
		path = join(path, step)
	}
	return path
}

// parse reads the file into a tree. The tree is nil if the file is no YAML. If only
// single keys or values are at fault, it can be checked further.
func (t text) parse() (root *node, faults Faults) {
	if at, message := t.forbidden(); message != "" {
		return nil, Faults{t.fault(at, "", message)}
	}
	// A file that makes the parser panic must cost one line of error, not the daemon.
	defer func() {
		if p := recover(); p != nil {
			root, faults = nil, Faults{t.fault(position{}, "", "not valid YAML: it cannot be read")}
		}
	}()
	tokens := lexer.Tokenize(t.plain)
	if at, message := excess(tokens); message != "" {
		return nil, Faults{t.fault(at, "", message)}
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, Faults{t.syntaxFault(err)}
	}
	b := builder{text: t}
	return b.document(file), b.faults
}

// syntaxFault shortens the parser's error to one line without its excerpt of the file.
func (t text) syntaxFault(err error) Fault {
	var located yaml.Error
	if !errors.As(err, &located) {
		return t.fault(position{}, "", "not valid YAML")
	}
	tk := located.GetToken()
	return t.fault(positionOf(tk), "", syntaxMessage(located.GetMessage(), tk))
}

// syntaxMessage names the usual cause of an error of which the parser names only a
// symptom.
func syntaxMessage(message string, tk *token.Token) string {
	value := ""
	if tk != nil {
		value = strings.TrimSpace(tk.Value)
	}
	switch {
	case strings.HasSuffix(message, "is a reserved character"):
		return fmt.Sprintf("not valid YAML: text that begins with %s must be put in quotes", value)
	case strings.HasPrefix(message, `found character '`+"\t"):
		return "not valid YAML: a tab indents this line; indent with spaces"
	case strings.HasPrefix(message, "could not find flow map content"):
		return "not valid YAML: text that begins with { must be put in quotes"
	case strings.HasPrefix(message, "value is not allowed"), strings.HasPrefix(message, "mapping value is not allowed"):
		return "not valid YAML: " + printable(message) + "; check the indentation, and put text with a colon in quotes"
	default:
		return "not valid YAML: " + printable(message)
	}
}

// startOf returns the start of a value; the token of a mapping is its first colon.
func startOf(n ast.Node) position {
	switch m := n.(type) {
	case *ast.MappingNode:
		if len(m.Values) > 0 && !m.IsFlowStyle {
			return startOf(m.Values[0])
		}
	case *ast.MappingValueNode:
		return positionOf(m.Key.GetToken())
	}
	return positionOf(n.GetToken())
}

func positionOf(tk *token.Token) position {
	if tk == nil || tk.Position == nil {
		return position{}
	}
	return position{tk.Position.Line, tk.Position.Column}
}

// excess refuses files that would make the parser recurse deeply or work for long. It
// recurses for each open bracket, each deeper column, each tag in a row and, less
// obviously, each further key of a mapping. excess also refuses anchors and aliases,
// since a value in two places has no single position.
func excess(tokens token.Tokens) (at position, message string) {
	const (
		mostEntries = 10_000
		mostMarks   = 500
		mostDepth   = 40
		mostColumn  = 200
	)
	entries, marks, depth := 0, 0, 0
	for _, tk := range tokens {
		starts := tk.NextType() == token.MappingValueType // a key, at its own column
		switch tk.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.SequenceEntryType:
			entries, starts = entries+1, true
		case token.MappingValueType, token.CollectEntryType, token.DocumentHeaderType:
			entries++
		case token.TagType, token.MappingKeyType, token.DirectiveType:
			marks++
		case token.AnchorType:
			return positionOf(tk), "YAML anchors are not supported: write the value out, or put text that begins with & in quotes"
		case token.AliasType:
			return positionOf(tk), `YAML aliases are not supported: write the value out, or put text that begins with * in quotes, as in "*"`
		case token.MergeKeyType:
			return positionOf(tk), "YAML merge keys (<<) are not supported: write the keys out"
		}
		switch {
		case depth > mostDepth, starts && depth <= 0 && positionOf(tk).column > mostColumn:
			return positionOf(tk), "nested too deeply"
		case entries > mostEntries:
			return positionOf(tk), fmt.Sprintf("more than %d entries", mostEntries)
		case marks > mostMarks:
			return positionOf(tk), fmt.Sprintf("more than %d tags", mostMarks)
		}
	}
	return position{}, ""
}

// content lists the non-empty documents of the file.
func content(file *ast.File) []ast.Node {
	var bodies []ast.Node
	for _, doc := range file.Docs {
		switch doc.Body.(type) {
		case nil, *ast.DirectiveNode, *ast.CommentGroupNode:
		default:
			bodies = append(bodies, doc.Body)
		}
	}
	return bodies
}
