package heartbeat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"the-loop/internal/ownfile"
	"the-loop/poller"
)

// maxSize leaves room for ten thousand degraded scopes and more.
const maxSize = 16 << 20

// Read reads the heartbeat at path. Its error wraps fs.ErrNotExist when there is no
// file. It refuses links, and any content but one complete JSON object. Within the
// object it skips only the keys that it cannot read.
func Read(path string) (File, error) {
	f, err := ownfile.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("heartbeat: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return File{}, fmt.Errorf("heartbeat: %w", err)
	}
	if len(data) > maxSize {
		return File{}, fmt.Errorf("%s: larger than %d MiB", path, maxSize>>20)
	}
	file, err := Parse(data)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// Parse reads the content of a heartbeat by the rules of [Read].
func Parse(data []byte) (File, error) {
	top, err := parseObject(data)
	if err != nil {
		return File{}, err
	}
	members, err := orderedMembers(data)
	if err != nil {
		return File{}, err
	}
	standing := top.object("standing").standing()
	standing.Counts = top.object("counts").counts()
	return File{
		StartedAt:   top.time("startedAt"),
		LastCycleAt: top.time("lastCycleAt"),
		Interval:    top.duration("intervalSeconds"),
		LastCycle:   top.object("lastCycle").summary(),
		Version:     top.int("version"),
		Program:     top.string("program"),
		Cycle:       top.int("cycle"),
		Progress:    top.object("progress").progress(),
		ConfigError: top.string("configError"),
		LogError:    top.string("logError"),
		Pace:        top.object("pace").pace(),
		Scopes:      top.object("scopes").scopes(),
		Standing:    standing,
		Quotas:      top.object("quotas").quotas(),
		members:     members,
	}, nil
}

func parseObject(data []byte) (object, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("empty")
	}
	var top object
	err := json.Unmarshal(data, &top)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok || (err == nil && top == nil) {
		return nil, errors.New("not a JSON object")
	}
	if err != nil {
		return nil, fmt.Errorf("not whole JSON: %w", err)
	}
	return top, nil
}

// orderedMembers returns the members of a valid object, each key once. Of repeated
// keys the last counts, as in json.Unmarshal.
func orderedMembers(data []byte) ([]Member, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return nil, fmt.Errorf("not whole JSON: %w", err)
	}
	members := []Member{}
	place := map[string]int{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("not whole JSON: %w", err)
		}
		m := Member{Name: fmt.Sprint(key)}
		if err := decoder.Decode(&m.Value); err != nil {
			return nil, fmt.Errorf("not whole JSON: %w", err)
		}
		if at, ok := place[m.Name]; ok {
			members[at] = m
			continue
		}
		place[m.Name] = len(members)
		members = append(members, m)
	}
	return members, nil
}

// object is a JSON object. Its members are decoded one by one, so a member of the
// wrong type costs only itself. A nil object has no members.
type object map[string]json.RawMessage

func read[T any](o object, key string) T {
	var value, none T
	raw, ok := o[key]
	if !ok || json.Unmarshal(raw, &value) != nil {
		return none
	}
	return value
}

func (o object) string(key string) string { return read[string](o, key) }
func (o object) bool(key string) bool     { return read[bool](o, key) }
func (o object) object(key string) object { return read[object](o, key) }

// list returns the objects of a list and skips everything else in it.
func (o object) list(key string) []object {
	var out []object
	for _, raw := range read[[]json.RawMessage](o, key) {
		var member object
		if json.Unmarshal(raw, &member) == nil && member != nil {
			out = append(out, member)
		}
	}
	return out
}

// int accepts every spelling of a whole number, 3.0 and 3e0 included.
func (o object) int(key string) int {
	const limit = 1 << 53 // a larger float64 is not exact
	n := read[float64](o, key)
	if n > limit || n < -limit {
		return 0
	}
	return int(n)
}

func (o object) duration(key string) time.Duration {
	const limit = float64(100 * 365 * 24 * time.Hour / time.Second)
	n := read[float64](o, key)
	if n <= 0 {
		return 0
	}
	return time.Duration(min(n, limit) * float64(time.Second))
}

func (o object) time(key string) time.Time {
	t, err := time.Parse(time.RFC3339, o.string(key))
	t = t.UTC()
	// The conversion to UTC can move the year out of the range of RFC 3339.
	if err != nil || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

func (o object) summary() poller.Summary {
	s := poller.Summary{
		ItemsSeen:         o.int("itemsSeen"),
		Spawns:            o.int("spawns"),
		CommentsForwarded: o.int("commentsForwarded"),
		Closures:          o.int("closures"),
		Failures:          o.int("failures"),
		Errors:            o.int("errors"),
		Interrupted:       o.bool("interrupted"),
		ScopesPolled:      o.int("scopesPolled"),
		ScopesUnchanged:   o.int("scopesUnchanged"),
		ScopesAsked:       o.int("scopesAsked"),
		SurveyCalls:       o.int("surveyCalls"),
		ScopesFailed:      o.failures("scopesFailed"),
		ScopesSkipped:     o.failures("scopesSkipped"),
		Duration:          o.duration("durationSeconds"),
	}
	for _, f := range o.list("surveyFailing") {
		s.SurveyFailing = append(s.SurveyFailing,
			poller.SurveyFailing{Host: f.string("host"), Since: f.time("since"), Error: f.string("error")})
	}
	for _, e := range o.list("providerErrors") {
		s.ProviderErrors = append(s.ProviderErrors,
			poller.ProviderError{Provider: e.string("provider"), Error: e.string("error"), Cause: poller.Cause(e.string("cause"))})
	}
	return s
}

func (o object) failures(key string) []poller.ScopeFailure {
	var out []poller.ScopeFailure
	for _, f := range o.list(key) {
		out = append(out, poller.ScopeFailure{
			Scope: f.string("scope"), Error: f.string("error"), Permanent: f.bool("permanent"),
			Cause: poller.Cause(f.string("cause")),
		})
	}
	return out
}

func (o object) progress() *Progress {
	if o == nil {
		return nil
	}
	return &Progress{
		StartedAt: o.time("startedAt"), UpdatedAt: o.time("updatedAt"),
		Done: o.int("done"), Total: o.int("total"), Scope: o.string("scope"),
	}
}

func (o object) pace() *Pace {
	if o == nil {
		return nil
	}
	return &Pace{
		Host: o.string("host"), Interval: o.duration("intervalSeconds"),
		Remaining: o.int("remaining"), ResetAt: o.time("resetAt"), Calls: o.int("calls"),
	}
}

func (o object) scopes() map[string]Scope {
	if len(o) == 0 {
		return nil
	}
	scopes := make(map[string]Scope, len(o))
	for name := range o {
		s := o.object(name)
		scopes[name] = Scope{LastSuccessAt: s.time("lastSuccessAt"), FailingSince: s.time("failingSince")}
	}
	return scopes
}
