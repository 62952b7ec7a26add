package status

import (
	"bytes"
	"encoding/json"
	"fmt"

	"the-loop/heartbeat"
	"the-loop/internal/safetext"
)

// document begins the report for programs. The keys of the heartbeat that it does not
// name follow it.
type document struct {
	Running         bool            `json:"running"`
	PID             int             `json:"pid"`
	StateRoot       string          `json:"stateRoot"`
	Stopping        bool            `json:"stopping,omitempty"`
	LockError       string          `json:"lockError,omitempty"`
	HeartbeatError  string          `json:"heartbeatError,omitempty"`
	StartedAt       json.RawMessage `json:"startedAt,omitempty"`
	LastCycleAt     json.RawMessage `json:"lastCycleAt,omitempty"`
	IntervalSeconds json.RawMessage `json:"intervalSeconds,omitempty"`
	LastCycle       json.RawMessage `json:"lastCycle,omitempty"`
}

// JSON returns the report for programs, with a two-space indent and a final newline:
// running, pid, stateRoot, then the keys of the heartbeat as stored, unknown ones
// included. The four keys of every heartbeat are present even if the file lacks them,
// with zero values. Without a heartbeat only the first three are there. stopping is
// added while a running poller shuts down, heartbeatError when the heartbeat cannot be
// read, and lockError when the lock cannot be probed.
func (r Report) JSON() ([]byte, error) {
	doc := document{Running: r.Running, PID: r.PID, StateRoot: r.StateRoot, Stopping: r.Stopping}
	if r.LockError != nil {
		doc.LockError = r.LockError.Error()
	}
	var stored map[string]json.RawMessage
	switch {
	case r.HeartbeatError == nil:
		var err error
		if stored, err = storedKeys(r.Heartbeat); err != nil {
			return nil, err
		}
		doc.take(stored)
	case r.recorded():
		doc.HeartbeatError = r.HeartbeatError.Error()
	}
	text, err := encode(doc)
	if err != nil {
		return nil, err
	}
	if len(stored) > 0 {
		rest, err := encode(stored)
		if err != nil {
			return nil, err
		}
		text = append(append(text[:len(text)-1], ','), rest[1:]...)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fmt.Errorf("encode the status: %w", err)
	}
	out.WriteByte('\n')
	return safetext.JSON(out.Bytes()), nil
}

// storedKeys returns the keys of the file from which f was read, or that f would make.
func storedKeys(f heartbeat.File) (stored map[string]json.RawMessage, err error) {
	data := f.Source
	if data == nil {
		if data, err = f.Encode(); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("encode the status: %w", err)
	}
	return stored, nil
}

// take moves the keys that the document has from a heartbeat's; it drops those that
// only the document may set.
func (d *document) take(stored map[string]json.RawMessage) {
	for _, name := range []string{"running", "pid", "stateRoot", "stopping", "lockError", "heartbeatError"} {
		delete(stored, name)
	}
	for _, basic := range []struct {
		name, none string
		to         *json.RawMessage
	}{
		{"startedAt", `""`, &d.StartedAt}, {"lastCycleAt", `""`, &d.LastCycleAt},
		{"intervalSeconds", `0`, &d.IntervalSeconds}, {"lastCycle", `{}`, &d.LastCycle},
	} {
		*basic.to = stored[basic.name]
		if text := string(*basic.to); text == "" || text == "null" {
			*basic.to = json.RawMessage(basic.none)
		}
		delete(stored, basic.name)
	}
}

// encode returns a value as JSON without a newline, and leaves markup alone.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode the status: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
