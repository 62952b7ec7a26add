package config

import (
	"path/filepath"
	"runtime"
	"strings"
)

// StateRoot returns the folder in which the poller with this configuration keeps its
// files. It reads only state.root: faults elsewhere in the file must not hide a
// running poller from a command that asks about it.
//
// From a file that cannot be read or parsed it takes state.root if that line is still
// readable, else the default, and doubt says what is wrong with the file. A missing
// file gives the default, and doubt only if the file was explicit. An error means
// that there is no such folder at all.
func StateRoot(o Options) (root string, doubt, err error) {
	a := assembler{places: places{runtime.GOOS, o.Getenv}, stateRoot: o.Overrides.StateRoot}
	if a.stateRoot != "" {
		root, err := a.root("")
		return root, nil, err
	}
	out := o.outline()
	n, faults := out.text.stateRoot(out.tree)
	doubt = firstError(out.doubt, about(out.faults, "state").asError(), faults.asError())
	a.base = out.base
	a.faultAt = func(message string, _ ...string) Fault { return out.text.fault(n.at, "state.root", message) }
	configured, _ := n.value.(string)
	root, err = a.root(configured)
	if len(a.faults) > 0 {
		doubt = firstError(doubt, a.faults.asError())
		root, err = a.root("")
	}
	return root, doubt, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// stateRoot returns the value of state.root, an empty one if it is missing or
// unusable.
func (t text) stateRoot(root *node) (*node, Faults) {
	if root == nil {
		return &node{}, nil
	}
	n, path := root, ""
	for _, key := range []string{"state", "root"} {
		if !n.mapping {
			return &node{}, Faults{t.fault(n.at, path, "must be a mapping, got "+got(n))}
		}
		e := n.get(key)
		if e == nil || key == "state" && e.node.empty() {
			return &node{}, nil
		}
		n, path = e.node, join(path, key)
	}
	s, isText := n.value.(string)
	if !isText {
		return &node{}, Faults{t.fault(n.at, path, "must be a path, got "+got(n))}
	}
	if err := checkPath(s); err != nil {
		return &node{}, Faults{t.fault(n.at, path, err.Error())}
	}
	return n, nil
}

// about returns the faults of one section.
func about(faults Faults, section string) Faults {
	var kept Faults
	for _, f := range faults {
		if f.Path == section || strings.HasPrefix(f.Path, section+".") {
			kept = append(kept, f)
		}
	}
	return kept
}

// outline is the readable part of a file that may be broken.
type outline struct {
	text   text
	base   string // folder at which relative paths start
	tree   *node  // nil if nothing is readable
	faults Faults // of a tree that is the whole file
	doubt  error  // why the tree is not the whole file
}

// outline reads as much as it can. A missing file is empty unless it was explicit.
func (o Options) outline() outline {
	o.Overrides.Repos = []string{""} // no file is needed
	f, err := o.read()
	out := outline{text: newText(o.File, f.content), base: f.base, doubt: err}
	if out.base == "" {
		out.base = filepath.Dir(o.File)
	}
	out.tree, out.faults = out.text.parse()
	if out.tree == nil && len(out.faults) > 0 {
		out.doubt = firstError(out.doubt, out.faults.asError())
		out.tree, out.faults = out.text.salvage("state", "eventLog"), nil
	}
	return out
}
