package status

import (
	"bytes"
	"encoding/json"
	"fmt"

	"the-loop/heartbeat"
	"the-loop/internal/safetext"
)

// JSON returns the report for programs, with a two-space indent and a final newline:
// running, pid, stateRoot, then the keys of the heartbeat as stored, unknown ones
// included. The four keys of every heartbeat are present even if the file lacks them,
// with zero values. Without a heartbeat only the first three are there. stopping is
// added while a running poller shuts down, heartbeatError when the heartbeat cannot be
// read, and lockError when the lock cannot be probed.
func (r Report) JSON() ([]byte, error) {
	out := object{names: map[string]bool{}}
	out.set("running", encoded(r.Running))
	out.set("pid", encoded(r.PID))
	out.set("stateRoot", encoded(r.StateRoot))
	if r.Stopping {
		out.set("stopping", encoded(true))
	}
	if r.LockError != nil {
		out.set("lockError", encoded(r.LockError.Error()))
	}
	switch {
	case r.HeartbeatError == nil:
		if err := out.addHeartbeat(r.Heartbeat); err != nil {
			return nil, err
		}
	case r.recorded():
		out.set("heartbeatError", encoded(r.HeartbeatError.Error()))
	}
	return out.encode()
}

// object is a JSON object that keeps the order of its members.
type object struct {
	members []heartbeat.Member
	names   map[string]bool
}

// set adds a member unless one of that name exists.
func (o *object) set(name string, value json.RawMessage) {
	if !o.names[name] {
		o.names[name] = true
		o.members = append(o.members, heartbeat.Member{Name: name, Value: value})
	}
}

// addHeartbeat adds the members of a heartbeat as stored, the basic ones first.
func (o *object) addHeartbeat(f heartbeat.File) error {
	members, err := storedMembers(f)
	if err != nil {
		return err
	}
	stored := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		stored[m.Name] = m.Value
	}
	for _, basic := range []struct{ name, none string }{
		{"startedAt", `""`}, {"lastCycleAt", `""`}, {"intervalSeconds", `0`}, {"lastCycle", `{}`},
	} {
		value := stored[basic.name]
		if value == nil || string(value) == "null" {
			value = json.RawMessage(basic.none)
		}
		o.set(basic.name, value)
	}
	for _, m := range members {
		o.set(m.Name, m.Value)
	}
	return nil
}

// storedMembers returns the members of the file that f was read from, or of the file
// that f would make.
func storedMembers(f heartbeat.File) ([]heartbeat.Member, error) {
	if members := f.Members(); members != nil {
		return members, nil
	}
	data, err := f.Encode()
	if err != nil {
		return nil, err
	}
	f, err = heartbeat.Parse(data)
	return f.Members(), err
}

func (o *object) encode() ([]byte, error) {
	var compact, out bytes.Buffer
	for i, m := range o.members {
		compact.WriteByte("{,"[min(i, 1)])
		compact.Write(encoded(m.Name))
		compact.WriteByte(':')
		compact.Write(m.Value)
	}
	compact.WriteByte('}')
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("encode the status: %w", err)
	}
	out.WriteByte('\n')
	return safetext.JSON(out.Bytes()), nil
}

// encoded returns a string, number or boolean as JSON and leaves markup alone.
func encoded(value any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // these types cannot fail
	return bytes.TrimSpace(b.Bytes())
}
