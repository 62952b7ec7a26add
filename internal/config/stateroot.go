package config

import (
	"errors"
	"path/filepath"
	"runtime"

	"github.com/goccy/go-yaml"
)

// StateRoot is where the poller that this configuration describes keeps its
// files. It looks at state.root alone: faults elsewhere in the file are not
// the business of whoever asks how the running poller is, and the schema,
// which takes a while to compile, is not needed. No file at all is the default
// place, and so is a missing one that was not asked for.
func StateRoot(o Options) (string, error) {
	a := assembler{places: places{runtime.GOOS, o.Getenv}, stateRoot: o.Overrides.StateRoot}
	configured := ""
	if a.stateRoot == "" {
		f, err := o.read()
		if missing := (*MissingError)(nil); err != nil && (o.Explicit || !errors.As(err, &missing)) {
			return "", err
		}
		a.base = filepath.Dir(f.path)
		t := newText(o.File, f.content)
		a.faultAt = func(message string, _ ...string) Fault { return t.fault(position{}, "state.root", message) }
		var doc struct {
			State struct {
				Root string `yaml:"root"`
			} `yaml:"state"`
		}
		if err := yaml.Unmarshal(f.content, &doc); err != nil {
			// A root of the file's may be in there: the default one would be
			// somebody else's.
			if _, faults := t.parse(); len(faults) > 0 {
				return "", faults
			}
			return "", Faults{t.fault(position{}, "state", "state.root cannot be read: it must be a string")}
		}
		configured = doc.State.Root
	}
	root, err := a.root(configured)
	if err != nil {
		return "", err
	}
	return root, a.faults.asError()
}
