package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
)

// EventLogName is the event log's name in the state root unless
// eventLog.path says otherwise.
const EventLogName = "events.jsonl"

// EventLogPlace is where the poller that this configuration describes writes
// its event log, and whether it does. Like [StateRoot] it looks at nothing but
// the keys that it needs, and takes what can be made out of a broken file: doubt
// says that the path is the default one, or the best guess.
func EventLogPlace(o Options) (path string, enabled bool, doubt, err error) {
	root, doubt, err := StateRoot(o)
	if err != nil {
		return "", false, nil, err
	}
	out := o.outline()
	configured, enabled, faults := out.text.eventLog(out.tree)
	doubt = firstError(doubt, out.doubt, about(out.faults, "eventLog").asError(), faults.asError())
	p := places{runtime.GOOS, o.Getenv}
	path, err = p.expand(cmp.Or(configured, EventLogName), root)
	if err != nil {
		doubt = firstError(doubt, fmt.Errorf("eventLog.path: %w", err))
		path = filepath.Join(root, EventLogName)
	}
	return filepath.Clean(path), enabled, doubt, nil
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
		enabled = value || !is
	}
	if e := section.get("path"); e != nil {
		value, is := e.node.value.(string)
		if !is {
			faults = append(faults, t.fault(e.node.at, "eventLog.path", "must be a path, got "+got(e.node)))
		} else if err := checkPath(value); err != nil {
			faults = append(faults, t.fault(e.node.at, "eventLog.path", err.Error()))
		} else {
			path = value
		}
	}
	return path, enabled, faults
}
