package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Changes lists the settings that differ between two configurations, in the order of
// their keys, with both values. It omits the values of handlers, because people put
// secrets into them.
func Changes(before, after *Config) []string {
	var list []string
	compare("", before.plain(), after.plain(), &list)
	return list
}

// plain returns the configuration as maps, lists and values.
func (cfg *Config) plain() any {
	text, err := json.Marshal(cfg.document())
	if err != nil {
		return nil // Show reports the error; the comparison then finds nothing
	}
	var value any
	_ = json.Unmarshal(text, &value) // reads what Marshal wrote
	return value
}

// compare adds the differences at a path to the list.
func compare(path string, before, after any, list *[]string) {
	was, wasMap := before.(map[string]any)
	is, isMap := after.(map[string]any)
	if wasMap && isMap {
		keys := maps.Clone(was)
		maps.Copy(keys, is)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			compare(join(path, key), was[key], is[key], list)
		}
		return
	}
	old, oldList := before.([]any)
	young, newList := after.([]any)
	if path == "polling.sources" && oldList && newList {
		compareSources(path, old, young, list)
		return
	}
	switch x, y := encoded(before), encoded(after); {
	case x == y:
	case strings.HasPrefix(path, "routing.handlers."):
		*list = append(*list, path)
	case oldList || newList:
		*list = append(*list, path+":"+membership(old, young))
	default:
		*list = append(*list, fmt.Sprintf("%s: %s instead of %s", path, y, x))
	}
}

// compareSources compares the sources by name.
func compareSources(path string, before, after []any, list *[]string) {
	was, is := byName(before), byName(after)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			*list = append(*list, fmt.Sprintf("%s: without %q", path, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			*list = append(*list, fmt.Sprintf("%s: new %q", path, name))
			continue
		}
		compare(fmt.Sprintf("%s[%s]", path, name), was[name], is[name], list)
	}
}

func byName(sources []any) map[string]any {
	named := map[string]any{}
	for _, s := range sources {
		source, _ := s.(map[string]any)
		name, _ := source["name"].(string)
		named[name] = source
	}
	return named
}

// membership describes the entries that a list gained and lost, or its new order.
func membership(before, after []any) string {
	text := ""
	for _, v := range after {
		if !contains(before, v) {
			text += " +" + encoded(v)
		}
	}
	for _, v := range before {
		if !contains(after, v) {
			text += " -" + encoded(v)
		}
	}
	return cmp.Or(text, " other order")
}

func contains(list []any, value any) bool {
	return slices.ContainsFunc(list, func(v any) bool { return encoded(v) == encoded(value) })
}

// encoded formats a value. Text without a blank gets no quotes.
func encoded(value any) string {
	if s, is := value.(string); is && s != "" && !strings.ContainsAny(s, " \"\n\t") {
		return s
	}
	text, _ := json.Marshal(value) // came from JSON
	if value == nil {
		return "nothing"
	}
	return string(text)
}
