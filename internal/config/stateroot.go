package config

import (
	"path/filepath"
	"runtime"
	"strings"
)

// StateRoot is where the poller that this configuration describes keeps its
// files. It looks at state.root alone: faults elsewhere in the file do not
// matter to a command that asks how the running poller is, and the schema,
// which takes a while to compile, is not needed.
//
// A file that cannot be read or parsed does not hide the poller either. Its
// state.root counts where that line can still be made out, else the default
// place does, and doubt says what is wrong with the file. No file at all is the
// default place, without doubt unless the file was asked for. The error says
// that there is no place at all.
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

// stateRoot is the value of state.root, an empty one where there is none or
// where it is none that can be used.
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

// outline is what a command needs of a file that may be broken.
type outline struct {
	text   text
	base   string // the folder that relative paths start from
	tree   *node  // nil where nothing could be made out
	faults Faults // of a tree that is the whole file
	doubt  error  // why the tree is not the whole file
}

// outline reads what there is. A missing file that was not asked for is empty.
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
