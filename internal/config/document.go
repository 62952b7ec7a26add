package config

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// document has the form of the file, with the schema's defaults filled in. A test
// compares its tags with the keys of schema.json.
type document struct {
	State struct {
		Root     string `json:"root"`
		KeepDays int    `json:"keepDays"`
	} `json:"state"`
	Polling struct {
		IntervalSeconds seconds          `json:"intervalSeconds"`
		MaxRetries      int              `json:"maxRetries"`
		Pace            bool             `json:"pace"`
		SkipUnchanged   string           `json:"skipUnchanged"`
		Sources         []sourceDocument `json:"sources"`
	} `json:"polling"`
	Routing struct {
		AuthorizedUsers []string `json:"authorizedUsers"`
		Handlers        struct {
			Spawn   []string `json:"spawn"`
			Comment []string `json:"comment"`
			Close   []string `json:"close"`
			Update  []string `json:"update"`
			Alive   []string `json:"alive"`
			Notify  []string `json:"notify"`
		} `json:"handlers"`
		MaxConcurrentDispatches int      `json:"maxConcurrentDispatches"`
		DispatchTimeoutSeconds  seconds  `json:"dispatchTimeoutSeconds"`
		NotifyAfterSeconds      seconds  `json:"notifyAfterSeconds"`
		AliveSeconds            seconds  `json:"aliveSeconds"`
		MaxSessions             int      `json:"maxSessions"`
		MaxSessionSeconds       seconds  `json:"maxSessionSeconds"`
		Priority                []string `json:"priority"`
	} `json:"routing"`
	EventLog struct {
		Enabled    bool   `json:"enabled"`
		Path       string `json:"path"`
		MaxSizeMB  int    `json:"maxSizeMB"`
		MaxBackups int    `json:"maxBackups"`
	} `json:"eventLog"`
}

type sourceDocument struct {
	Provider string   `json:"provider"`
	Name     string   `json:"name"`
	Repos    []string `json:"repos"`
	Label    string   `json:"label,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Host     string   `json:"host"`
	Monitor  struct {
		Issues       bool `json:"issues"`
		PullRequests bool `json:"pullRequests"`
	} `json:"monitor"`
	GHBinary       string  `json:"ghBinary"`
	TimeoutSeconds seconds `json:"timeoutSeconds"`
	Limit          int     `json:"limit"`
	ReprobeCycles  int     `json:"reprobeCycles"`
	Concurrency    int     `json:"concurrency"`
	MaxSessions    int     `json:"maxSessions"`
	OnUnlabel      string  `json:"onUnlabel"`
}

// seconds is a number that is written without an exponent, because readers of YAML
// disagree on 1e-9.
type seconds float64

// MarshalJSON writes the number in a form common to JSON and YAML.
func (s seconds) MarshalJSON() ([]byte, error) { return plainNumber(float64(s)) }

func plainNumber(v float64) ([]byte, error) { return strconv.AppendFloat(nil, v, 'f', -1, 64), nil }

// decode fills the defaults into a value that fits the schema and converts it.
func decode(s *jsonschema.Schema, value any) (document, error) {
	var d document
	encoded, err := json.Marshal(complete(s, value))
	if err != nil {
		return d, fmt.Errorf("encode the configuration: %w", err)
	}
	if err := json.Unmarshal(encoded, &d); err != nil {
		return d, fmt.Errorf("decode the configuration: %w", err)
	}
	return d, nil
}

// complete returns the value with the schema's defaults for everything missing. A
// missing or empty section gets the defaults of its keys.
func complete(s *jsonschema.Schema, value any) any {
	switch accepts(s) {
	case "object":
		given, _ := value.(map[string]any)
		full := make(map[string]any, len(s.Properties))
		for key, sub := range s.Properties {
			v, present := given[key]
			if v = complete(sub, v); present || v != nil {
				full[key] = v
			}
		}
		return full
	case "array":
		items, given := value.([]any)
		if !given {
			break
		}
		full := make([]any, len(items))
		for i, entry := range items {
			full[i] = complete(item(s, i), entry)
		}
		return full
	}
	if value == nil && s.Default != nil {
		return s.Default
	}
	return value
}
