package config

import (
	"bytes"
	_ "embed" // schema.json
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schema.json
var schemaJSON string

// Schema is the JSON Schema (draft 2020-12) of the configuration file.
func Schema() []byte { return []byte(schemaJSON) }

// compileSchema takes well under a millisecond, so it is done when a file is
// read and its result is kept nowhere.
func compileSchema() (*jsonschema.Schema, error) {
	const name = "mem:config"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for formatName, check := range formats() {
		c.RegisterFormat(&jsonschema.Format{Name: formatName, Validate: func(v any) error {
			if s, ok := v.(string); ok {
				return check(s)
			}
			return nil
		}})
	}
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	s, err := c.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	return s, nil
}

// resolve follows references; what stands beside one is its caller's to read.
func resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for s.Ref != nil {
		s = s.Ref
	}
	return s
}

// under is the schema of one key or list entry, nil when there is none.
func under(s *jsonschema.Schema, step string) *jsonschema.Schema {
	s = resolve(s)
	if p, ok := s.Properties[step]; ok {
		return p
	}
	i, err := strconv.Atoi(step)
	switch {
	case err != nil:
		return nil
	case i < len(s.PrefixItems):
		return s.PrefixItems[i]
	default:
		return s.Items2020
	}
}

func keysOf(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(resolve(s).Properties))
}

// accepts names the JSON types of a schema, without null: a section that holds
// nothing is as good as one that is not there.
func accepts(s *jsonschema.Schema) string {
	if s = resolve(s); s.Types == nil {
		return ""
	}
	types := slices.DeleteFunc(s.Types.ToStrings(), func(t string) bool { return t == "null" })
	return strings.Join(types, " or ")
}

// describe says in words which values a schema accepts.
func describe(s *jsonschema.Schema) string {
	s = resolve(s)
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
	if s.Items2020 != nil {
		entry = plural(resolve(s.Items2020))
	}
	if s.MinItems != nil && *s.MinItems > 0 {
		return "a list of one or more " + entry
	}
	return "a list of " + entry
}

func describeBounds(s *jsonschema.Schema) string {
	var parts []string
	if s.ExclusiveMinimum != nil {
		parts = append(parts, "greater than "+s.ExclusiveMinimum.RatString())
	}
	if s.Minimum != nil {
		parts = append(parts, "of at least "+s.Minimum.RatString())
	}
	if s.Maximum != nil {
		parts = append(parts, "at most "+s.Maximum.RatString())
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, " and ")
}

func describeText(s *jsonschema.Schema) string {
	if s.Enum != nil {
		var values []string
		for _, v := range s.Enum.Values {
			values = append(values, fmt.Sprintf("%q", v))
		}
		return strings.Join(values, " or ")
	}
	if s.Format != nil {
		if noun, ok := nouns()[s.Format.Name]; ok {
			return noun.one
		}
	}
	return "text"
}

func plural(s *jsonschema.Schema) string {
	if s.Format != nil {
		if noun, ok := nouns()[s.Format.Name]; ok {
			return noun.many
		}
	}
	if accepts(s) == "object" {
		return "mappings"
	}
	return "entries"
}
