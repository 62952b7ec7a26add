package heartbeat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"the-loop/internal/safetext"
	"the-loop/poller"
)

// The fields below stand in the order of the file. decode.go reads what these types
// write: change both together.

type wireFile struct {
	StartedAt       string               `json:"startedAt"`
	LastCycleAt     string               `json:"lastCycleAt"`
	IntervalSeconds float64              `json:"intervalSeconds"`
	LastCycle       any                  `json:"lastCycle"`
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
	DurationSeconds   float64             `json:"durationSeconds"`
}

type wireFailure struct {
	Scope     string `json:"scope"`
	Error     string `json:"error"`
	Permanent bool   `json:"permanent"`
	Cause     string `json:"cause,omitempty"`
}

type wireSurvey struct {
	Host  string `json:"host"`
	Since string `json:"since"`
	Error string `json:"error"`
}

type wireProviderError struct {
	Provider string `json:"provider"`
	Error    string `json:"error"`
	Cause    string `json:"cause,omitempty"`
}

type wireProgress struct {
	StartedAt string `json:"startedAt"`
	UpdatedAt string `json:"updatedAt"`
	Done      int    `json:"done"`
	Total     int    `json:"total"`
	Scope     string `json:"scope"`
}

type wirePace struct {
	Host            string  `json:"host"`
	IntervalSeconds float64 `json:"intervalSeconds"`
	Remaining       int     `json:"remaining"`
	ResetAt         string  `json:"resetAt"`
	Calls           int     `json:"calls,omitempty"`
}

type wireScope struct {
	LastSuccessAt string `json:"lastSuccessAt"`
	FailingSince  string `json:"failingSince"`
}

// Encode returns the content to store, with a two-space indent and a final newline.
func (f File) Encode() ([]byte, error) {
	wire := wireFile{
		StartedAt:       stamp(f.StartedAt),
		LastCycleAt:     stamp(f.LastCycleAt),
		IntervalSeconds: toSeconds(f.Interval),
		LastCycle:       struct{}{},
		Version:         f.Version,
		Program:         f.Program,
		Cycle:           f.Cycle,
		Progress:        toWireProgress(f.Progress),
		ConfigError:     f.ConfigError,
		LogError:        f.LogError,
		Pace:            toWirePace(f.Pace),
		Scopes:          map[string]wireScope{},
		Standing:        toWireStanding(f.Standing),
		Counts:          toWireCounts(f.Standing.Counts),
		Quotas:          toWireQuotas(f.Quotas),
	}
	if !f.LastCycleAt.IsZero() {
		wire.LastCycle = toWireCycle(f.LastCycle)
	}
	for name, s := range f.Scopes {
		wire.Scopes[name] = wireScope{stamp(s.LastSuccessAt), stamp(s.FailingSince)}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(wire); err != nil {
		return nil, fmt.Errorf("encode the heartbeat: %w", err)
	}
	return safetext.JSON(b.Bytes()), nil
}

func toWireCycle(s poller.Summary) wireCycle {
	w := wireCycle{
		ItemsSeen:         s.ItemsSeen,
		Spawns:            s.Spawns,
		CommentsForwarded: s.CommentsForwarded,
		Closures:          s.Closures,
		Failures:          s.Failures,
		Errors:            s.Errors,
		Interrupted:       s.Interrupted,
		ScopesPolled:      s.ScopesPolled,
		ScopesFailed:      toWireFailures(s.ScopesFailed),
		ScopesSkipped:     toWireFailures(s.ScopesSkipped),
		ProviderErrors:    toWireProviderErrors(s.ProviderErrors),
		DurationSeconds:   toSeconds(s.Duration),
	}
	if s.SurveyCalls > 0 {
		w.ScopesUnchanged, w.ScopesAsked, w.SurveyCalls = s.ScopesUnchanged, s.ScopesAsked, s.SurveyCalls
	}
	for _, f := range s.SurveyFailing {
		w.SurveyFailing = append(w.SurveyFailing, wireSurvey{f.Host, stamp(f.Since), f.Error})
	}
	return w
}

func toWireFailures(list []poller.ScopeFailure) []wireFailure {
	out := make([]wireFailure, 0, len(list))
	for _, f := range list {
		out = append(out, wireFailure{f.Scope, f.Error, f.Permanent, string(f.Cause)})
	}
	return out
}

func toWireProviderErrors(list []poller.ProviderError) []wireProviderError {
	var out []wireProviderError
	for _, e := range list {
		out = append(out, wireProviderError{e.Provider, e.Error, string(e.Cause)})
	}
	return out
}

func toWireProgress(p *Progress) *wireProgress {
	if p == nil {
		return nil
	}
	return &wireProgress{stamp(p.StartedAt), stamp(p.UpdatedAt), p.Done, p.Total, p.Scope}
}

func toWirePace(p *Pace) *wirePace {
	if p == nil {
		return nil
	}
	return &wirePace{p.Host, toSeconds(p.Interval), p.Remaining, stamp(p.ResetAt), p.Calls}
}

// stamp formats a time for the file; the zero time is "".
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// toSeconds rounds to milliseconds.
func toSeconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Millisecond)) / 1000
}
