package config

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// homesOf lists the sections of the schema that have a key, sorted by name: a rightly
// spelled key often only stands at the wrong level.
func homesOf(s *jsonschema.Schema, name, path string) []string {
	var homes []string
	for _, key := range keysOf(s) {
		if key == name && path != "" {
			homes = append(homes, path)
		}
		homes = append(homes, homesOf(s.Properties[key], name, join(path, key))...)
	}
	if s.Items != nil {
		homes = append(homes, homesOf(s.Items, name, path+"[]")...)
	}
	return homes
}

func list(keys []string) string { return strings.Join(keys, ", ") }
