package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// mostNodes bounds what aliases can expand to.
const mostNodes = 50_000

// builder turns the parser's tree into nodes, resolves aliases and merge keys,
// and notes what no key could accept.
type builder struct {
	text   text
	faults Faults
	// anchors holds what is defined so far; nil while it is being built.
	anchors map[string]*node
	full    bool // the bound was met and reported
}

func (b *builder) fault(at position, path, format string, args ...any) {
	b.faults = append(b.faults, b.text.fault(at, path, fmt.Sprintf(format, args...)))
}

// document is the tree of the only document; an empty file is an empty mapping.
func (b *builder) document(file *ast.File) *node {
	bodies := content(file)
	if len(bodies) > 1 {
		b.fault(startOf(bodies[1]), "", "a second document begins here; the configuration is one YAML document")
	}
	if len(bodies) == 0 {
		return &node{mapping: true, at: position{1, 1}, size: 1}
	}
	return b.node(bodies[0], "", position{1, 1})
}

// node builds one value. at is where the value belongs: an omitted value has no
// place of its own.
func (b *builder) node(n ast.Node, path string, at position) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mapping(n.Values, path, at)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{n}, path, at)
	case *ast.SequenceNode:
		return b.sequence(n, path)
	case *ast.AnchorNode:
		return b.anchor(n, path, at)
	case *ast.AliasNode:
		return b.alias(n, path)
	case *ast.TagNode:
		b.fault(positionOf(n.GetToken()), path, "YAML tags are not supported: remove %s, and put text in quotes",
			quoted(n.GetToken().Value))
		return b.node(n.Value, path, at)
	default:
		return scalar(n, at)
	}
}

func (b *builder) mapping(values []*ast.MappingValueNode, path string, at position) *node {
	m := &node{mapping: true, index: map[string]int{}, at: at, size: 1}
	for i, v := range values {
		if v == nil {
			continue
		}
		keyAt := positionOf(v.Key.GetToken())
		if i == 0 {
			m.at = keyAt
		}
		if v.Key.IsMergeKey() {
			b.merge(m, v.Value, path, keyAt)
			continue
		}
		name, ok := keyName(v.Key)
		if !ok {
			b.fault(keyAt, path, "a key must be plain text")
			continue
		}
		keyPath := join(path, name)
		b.add(m, entry{name: name, at: keyAt, node: b.node(v.Value, keyPath, keyAt)}, keyPath)
	}
	return m
}

// add puts an entry into the mapping: a written key replaces a merged one, and
// of two written ones the first stays.
func (b *builder) add(m *node, e entry, path string) {
	old := m.get(e.name)
	switch {
	case old == nil:
		m.index[e.name] = len(m.entries)
		m.entries = append(m.entries, e)
		m.size += e.node.size
	case e.merged:
	case old.merged:
		*old = e
	default:
		b.fault(e.at, path, "the key is there already, at line %d", old.at.line)
	}
	b.bound(m, path)
}

// merge takes over the keys of what stands after "<<".
func (b *builder) merge(m *node, value ast.Node, path string, at position) {
	from := b.node(value, path, at)
	sources := []*node{from}
	if from.list {
		sources = from.items
	}
	for _, src := range sources {
		if !src.mapping {
			b.fault(at, path, "<< takes a mapping, or a list of them")
			return
		}
		for _, e := range src.entries {
			e.merged = true
			b.add(m, e, join(path, e.name))
		}
	}
}

func (b *builder) sequence(s *ast.SequenceNode, path string) *node {
	l := &node{list: true, at: positionOf(s.GetToken()), size: 1}
	for i, v := range s.Values {
		at := l.at
		if i < len(s.Entries) && s.Entries[i] != nil && s.Entries[i].Start != nil {
			at = positionOf(s.Entries[i].Start)
		}
		item := b.node(v, fmt.Sprintf("%s[%d]", path, i), at)
		l.items = append(l.items, item)
		l.size += item.size
		b.bound(l, path)
	}
	return l
}

func (b *builder) anchor(n *ast.AnchorNode, path string, at position) *node {
	name := n.Name.String()
	b.anchors[name] = nil
	built := b.node(n.Value, path, at)
	b.anchors[name] = built
	return built
}

func (b *builder) alias(n *ast.AliasNode, path string) *node {
	at := positionOf(n.GetToken())
	name := n.Value.String()
	built, defined := b.anchors[name]
	switch {
	case !defined:
		b.fault(at, path, "the alias %s is not defined above; text that begins with * must be put in quotes", quoted("*"+name))
	case built == nil:
		b.fault(at, path, "the alias %s stands inside of what it names", quoted("*"+name))
	default:
		return built
	}
	return unknown(at)
}

// bound empties a node that aliases have blown up, and says so once.
func (b *builder) bound(n *node, path string) {
	if n.size <= mostNodes {
		return
	}
	if !b.full {
		b.fault(n.at, path, "its aliases expand to more than %d values", mostNodes)
		b.full = true
	}
	n.entries, n.index, n.items, n.size = nil, map[string]int{}, nil, 1
}

// unknown stands for a value whose fault is already noted.
func unknown(at position) *node { return &node{at: at, value: odd{reported: true}, size: 1} }

func keyName(key ast.MapKeyNode) (name string, ok bool) {
	var n ast.Node = key
	if explicit, is := n.(*ast.MappingKeyNode); is {
		n = explicit.Value
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	default:
		return "", false
	}
}

func scalar(n ast.Node, at position) *node {
	s := &node{at: at, size: 1}
	if n == nil {
		return s
	}
	tk := n.GetToken()
	if tk == nil {
		return s
	}
	s.text = tk.Value
	if p := positionOf(tk); p != (position{}) && tk.Type != token.ImplicitNullType {
		s.at = p
	}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		s.value = n.Value
	case *ast.IntegerNode:
		s.value = integer(n)
	case *ast.FloatNode:
		s.value = finite(n.Value)
	case *ast.InfinityNode, *ast.NanNode:
		s.value = odd{}
	case *ast.LiteralNode:
		s.value, s.text = n.Value.Value, n.Value.Value
	case *ast.StringNode:
		s.value = stringValue(n)
	default:
		s.value = odd{}
	}
	return s
}

// integer refuses 010, which is ten to some readers of YAML and eight to others.
func integer(n *ast.IntegerNode) any {
	if digits := strings.TrimLeft(n.Token.Value, "+-"); n.Token.Type == token.OctetIntegerType && !strings.HasPrefix(digits, "0o") {
		return odd{note: "write it without the leading zero"}
	}
	switch v := n.Value.(type) {
	case int64, uint64:
		return v
	default:
		return odd{}
	}
}

// stringValue reads a string, and as a number what YAML calls one and the parser
// does not: 1e3, and numbers too large for 64 bits.
func stringValue(n *ast.StringNode) any {
	if n.Token.Type != token.StringType || strings.Trim(n.Value, "0123456789+-.eE") != "" {
		return n.Value
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if err != nil && !math.IsInf(v, 0) {
		return n.Value
	}
	return finite(v)
}

func finite(v float64) any {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return odd{}
	}
	return v
}
