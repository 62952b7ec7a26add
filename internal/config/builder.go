package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// builder turns the parser's tree into nodes and collects values that no key accepts.
type builder struct {
	text   text
	faults Faults
}

func (b *builder) fault(at position, path, format string, args ...any) {
	b.faults = append(b.faults, b.text.fault(at, path, fmt.Sprintf(format, args...)))
}

// document builds the tree of the only document. An empty file is an empty mapping.
func (b *builder) document(file *ast.File) *node {
	bodies := content(file)
	if len(bodies) > 1 {
		b.fault(startOf(bodies[1]), "", "a second document begins here; the configuration is one YAML document")
	}
	if len(bodies) == 0 {
		return &node{mapping: true, at: position{1, 1}}
	}
	return b.node(bodies[0], "", position{1, 1})
}

// node builds one value. at is the place for a value that is omitted.
func (b *builder) node(n ast.Node, path string, at position) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mapping(n.Values, path, at)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{n}, path, at)
	case *ast.SequenceNode:
		return b.sequence(n, path)
	case *ast.TagNode:
		b.fault(positionOf(n.GetToken()), path, "YAML tags are not supported: remove %s, and put text in quotes",
			quoted(n.GetToken().Value))
		return b.node(n.Value, path, at)
	default:
		return scalar(n, at)
	}
}

func (b *builder) mapping(values []*ast.MappingValueNode, path string, at position) *node {
	m := &node{mapping: true, index: map[string]int{}, at: at}
	for i, v := range values {
		if v == nil {
			continue
		}
		keyAt := positionOf(v.Key.GetToken())
		if i == 0 {
			m.at = keyAt
		}
		name, ok := keyName(v.Key)
		if !ok {
			b.fault(keyAt, path, "a key must be plain text")
			continue
		}
		keyPath := join(path, name)
		if first := m.get(name); first != nil {
			b.fault(keyAt, keyPath, "the key is already set at line %d", first.at.line)
			continue
		}
		m.add(entry{name: name, at: keyAt, node: b.node(v.Value, keyPath, keyAt)})
	}
	return m
}

func (b *builder) sequence(s *ast.SequenceNode, path string) *node {
	l := &node{list: true, at: positionOf(s.GetToken())}
	for i, v := range s.Values {
		at := l.at
		if i < len(s.Entries) && s.Entries[i] != nil && s.Entries[i].Start != nil {
			at = positionOf(s.Entries[i].Start)
		}
		l.items = append(l.items, b.node(v, fmt.Sprintf("%s[%d]", path, i), at))
	}
	return l
}

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
	s := &node{at: at}
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

// integer refuses 010, which some readers of YAML take for ten and others for eight.
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

// stringValue reads a string. It also reads numbers that the parser takes for strings:
// 1e3, and numbers too large for 64 bits.
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
