package config

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"the-loop/internal/nearest"
)

// checker compares a tree with the schema, node by node, so that one report lists
// every fault in words that an operator understands.
type checker struct {
	text   text
	schema *jsonschema.Schema
	root   *node
	// sourcesGiven is set if the command line names the sources: the file may then
	// leave them out.
	sourcesGiven bool
	faults       Faults
	// single holds, for each schema, the part about a value itself, without its
	// contents.
	single map[*jsonschema.Schema]*jsonschema.Resolved
}

// check returns every fault of the tree. An error concerns the schema itself.
func (c *checker) check() (Faults, error) {
	c.single = map[*jsonschema.Schema]*jsonschema.Resolved{}
	if err := c.value(c.schema, c.root, nil); err != nil {
		return nil, err
	}
	c.sameNames()
	return c.faults, nil
}

// value checks one value and, if it is of the right kind, its contents.
func (c *checker) value(s *jsonschema.Schema, n *node, location []string) error {
	fits, err := c.fits(s, n)
	if err != nil {
		return err
	}
	if text, is := n.value.(string); fits && is && s.Format != "" {
		if err := formats()[s.Format](text); err != nil {
			c.at(location, err.Error())
		}
	}
	if !fits {
		c.wrongValue(location)
	}
	if n.mapping && accepts(s) == "object" {
		err = c.mapping(s, n, location)
	} else if n.list && accepts(s) == "array" {
		err = c.list(s, n, location)
	}
	if err != nil || s.Not == nil {
		return err
	}
	not, err := s.Not.CloneSchemas().Resolve(nil)
	if err != nil {
		return fmt.Errorf("embedded schema: %w", err)
	}
	if not.Validate(n.plain()) == nil {
		c.excluded(location)
	}
	return nil
}

// fits reports whether a value's type, size and bounds are accepted.
func (c *checker) fits(s *jsonschema.Schema, n *node) (bool, error) {
	if _, strange := n.value.(odd); strange {
		return false, nil
	}
	single := c.single[s]
	if single == nil {
		own := *s
		own.Properties, own.Required, own.AdditionalProperties = nil, nil, nil
		own.Items, own.PrefixItems, own.Not, own.Defs, own.Default = nil, nil, nil, nil, nil
		var err error
		if single, err = own.Resolve(nil); err != nil {
			return false, fmt.Errorf("embedded schema: %w", err)
		}
		c.single[s] = single
	}
	return single.Validate(n.plain()) == nil, nil
}

func (c *checker) mapping(s *jsonschema.Schema, n *node, location []string) error {
	for _, name := range s.Required {
		if n.get(name) == nil {
			c.missingKey(location, name)
		}
	}
	for _, e := range n.entries {
		sub := s.Properties[e.name]
		if sub == nil {
			c.unknownKey(location, e.name)
			continue
		}
		if err := c.value(sub, e.node, append(slices.Clip(location), e.name)); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) list(s *jsonschema.Schema, n *node, location []string) error {
	for i, entry := range n.items {
		if err := c.value(item(s, i), entry, append(slices.Clip(location), strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

// sameNames finds sources that share a name, which no schema can forbid.
func (c *checker) sameNames() {
	sources, _ := c.root.find([]string{"polling", "sources"})
	first := map[string]int{}
	for i, source := range sources.items {
		e := source.get("name")
		if e == nil {
			continue
		}
		name, ok := e.node.value.(string)
		if !ok {
			continue
		}
		if j, taken := first[name]; taken {
			location := []string{"polling", "sources", strconv.Itoa(i), "name"}
			c.at(location, fmt.Sprintf("%s is already the name of polling.sources[%d]; each source needs its own", quoted(name), j))
			continue
		}
		first[name] = i
	}
}

// wrongValue reports a wrong type, bound or length by naming what is accepted.
func (c *checker) wrongValue(location []string) {
	n, path := c.root.find(location)
	o, strange := n.value.(odd)
	if c.sourcesGiven && path == "polling" && n.empty() {
		return
	}
	s := c.schemaAt(location)
	message := fmt.Sprintf("must be %s, got %s", describe(s), got(n))
	_, isText := n.value.(string)
	switch {
	case strange && o.note != "":
		message += "; " + o.note
	case accepts(s) != "string" || isText:
	case n.list || n.mapping:
		message += "; text that begins with { or [ must be put in quotes"
	case n.value != nil:
		message += "; put text like this in quotes"
	}
	c.at(location, message)
}

// got shows a value as it is written in the file.
func got(n *node) string {
	switch {
	case n.mapping:
		return "a mapping"
	case n.list && len(n.items) == 0:
		return "an empty list"
	case n.list:
		return "a list"
	case n.value == nil:
		return "nothing"
	}
	if s, is := n.value.(string); is {
		return quoted(s)
	}
	return printable(n.text)
}

func (c *checker) missingKey(location []string, name string) {
	path := pathOf(location)
	if c.sourcesGiven && (path == "" && name == "polling" || path == "polling" && name == "sources") {
		return
	}
	n, _ := c.root.find(location)
	s := under(c.schemaAt(location), name)
	if path == "" && len(n.entries) == 0 {
		c.faults = append(c.faults, c.text.fault(n.at, name, "is missing, the file is empty; it must be "+describe(s)))
		return
	}
	c.faults = append(c.faults, c.text.fault(n.at, join(path, name), "is missing; it must be "+describe(s)))
}

// excluded reports keys that the schema's "not" forbids together. The message is its
// description, the place is the last of those keys.
func (c *checker) excluded(location []string) {
	not := c.schemaAt(location).Not
	n, path := c.root.find(location)
	at := n.at
	for _, name := range not.Required {
		if e := n.get(name); e != nil && (e.at.line > at.line || e.at.line == at.line && e.at.column > at.column) {
			at = e.at
		}
	}
	c.faults = append(c.faults, c.text.fault(at, path, not.Description))
}

func (c *checker) at(location []string, message string) {
	n, path := c.root.find(location)
	c.faults = append(c.faults, c.text.fault(n.at, path, message))
}

// schemaAt returns the schema of a location that the validator named.
func (c *checker) schemaAt(location []string) *jsonschema.Schema {
	s := c.schema
	for _, step := range location {
		if next := under(s, step); next != nil {
			s = next
		}
	}
	return s
}

func (c *checker) unknownKey(location []string, name string) {
	n, path := c.root.find(location)
	at := n.at
	if e := n.get(name); e != nil {
		at = e.at
	}
	accepted := keysOf(c.schemaAt(location))
	message := "unknown key " + quoted(name)
	if near := nearest.To(name, accepted); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if homes := homesOf(c.schema, name, ""); len(homes) > 0 && !slices.Contains(homes, path) {
		message += "; it belongs in " + homes[0]
	} else {
		message += "; accepted here: " + list(accepted)
	}
	c.faults = append(c.faults, c.text.fault(at, join(path, name), message))
}
