//go:build unix

package main

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"the-loop/internal/eventlog"
	"the-loop/internal/scripttest"
)

var update = flag.Bool("u", false, "update the expected output in testdata/script")

func TestMain(m *testing.M) { scripttest.Main(m) }

// TestScript runs the scenarios over the scripted gh, and then compares the
// events that they emitted with the catalogue: an event that no scenario can
// bring about is a promise that nothing holds. The scenarios of named faults
// run in internal/scripttest.
func TestScript(t *testing.T) {
	events := &scripttest.Events{}
	ok := t.Run("scenarios", func(t *testing.T) {
		p := scripttest.Params(events)
		p.Files = scenarios(t)
		p.UpdateScripts = *update
		testscript.Run(t, p)
	})
	if !ok || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return // not all of them ran
	}
	var catalogue []string
	for _, k := range eventlog.Catalogue() {
		catalogue = append(catalogue, k.Name)
	}
	slices.Sort(catalogue)
	if got := events.Names(); !slices.Equal(got, catalogue) {
		t.Errorf("the scenarios emitted\n\t%s\nbut the catalogue has\n\t%s",
			strings.Join(got, "\n\t"), strings.Join(catalogue, "\n\t"))
	}
}

// scenarios are all but those of named faults.
func scenarios(t *testing.T) []string {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return strings.HasPrefix(filepath.Base(name), "fault-")
	})
}
