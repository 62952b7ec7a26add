package config

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// homesOf lists the sections of the schema that know a key, sorted by name: a
// key that is spelled right often only stands at the wrong level.
func homesOf(s *jsonschema.Schema, name, path string) []string {
	s = resolve(s)
	var homes []string
	for _, key := range keysOf(s) {
		if key == name && path != "" {
			homes = append(homes, path)
		}
		homes = append(homes, homesOf(s.Properties[key], name, join(path, key))...)
	}
	if s.Items2020 != nil {
		homes = append(homes, homesOf(s.Items2020, name, path+"[]")...)
	}
	return homes
}

func list(keys []string) string { return strings.Join(keys, ", ") }
