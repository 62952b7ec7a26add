package config

import (
	"encoding/json"
	"math"
	"slices"
)

// jsonSchema is the part of JSON Schema that schema.json uses. It takes the place of a
// library that alone took a third of what the program spends before main, in every
// command. A test compares the two.
type jsonSchema struct {
	Ref         string                 `json:"$ref"`
	Defs        map[string]*jsonSchema `json:"$defs"`
	Description string                 `json:"description"`
	Default     json.RawMessage        `json:"default"`
	Type        kinds                  `json:"type"`
	Format      string                 `json:"format"`

	Enum             []any    `json:"enum"`
	Const            any      `json:"const"` // nil for none
	Minimum          *float64 `json:"minimum"`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum"`
	Maximum          *float64 `json:"maximum"`

	Properties  map[string]*jsonSchema `json:"properties"`
	Required    []string               `json:"required"`
	MinItems    int                    `json:"minItems"`
	PrefixItems []*jsonSchema          `json:"prefixItems"`
	Items       *jsonSchema            `json:"items"`
	Contains    *jsonSchema            `json:"contains"`
	Not         *jsonSchema            `json:"not"`
}

// kinds are the accepted JSON types, written as one name or as a list.
type kinds []string

func (k *kinds) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*k = kinds{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(k))
}

// fits reports whether a value's type, size and bounds are accepted. It looks at
// nothing that is in the value.
func (s *jsonSchema) fits(value any) bool {
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(kind string) bool { return isKind(kind, value) }) {
		return false
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) || s.Const != nil && s.Const != value {
		return false
	}
	if items, is := value.([]any); is && len(items) < s.MinItems {
		return false
	}
	n, is := numeric(value)
	return !is || (s.Minimum == nil || n >= *s.Minimum) && (s.Maximum == nil || n <= *s.Maximum) &&
		(s.ExclusiveMinimum == nil || n > *s.ExclusiveMinimum)
}

// matches is fits for a value and all that is in it. Formats and unknown keys are
// looked at elsewhere.
func (s *jsonSchema) matches(value any) bool {
	if !s.fits(value) || s.Not != nil && s.Not.matches(value) {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, there := value[name]; !there {
				return false
			}
		}
		for name, v := range value {
			if sub := s.Properties[name]; sub != nil && !sub.matches(v) {
				return false
			}
		}
	case []any:
		for i, v := range value {
			if sub := item(s, i); sub != nil && !sub.matches(v) {
				return false
			}
		}
		return s.Contains == nil || slices.ContainsFunc(value, s.Contains.matches)
	}
	return true
}

func isKind(kind string, value any) bool {
	switch value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	n, is := numeric(value)
	return is && (kind == "number" || kind == "integer" && n == math.Trunc(n))
}

func numeric(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case uint64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
