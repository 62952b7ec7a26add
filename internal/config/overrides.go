package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// check returns the faults of the overrides. It names the flag even if the value came
// from its variable.
func (o Overrides) check(schema *jsonschema.Schema) Faults {
	var faults Faults
	add := func(flag string, err error) {
		if err != nil {
			faults = append(faults, Fault{Path: flag, Message: err.Error()})
		}
	}
	for _, repo := range o.Repos {
		add("--repo", checkRepository(repo))
	}
	for _, label := range o.Labels {
		add("--label", checkLabel(label))
	}
	if len(o.Labels) > 1 && slices.Contains(o.Labels, "*") {
		add("--label", fmt.Errorf("* stands for every open item, so it takes no other label beside it"))
	}
	if o.Interval != nil {
		add("--interval", checkInterval(*o.Interval, under(under(schema, "polling"), "intervalSeconds")))
	}
	if strings.ContainsRune(o.StateRoot, 0) {
		add("--state-root", checkPath(o.StateRoot))
	}
	return faults
}

func checkInterval(d time.Duration, s *jsonschema.Schema) error {
	if longest := duration(*s.Maximum); d <= 0 || d > longest {
		return fmt.Errorf("must be a duration greater than 0s and at most %s, got %s", longest, d)
	}
	return nil
}

// apply puts the overrides into the checked value of the file.
func (o Overrides) apply(value any) map[string]any {
	top := section(value)
	polling := section(top["polling"])
	top["polling"] = polling
	if len(o.Repos) > 0 {
		polling["sources"] = []any{map[string]any{"provider": "github", "repos": anys(o.Repos)}}
	}
	if len(o.Labels) > 0 {
		sources, _ := polling["sources"].([]any)
		for i := range sources {
			source := section(sources[i])
			delete(source, "label")
			source["labels"] = anys(o.Labels)
		}
	}
	if o.Interval != nil {
		polling["intervalSeconds"] = o.Interval.Seconds()
	}
	return top
}

func section(value any) map[string]any {
	if m, ok := value.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

func anys(texts []string) []any {
	list := make([]any, len(texts))
	for i, s := range texts {
		list[i] = s
	}
	return list
}
