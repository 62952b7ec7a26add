package config

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml"
)

// Show returns the effective configuration as YAML with every key. Loading that gives
// the same configuration in any environment.
func Show(cfg *Config) ([]byte, error) {
	plain, err := json.Marshal(cfg.document())
	if err != nil {
		return nil, fmt.Errorf("show the configuration: %w", err)
	}
	var ordered yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(plain, &ordered, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("show the configuration: %w", err)
	}
	out, err := yaml.MarshalWithOptions(ordered, yaml.IndentSequence(true),
		yaml.CustomMarshaler(quotedText), yaml.CustomMarshaler(plainNumber))
	if err != nil {
		return nil, fmt.Errorf("show the configuration: %w", err)
	}
	return out, nil
}

// quotedText writes text in double quotes, with the escapes that YAML shares with Go.
// The library would write control characters that it cannot read back.
func quotedText(s string) ([]byte, error) { return []byte(strconv.Quote(s)), nil }

// document returns the file that gives this configuration in any environment.
func (cfg *Config) document() document {
	var d document
	d.State.Root, d.State.KeepDays = cfg.StateRoot, int(cfg.Keep.Hours()/24)
	d.Polling.IntervalSeconds = seconds(cfg.Polling.Interval.Seconds())
	d.Polling.MaxRetries, d.Polling.Pace, d.Polling.SkipUnchanged = cfg.Polling.MaxRetries, cfg.Polling.Pace, cfg.Polling.SkipUnchanged
	for _, s := range cfg.Polling.Sources {
		d.Polling.Sources = append(d.Polling.Sources, s.document())
	}
	r := cfg.Routing
	d.Routing.AuthorizedUsers = r.AuthorizedUsers
	d.Routing.Handlers.Spawn = r.Handlers.Spawn.Source()
	d.Routing.Handlers.Comment = r.Handlers.Comment.Source()
	d.Routing.Handlers.Close = r.Handlers.Close.Source()
	d.Routing.Handlers.Update = r.Handlers.Update.Source()
	d.Routing.Handlers.Alive = r.Handlers.Alive.Source()
	d.Routing.Handlers.Notify = r.Handlers.Notify.Source()
	d.Routing.MaxConcurrentDispatches = r.MaxConcurrentDispatches
	d.Routing.DispatchTimeoutSeconds = seconds(r.DispatchTimeout.Seconds())
	d.Routing.NotifyAfterSeconds = seconds(r.NotifyAfter.Seconds())
	d.Routing.AliveSeconds = seconds(r.AliveEvery.Seconds())
	d.Routing.MaxSessionSeconds = seconds(r.MaxSession.Seconds())
	d.Routing.MaxSessions, d.Routing.Priority = r.MaxSessions, r.Priority
	e := cfg.EventLog
	d.EventLog.Enabled, d.EventLog.Path = e.Enabled, e.Path
	d.EventLog.MaxSizeMB, d.EventLog.MaxBackups = e.MaxSizeMB, e.MaxBackups
	return d
}

func (s Source) document() sourceDocument {
	d := sourceDocument{
		Provider: s.Provider, Name: s.Name, Host: s.Host, GHBinary: s.GHBinary,
		TimeoutSeconds: seconds(s.Timeout.Seconds()), Limit: s.Limit, ReprobeCycles: s.ReprobeCycles, Concurrency: s.Concurrency,
		MaxSessions: s.MaxSessions, OnUnlabel: s.OnUnlabel,
	}
	for _, r := range s.Repos {
		d.Repos = append(d.Repos, r.Full())
	}
	switch len(s.Labels) {
	case 0:
		d.Label = "*"
	case 1:
		d.Label = s.Labels[0]
	default:
		d.Labels = s.Labels
	}
	d.Monitor.Issues, d.Monitor.PullRequests = s.Issues, s.PullRequests
	return d
}
