package config

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
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
		t := newText(o.File, f.content)
		n, faults := t.stateRoot()
		if len(faults) > 0 {
			return "", faults.asError()
		}
		configured, _ = n.value.(string)
		a.base = filepath.Dir(f.path)
		a.faultAt = func(message string, _ ...string) Fault { return t.fault(n.at, "state.root", message) }
	}
	root, err := a.root(configured)
	if err != nil {
		return "", err
	}
	return root, a.faults.asError()
}

// stateRoot is the value of state.root, an empty one where there is none. When
// it cannot be told, the default would be the folder of another poller, so
// that is a fault.
func (t text) stateRoot() (*node, Faults) {
	root, faults := t.parse()
	if root == nil {
		return nil, faults
	}
	n, path := root, ""
	for _, key := range []string{"state", "root"} {
		if !n.mapping {
			return nil, Faults{t.fault(n.at, path, "must be a mapping, got "+got(n))}
		}
		e := n.get(key)
		if e == nil || key == "state" && e.node.empty() {
			return &node{}, about(faults, "state")
		}
		n, path = e.node, join(path, key)
	}
	s, isText := n.value.(string)
	if !isText {
		return nil, append(about(faults, path), t.fault(n.at, path, "must be a path, got "+got(n)))
	}
	if err := checkPath(s); err != nil {
		return nil, Faults{t.fault(n.at, path, err.Error())}
	}
	return n, about(faults, "state")
}

// about keeps the faults of one section.
func about(faults Faults, section string) Faults {
	var kept Faults
	for _, f := range faults {
		if f.Path == section || strings.HasPrefix(f.Path, section+".") {
			kept = append(kept, f)
		}
	}
	return kept
}
