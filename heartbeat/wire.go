package heartbeat

import (
	"encoding/json"
	"math"
	"time"

	"the-loop/internal/timetext"
	"the-loop/poller"
)

// wireFile is a [File] as JSON has it, its fields in the order of the file. Reading it
// never fails for one bad value: encoding/json leaves the zero value there and goes on.
type wireFile struct {
	StartedAt       stamp                `json:"startedAt"`
	LastCycleAt     stamp                `json:"lastCycleAt"`
	IntervalSeconds seconds              `json:"intervalSeconds"`
	LastCycle       any                  `json:"lastCycle"` // a wireCycle, or {} before the first cycle; read into a *wireCycle
	Version         int                  `json:"version"`
	Program         string               `json:"program,omitempty"`
	Cycle           int                  `json:"cycle"`
	Progress        *wireProgress        `json:"progress,omitempty"`
	ConfigError     string               `json:"configError,omitempty"`
	LogError        string               `json:"logError,omitempty"`
	Pace            *wirePace            `json:"pace,omitempty"`
	Scopes          map[string]wireScope `json:"scopes,omitempty"`
	Standing        *wireStanding        `json:"standing,omitempty"`
	Counts          *wireCounts          `json:"counts,omitempty"`
	Quotas          map[string]wireQuota `json:"quotas,omitempty"`
}

type wireCycle struct {
	ItemsSeen         int                 `json:"itemsSeen"`
	Spawns            int                 `json:"spawns"`
	CommentsForwarded int                 `json:"commentsForwarded"`
	Closures          int                 `json:"closures"`
	Failures          int                 `json:"failures"`
	Errors            int                 `json:"errors"`
	Interrupted       bool                `json:"interrupted"`
	ScopesPolled      int                 `json:"scopesPolled"`
	ScopesUnchanged   int                 `json:"scopesUnchanged,omitempty"`
	ScopesAsked       int                 `json:"scopesAsked,omitempty"`
	SurveyCalls       int                 `json:"surveyCalls,omitempty"`
	SurveyFailing     []wireSurvey        `json:"surveyFailing,omitempty"`
	ScopesFailed      []wireFailure       `json:"scopesFailed"`
	ScopesSkipped     []wireFailure       `json:"scopesSkipped"`
	ProviderErrors    []wireProviderError `json:"providerErrors,omitempty"`
	DurationSeconds   seconds             `json:"durationSeconds"`
}

type wireFailure struct {
	Scope     string       `json:"scope"`
	Error     string       `json:"error"`
	Permanent bool         `json:"permanent"`
	Cause     poller.Cause `json:"cause,omitempty"`
}

type wireSurvey struct {
	Host  string `json:"host"`
	Since stamp  `json:"since"`
	Error string `json:"error"`
}

type wireProviderError struct {
	Provider string       `json:"provider"`
	Error    string       `json:"error"`
	Cause    poller.Cause `json:"cause,omitempty"`
}

type wireProgress struct {
	StartedAt stamp  `json:"startedAt"`
	UpdatedAt stamp  `json:"updatedAt"`
	Done      int    `json:"done"`
	Total     int    `json:"total"`
	Scope     string `json:"scope"`
}

type wirePace struct {
	Host            string  `json:"host"`
	IntervalSeconds seconds `json:"intervalSeconds"`
	Remaining       int     `json:"remaining"`
	ResetAt         stamp   `json:"resetAt"`
	Calls           int     `json:"calls,omitempty"`
}

type wireScope struct {
	LastSuccessAt stamp `json:"lastSuccessAt"`
	FailingSince  stamp `json:"failingSince"`
}

type wireCounts struct {
	Deliveries map[string]int `json:"deliveries,omitempty"`
	Sessions   map[string]int `json:"sessions,omitempty"`
}

type wireQuota struct {
	Limit     int   `json:"limit"`
	Remaining int   `json:"remaining"`
	ResetAt   stamp `json:"resetAt"`
}

func toWire(f File) wireFile {
	wire := wireFile{
		StartedAt: stamp{f.StartedAt}, LastCycleAt: stamp{f.LastCycleAt}, IntervalSeconds: seconds(f.Interval),
		LastCycle: struct{}{}, Version: f.Version, Program: f.Program, Cycle: f.Cycle,
		ConfigError: f.ConfigError, LogError: f.LogError,
		Scopes: map[string]wireScope{}, Quotas: map[string]wireQuota{},
		Standing: toWireStanding(f.Standing),
	}
	if !f.LastCycleAt.IsZero() {
		wire.LastCycle = toWireCycle(f.LastCycle)
	}
	if p := f.Progress; p != nil {
		wire.Progress = &wireProgress{stamp{p.StartedAt}, stamp{p.UpdatedAt}, p.Done, p.Total, p.Scope}
	}
	if p := f.Pace; p != nil {
		wire.Pace = &wirePace{p.Host, seconds(p.Interval), p.Remaining, stamp{p.ResetAt}, p.Calls}
	}
	for name, s := range f.Scopes {
		wire.Scopes[name] = wireScope{stamp{s.LastSuccessAt}, stamp{s.FailingSince}}
	}
	for host, q := range f.Quotas {
		wire.Quotas[host] = wireQuota{q.Limit, q.Remaining, stamp{q.ResetAt}}
	}
	if c := f.Standing.Counts; len(c.Deliveries)+len(c.Sessions) > 0 {
		wire.Counts = (*wireCounts)(&c)
	}
	return wire
}

func (w wireFile) file() File {
	f := File{
		StartedAt: w.StartedAt.Time, LastCycleAt: w.LastCycleAt.Time, Interval: time.Duration(w.IntervalSeconds),
		Version: w.Version, Program: w.Program, Cycle: w.Cycle,
		ConfigError: w.ConfigError, LogError: w.LogError,
		Standing: get(w.Standing).standing(),
	}
	if cycle, ok := w.LastCycle.(*wireCycle); ok {
		f.LastCycle = cycle.summary()
	}
	if p := get(w.Progress); p != (wireProgress{}) {
		f.Progress = &Progress{p.StartedAt.Time, p.UpdatedAt.Time, p.Done, p.Total, p.Scope}
	}
	if p := get(w.Pace); p != (wirePace{}) {
		f.Pace = &Pace{p.Host, time.Duration(p.IntervalSeconds), p.Remaining, p.ResetAt.Time, p.Calls}
	}
	for name, s := range w.Scopes {
		set(&f.Scopes, name, Scope{s.LastSuccessAt.Time, s.FailingSince.Time})
	}
	for host, q := range w.Quotas {
		set(&f.Quotas, host, Quota{q.Limit, q.Remaining, q.ResetAt.Time})
	}
	f.Standing.Counts = poller.Counts(get(w.Counts))
	return f
}

func toWireCycle(s poller.Summary) wireCycle {
	failure := func(f poller.ScopeFailure) wireFailure { return wireFailure(f) }
	w := wireCycle{
		ItemsSeen: s.ItemsSeen, Spawns: s.Spawns, CommentsForwarded: s.CommentsForwarded, Closures: s.Closures,
		Failures: s.Failures, Errors: s.Errors, Interrupted: s.Interrupted, ScopesPolled: s.ScopesPolled,
		SurveyFailing: each(s.SurveyFailing, func(f poller.SurveyFailing) wireSurvey {
			return wireSurvey{f.Host, stamp{f.Since}, f.Error}
		}),
		ScopesFailed:    append([]wireFailure{}, each(s.ScopesFailed, failure)...),
		ScopesSkipped:   append([]wireFailure{}, each(s.ScopesSkipped, failure)...),
		ProviderErrors:  each(s.ProviderErrors, func(e poller.ProviderError) wireProviderError { return wireProviderError(e) }),
		DurationSeconds: seconds(s.Duration),
	}
	if s.SurveyCalls > 0 {
		w.ScopesUnchanged, w.ScopesAsked, w.SurveyCalls = s.ScopesUnchanged, s.ScopesAsked, s.SurveyCalls
	}
	return w
}

func (w wireCycle) summary() poller.Summary {
	failure := func(f wireFailure) poller.ScopeFailure { return poller.ScopeFailure(f) }
	return poller.Summary{
		ItemsSeen: w.ItemsSeen, Spawns: w.Spawns, CommentsForwarded: w.CommentsForwarded, Closures: w.Closures,
		Failures: w.Failures, Errors: w.Errors, Interrupted: w.Interrupted, ScopesPolled: w.ScopesPolled,
		ScopesUnchanged: w.ScopesUnchanged, ScopesAsked: w.ScopesAsked, SurveyCalls: w.SurveyCalls,
		SurveyFailing: each(w.SurveyFailing, func(f wireSurvey) poller.SurveyFailing {
			return poller.SurveyFailing{Host: f.Host, Since: f.Since.Time, Error: f.Error}
		}),
		ScopesFailed:   each(w.ScopesFailed, failure),
		ScopesSkipped:  each(w.ScopesSkipped, failure),
		ProviderErrors: each(w.ProviderErrors, func(e wireProviderError) poller.ProviderError { return poller.ProviderError(e) }),
		Duration:       time.Duration(w.DurationSeconds),
	}
}

// each converts a list and leaves out zero values, which stand for unreadable entries.
func each[From comparable, To any](list []From, convert func(From) To) []To {
	var out []To
	var none From
	for _, e := range list {
		if e != none {
			out = append(out, convert(e))
		}
	}
	return out
}

// get returns *p, or the zero value if p is nil.
func get[T any](p *T) T {
	if p == nil {
		p = new(T)
	}
	return *p
}

// set adds an entry to a map and makes the map if it is nil.
func set[T any](m *map[string]T, key string, value T) {
	if *m == nil {
		*m = map[string]T{}
	}
	(*m)[key] = value
}

// stamp is a time in UTC and whole seconds, "" for the zero time. Any other text that is
// no time reads as zero.
type stamp struct{ time.Time }

func (s stamp) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte(`""`), nil
	}
	return json.Marshal(timetext.UTC(s.Time))
}

func (s *stamp) UnmarshalJSON(data []byte) error {
	var text string
	_ = json.Unmarshal(data, &text)
	t, err := time.Parse(time.RFC3339, text)
	t = t.UTC()
	// The conversion to UTC can move the year out of the range of RFC 3339.
	if err == nil && t.Year() >= 0 && t.Year() <= 9999 {
		s.Time = t
	}
	return nil
}

// seconds is a duration as a number of seconds, rounded to milliseconds. A negative
// number reads as zero.
type seconds time.Duration

func (s seconds) MarshalJSON() ([]byte, error) {
	return json.Marshal(math.Round(float64(s)/float64(time.Millisecond)) / 1000)
}

func (s *seconds) UnmarshalJSON(data []byte) error {
	const limit = float64(100 * 365 * 24 * time.Hour / time.Second)
	var n float64
	_ = json.Unmarshal(data, &n)
	*s = seconds(min(max(n, 0), limit) * float64(time.Second))
	return nil
}
