package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
)

// EventLogName is the event log's name in the state root unless
// eventLog.path says otherwise.
const EventLogName = "events.jsonl"

// EventLogPlace is where the poller that this configuration describes writes
// its event log, and whether it does. Like [StateRoot] it looks at nothing but
// the keys that it needs.
func EventLogPlace(o Options) (path string, enabled bool, err error) {
	root, err := StateRoot(o)
	if err != nil {
		return "", false, err
	}
	f, err := o.read()
	if missing := (*MissingError)(nil); err != nil && (o.Explicit || !errors.As(err, &missing)) {
		return "", false, err
	}
	t := newText(o.File, f.content)
	tree, faults := t.parse()
	if tree == nil && len(faults) > 0 {
		return "", false, faults.asError()
	}
	configured, enabled, wrong := t.eventLog(tree)
	if faults = append(about(faults, "eventLog"), wrong...); len(faults) > 0 {
		return "", false, faults.asError()
	}
	path, err = places{runtime.GOOS, o.Getenv}.expand(cmp.Or(configured, EventLogName), root)
	if err != nil {
		return "", false, fmt.Errorf("eventLog.path: %w", err)
	}
	return filepath.Clean(path), enabled, nil
}

// eventLog is what the file says about the event log: its path, "" for none,
// and whether it is written.
func (t text) eventLog(root *node) (path string, enabled bool, faults Faults) {
	enabled = true
	if root == nil || root.get("eventLog") == nil {
		return "", true, nil
	}
	section := root.get("eventLog").node
	if section.empty() {
		return "", true, nil
	}
	if !section.mapping {
		return "", true, Faults{t.fault(section.at, "eventLog", "must be a mapping, got "+got(section))}
	}
	if e := section.get("enabled"); e != nil {
		value, is := e.node.value.(bool)
		if !is {
			faults = append(faults, t.fault(e.node.at, "eventLog.enabled", "must be true or false, got "+got(e.node)))
		}
		enabled = value
	}
	if e := section.get("path"); e != nil {
		value, is := e.node.value.(string)
		if !is {
			faults = append(faults, t.fault(e.node.at, "eventLog.path", "must be a path, got "+got(e.node)))
		} else if err := checkPath(value); err != nil {
			faults = append(faults, t.fault(e.node.at, "eventLog.path", err.Error()))
		}
		path = value
	}
	return path, enabled, faults
}
