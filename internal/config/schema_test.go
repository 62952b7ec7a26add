package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

const documentation = "../../docs/configuration.md"

func mustCompile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := readSchema()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustShow(t *testing.T, cfg *Config) []byte {
	t.Helper()
	shown, err := Show(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// rawKey is one key of schema.json as it is written there.
type rawKey struct {
	name     string
	schema   map[string]any
	required bool
}

// rawKeys lists the keys below a schema in the order of the file: sections
// give way to what is in them.
func rawKeys(defs map[string]any, schema map[string]any, prefix string) []rawKey {
	properties, _ := schema["properties"].(yaml.MapSlice)
	required, _ := schema["required"].([]any)
	var keys []rawKey
	for _, p := range properties {
		name, sub := p.Key.(string), asMap(p.Value)
		ref, isRef := asMap(sub["items"])["$ref"].(string)
		switch {
		case sub["properties"] != nil:
			keys = append(keys, rawKeys(defs, sub, prefix+name+".")...)
		case isRef:
			keys = append(keys, rawKeys(defs, asMap(defs[filepath.Base(ref)]), prefix+name+"[].")...)
		default:
			keys = append(keys, rawKey{prefix + name, sub, slices.Contains(required, any(name))})
		}
	}
	return keys
}

func asMap(v any) map[string]any {
	m := map[string]any{}
	slice, _ := v.(yaml.MapSlice)
	for _, item := range slice {
		m[item.Key.(string)] = item.Value
	}
	return m
}

func allKeys(t *testing.T) []rawKey {
	t.Helper()
	var top yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(Schema(), &top, yaml.UseOrderedMap()); err != nil {
		t.Fatal(err)
	}
	schema := asMap(top)
	return rawKeys(asMap(schema["$defs"]), schema, "")
}

func (k rawKey) defaultText(t *testing.T) string {
	t.Helper()
	value, has := k.schema["default"]
	switch text, machine := k.schema["x-default"].(string); {
	case k.required:
		return "required"
	case machine:
		return "`" + text + "`"
	case !has || value == nil:
		return "none"
	}
	if s, ok := value.(string); ok {
		return "`" + s + "`"
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return "`" + string(encoded) + "`"
}

// TestDocumentation compares the documentation's list of keys with the schema.
func TestDocumentation(t *testing.T) {
	schema := mustCompile(t)
	var want []string
	for _, k := range allKeys(t) {
		s := schema
		for step := range strings.SplitSeq(strings.ReplaceAll(k.name, "[]", ".0"), ".") {
			s = under(s, step)
		}
		description, _ := k.schema["description"].(string)
		if description == "" {
			t.Errorf("%s has no description", k.name)
		}
		accepted := strings.TrimPrefix(describe(s), "a ")
		want = append(want, fmt.Sprintf("- `%s` (%s; %s): %s", k.name, accepted, k.defaultText(t), description))
	}
	if diff := cmp.Diff(want, listedKeys(t)); diff != "" {
		t.Errorf("keys of %s (-schema +documentation):\n%s", documentation, diff)
	}
}

// listedKeys are the entries of the section "Keys", each in one line.
func listedKeys(t *testing.T) []string {
	t.Helper()
	_, section, _ := strings.Cut(readDocumentation(t), "\n## Keys\n")
	section, _, _ = strings.Cut(section, "\n#")
	var entries []string
	for line := range strings.Lines(section) {
		switch text := strings.TrimSpace(line); {
		case strings.HasPrefix(line, "- "):
			entries = append(entries, text)
		case strings.HasPrefix(line, "  "):
			entries[len(entries)-1] += " " + text
		}
	}
	return entries
}

func readDocumentation(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestDocumentedExamples loads every example of the documentation that is a
// whole file.
func TestDocumentedExamples(t *testing.T) {
	loaded := 0
	for i, block := range strings.Split(readDocumentation(t), "```yaml\n")[1:] {
		example, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatalf("example %d is not closed", i+1)
		}
		if !strings.Contains(example, "polling:") {
			continue
		}
		loaded++
		o := Options{File: "example.yaml", Getenv: environment("HOME=/home/octo", "USERPROFILE=/home/octo")}
		if _, err := o.load(file{path: "/etc/the-loop/config.yaml", exists: true, content: []byte(example)}); err != nil {
			t.Errorf("example %d:\n%v\nin\n%s", i+1, err, example)
		}
	}
	if loaded == 0 {
		t.Error("the documentation has no example that is a whole file")
	}
}

// TestDocumentHasTheKeysOfTheSchema guards the two lists that must change
// together: schema.json and the type that a file is decoded into.
func TestDocumentHasTheKeysOfTheSchema(t *testing.T) {
	var want []string
	for _, k := range allKeys(t) {
		want = append(want, k.name)
	}
	got := tags(reflect.TypeFor[document](), "")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-schema +document):\n%s", diff)
	}
}

func tags(typ reflect.Type, prefix string) []string {
	var keys []string
	for f := range typ.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name := prefix + key
		switch {
		case f.Type.Kind() == reflect.Struct:
			keys = append(keys, tags(f.Type, name+".")...)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			keys = append(keys, tags(f.Type.Elem(), name+"[].")...)
		default:
			keys = append(keys, name)
		}
	}
	return keys
}

// TestShowAndStarterHaveEveryKey looks at the last part of each key: where it
// stands is checked by loading what Show and Starter return.
func TestShowAndStarterHaveEveryKey(t *testing.T) {
	o := Options{File: "f.yaml", Getenv: environment("HOME=/home/octo", "USERPROFILE=/home/octo")}
	content := []byte("polling: {sources: [{provider: github, repos: [o/a]}, {provider: github, repos: [o/a], labels: [x, y]}]}")
	cfg, err := o.load(file{path: "/f.yaml", exists: true, content: content})
	if err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string][]byte{"Show": mustShow(t, cfg), "Starter": Starter()} {
		for _, k := range allKeys(t) {
			if name := k.name[strings.LastIndex(k.name, ".")+1:]; !strings.Contains(string(content), name+":") {
				t.Errorf("%s does not have %s", what, k.name)
			}
		}
	}
}

// TestEveryFormatIsKnown finds a format that is mistyped in schema.json, which
// the validator would take for one that it need not check.
func TestEveryFormatIsKnown(t *testing.T) {
	var used []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if f, ok := v["format"].(string); ok {
				used = append(used, f)
			}
			for _, sub := range v {
				walk(sub)
			}
		case []any:
			for _, sub := range v {
				walk(sub)
			}
		}
	}
	var doc any
	if err := json.Unmarshal(Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	walk(doc)
	slices.Sort(used)
	used = slices.Compact(used)
	if diff := cmp.Diff(used, slices.Sorted(maps.Keys(formats()))); diff != "" {
		t.Errorf("formats (-used +checked):\n%s", diff)
	}
	if diff := cmp.Diff(used, slices.Sorted(maps.Keys(nouns()))); diff != "" {
		t.Errorf("formats (-used +described):\n%s", diff)
	}
}
