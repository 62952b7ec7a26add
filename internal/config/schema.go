package config

import (
	"cmp"
	_ "embed" // schema.json
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed schema.json
var schemaJSON string

// Schema is the JSON Schema (draft 2020-12) of the configuration file.
func Schema() []byte { return []byte(schemaJSON) }

// readSchema reads the embedded schema and replaces references by definitions; a
// description and a default may stand beside a reference. It takes well under a
// millisecond, so nothing caches the result.
func readSchema() (*jsonschema.Schema, error) {
	s := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(schemaJSON), s); err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	return expanded(s, s.Defs), nil
}

func expanded(s *jsonschema.Schema, defs map[string]*jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		definition := *defs[name]
		definition.Description = cmp.Or(s.Description, definition.Description)
		if s.Default != nil {
			definition.Default = s.Default
		}
		s = &definition
	}
	for name, sub := range s.Properties {
		s.Properties[name] = expanded(sub, defs)
	}
	for i, sub := range s.PrefixItems {
		s.PrefixItems[i] = expanded(sub, defs)
	}
	s.Items = expanded(s.Items, defs)
	return s
}

// under returns the schema of one key or list entry, nil for none.
func under(s *jsonschema.Schema, step string) *jsonschema.Schema {
	if p, ok := s.Properties[step]; ok {
		return p
	}
	i, err := strconv.Atoi(step)
	if err != nil {
		return nil
	}
	return item(s, i)
}

// item returns the schema of one list entry.
func item(s *jsonschema.Schema, i int) *jsonschema.Schema {
	if i < len(s.PrefixItems) {
		return s.PrefixItems[i]
	}
	return s.Items
}

func keysOf(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(s.Properties))
}

// accepts names the JSON types of a schema, without null: an empty section counts as
// a missing one.
func accepts(s *jsonschema.Schema) string {
	types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	return cmp.Or(s.Type, strings.Join(types, " or "))
}

// describe says in words what a schema accepts.
func describe(s *jsonschema.Schema) string {
	switch accepts(s) {
	case "object":
		return "a mapping with the keys " + list(keysOf(s))
	case "array":
		return describeList(s)
	case "string":
		return describeText(s)
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number" + describeBounds(s)
	default:
		return "a number" + describeBounds(s)
	}
}

func describeList(s *jsonschema.Schema) string {
	entry := "entries"
	if s.Items != nil {
		entry = plural(s.Items)
		if s.Items.Format == "argument" {
			return "a list: the command, then its arguments"
		}
	}
	if s.MinItems != nil && *s.MinItems > 0 {
		return "a list of one or more " + entry
	}
	return "a list of " + entry
}

// describeBounds expects both bounds, which every number of the schema has.
func describeBounds(s *jsonschema.Schema) string {
	switch {
	case s.Maximum == nil:
		return ""
	case s.ExclusiveMinimum != nil:
		return " above " + number(*s.ExclusiveMinimum) + ", at most " + number(*s.Maximum)
	case s.Minimum != nil:
		return " from " + number(*s.Minimum) + " to " + number(*s.Maximum)
	}
	return " of at most " + number(*s.Maximum)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func describeText(s *jsonschema.Schema) string {
	if s.Enum != nil {
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprintf("%q", v))
		}
		last := len(values) - 1
		if last == 0 {
			return values[0]
		}
		return strings.Join(values[:last], ", ") + " or " + values[last]
	}
	if noun, ok := nouns()[s.Format]; ok {
		return noun.one
	}
	return "text"
}

func plural(s *jsonschema.Schema) string {
	if noun, ok := nouns()[s.Format]; ok {
		return noun.many
	}
	if accepts(s) == "object" {
		return "mappings"
	}
	return "entries"
}
