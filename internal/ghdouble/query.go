package ghdouble

import (
	"fmt"
	"strconv"
	"strings"
	"text/scanner"
)

// document is a GraphQL request of the form that gh writes: one operation and its
// fragments. The parser does not understand directives.
type document struct {
	operation string
	mutation  bool
	defaults  map[string]any
	fields    []selection
	fragments map[string]selection
}

// selection is a field, an inline fragment (on is set) or a fragment's name
// (spread is set).
type selection struct {
	key    string // the name in the answer: the alias, or the field's own name
	name   string
	args   map[string]any
	on     string
	spread string
	fields []selection
}

// variable is the name of a variable in arguments, before its value replaces it.
type variable string

// parseQuery parses the text of a query.
func parseQuery(text string) (*document, error) {
	p := &parser{}
	p.scan.Init(strings.NewReader(text))
	p.scan.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings
	p.scan.Whitespace = scanner.GoWhitespace | 1<<','
	p.scan.Error = func(_ *scanner.Scanner, msg string) { p.fail(msg) }
	p.next()
	doc := &document{defaults: map[string]any{}, fragments: map[string]selection{}}
	for p.err == nil && p.tok != scanner.EOF {
		p.definition(doc)
	}
	return doc, p.err
}

// parser is a recursive descent over the tokens. After the first error every step is a
// no-op and every loop ends.
type parser struct {
	scan scanner.Scanner
	tok  rune
	err  error
}

func (p *parser) fail(msg string) {
	if p.err == nil {
		p.err = fmt.Errorf("query, line %d: %s", p.scan.Pos().Line, msg)
	}
}

func (p *parser) next() { p.tok = p.scan.Scan() }

// accept consumes the current token if it is tok.
func (p *parser) accept(tok rune) bool {
	if p.err != nil || p.tok != tok {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(tok rune) {
	if !p.accept(tok) {
		p.fail(fmt.Sprintf("expected %s, got %q", scanner.TokenString(tok), p.scan.TokenText()))
	}
}

func (p *parser) ident() string {
	name := p.scan.TokenText()
	p.expect(scanner.Ident)
	return name
}

// dots consumes the "..." before a fragment.
func (p *parser) dots() bool {
	if !p.accept('.') {
		return false
	}
	p.expect('.')
	p.expect('.')
	return true
}

func (p *parser) definition(doc *document) {
	if p.tok == '{' {
		doc.fields = p.selections()
		return
	}
	switch word := p.ident(); word {
	case "fragment":
		name := p.ident()
		p.ident() // "on"
		doc.fragments[name] = selection{on: p.ident(), fields: p.selections()}
	case "query", "mutation":
		doc.mutation = word == "mutation"
		if p.tok == scanner.Ident {
			doc.operation = p.ident()
		}
		p.variables(doc.defaults)
		doc.fields = p.selections()
	default:
		p.fail("unexpected " + word)
	}
}

// variables reads the declarations and keeps their defaults.
func (p *parser) variables(defaults map[string]any) {
	if !p.accept('(') {
		return
	}
	for p.err == nil && !p.accept(')') {
		p.expect('$')
		name := p.ident()
		p.expect(':')
		p.typeName()
		if p.accept('=') {
			defaults[name] = p.value()
		}
	}
}

func (p *parser) typeName() {
	if p.accept('[') {
		p.typeName()
		p.expect(']')
	} else {
		p.ident()
	}
	p.accept('!')
}

func (p *parser) selections() []selection {
	var all []selection
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		all = append(all, p.selection())
	}
	return all
}

func (p *parser) selection() selection {
	if p.dots() {
		if name := p.ident(); name != "on" {
			return selection{spread: name}
		}
		return selection{on: p.ident(), fields: p.selections()}
	}
	s := selection{name: p.ident()}
	s.key = s.name
	if p.accept(':') {
		s.name = p.ident()
	}
	if p.accept('(') {
		s.args = p.arguments(')')
	}
	if p.tok == '{' {
		s.fields = p.selections()
	}
	return s
}

// arguments reads "name: value" pairs up to the closing token.
func (p *parser) arguments(end rune) map[string]any {
	args := map[string]any{}
	for p.err == nil && !p.accept(end) {
		name := p.ident()
		p.expect(':')
		args[name] = p.value()
	}
	return args
}

func (p *parser) value() any {
	text := p.scan.TokenText()
	switch {
	case p.accept('$'):
		return variable(p.ident())
	case p.accept('{'):
		return p.arguments('}')
	case p.accept('['):
		list := []any{}
		for p.err == nil && !p.accept(']') {
			list = append(list, p.value())
		}
		return list
	case p.accept(scanner.Int):
		n, err := strconv.Atoi(text)
		if err != nil {
			p.fail(err.Error())
		}
		return n
	case p.accept(scanner.String):
		s, err := strconv.Unquote(text)
		if err != nil {
			p.fail(err.Error())
		}
		return s
	}
	return word(p.ident())
}

// word returns the value of a GraphQL name; an enum's value is its name.
func word(name string) any {
	switch name {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return name
}
