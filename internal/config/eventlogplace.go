package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
)

// EventLogName is the event log's default name in the state root.
const EventLogName = "events.jsonl"

// EventLogPlace returns the path of the event log, and whether the poller with this
// configuration writes one. Like [StateRoot] it reads only the keys that it needs,
// and as much as it can of a broken file. If doubt is not nil, the path is the
// default or a guess.
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

// eventLog returns the event log's path according to the file, "" for none, and
// whether the log is enabled.
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
