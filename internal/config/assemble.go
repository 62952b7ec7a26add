package config

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/ref"
)

// assembler turns a document that fits the schema into a Config. It fills in values
// that depend on the machine and makes the checks that no schema can express.
type assembler struct {
	places places
	// base is the folder from which the file's relative paths start.
	base string
	// stateRoot is the state root of the command line, "" for none.
	stateRoot string
	// faultAt places a fault at a key of the file.
	faultAt func(message string, location ...string) Fault
	faults  Faults
}

func (a *assembler) config(d document) (*Config, error) {
	root, err := a.root(d.State.Root)
	if err != nil {
		return nil, err
	}
	cfg := &Config{
		StateRoot: root,
		Keep:      time.Duration(d.State.KeepDays) * 24 * time.Hour,
		Polling: Polling{
			Interval:      duration(float64(d.Polling.IntervalSeconds)),
			MaxRetries:    d.Polling.MaxRetries,
			Pace:          d.Polling.Pace,
			SkipUnchanged: d.Polling.SkipUnchanged,
			Sources:       a.sources(d.Polling.Sources),
		},
		Routing: Routing{
			AuthorizedUsers:         d.Routing.AuthorizedUsers,
			MaxConcurrentDispatches: d.Routing.MaxConcurrentDispatches,
			DispatchTimeout:         duration(float64(d.Routing.DispatchTimeoutSeconds)),
			NotifyAfter:             duration(float64(d.Routing.NotifyAfterSeconds)),
			AliveEvery:              duration(float64(d.Routing.AliveSeconds)),
			MaxSession:              durationOrNone(float64(d.Routing.MaxSessionSeconds)),
			MaxSessions:             d.Routing.MaxSessions,
			Priority:                d.Routing.Priority,
			Handlers: Handlers{
				Spawn:   a.handler("spawn", d.Routing.Handlers.Spawn),
				Comment: a.handler("comment", d.Routing.Handlers.Comment),
				Close:   a.handler("close", d.Routing.Handlers.Close),
				Update:  a.handler("update", d.Routing.Handlers.Update),
				Alive:   a.handler("alive", d.Routing.Handlers.Alive),
				Notify:  a.handler("notify", d.Routing.Handlers.Notify),
			},
		},
		EventLog: EventLog{
			Enabled:    d.EventLog.Enabled,
			Path:       a.path(cmp.Or(d.EventLog.Path, EventLogName), root, "eventLog", "path"),
			MaxSizeMB:  d.EventLog.MaxSizeMB,
			MaxBackups: d.EventLog.MaxBackups,
		},
	}
	return cfg, a.faults.asError()
}

// root returns the state root: that of the command line, else that of the file, else
// the default.
func (a *assembler) root(configured string) (string, error) {
	if a.stateRoot != "" {
		here, err := filepath.Abs(".")
		if err != nil {
			return "", fmt.Errorf("locate the state root: %w", err)
		}
		root, err := a.places.expand(a.stateRoot, here)
		if err != nil {
			return "", Faults{{Path: "--state-root", Message: err.Error()}}
		}
		return root, nil
	}
	if configured != "" {
		return a.path(configured, a.base, "state", "root"), nil
	}
	if root := a.places.stateRoot(); root != "" {
		return root, nil
	}
	return "", &MissingError{
		text: "no place for the state: " + a.places.unset("XDG_STATE_HOME", "LocalAppData"),
		hint: "name one with --state-root DIR, or with state.root in the configuration",
	}
}

// path makes a path of the file absolute.
func (a *assembler) path(path, base string, location ...string) string {
	absolute, err := a.places.expand(path, base)
	if err != nil {
		a.faults = append(a.faults, a.faultAt(err.Error(), location...))
	}
	return absolute
}

func (a *assembler) handler(event string, argv []string) argvtemplate.Template {
	if len(argv) == 0 {
		return nil
	}
	t, err := argvtemplate.Parse(argv)
	if err != nil {
		a.faults = append(a.faults, a.faultAt(err.Error(), "routing", "handlers", event))
	}
	return t
}

func (a *assembler) sources(documents []sourceDocument) []Source {
	named := names(documents)
	sources := make([]Source, len(documents))
	for i, d := range documents {
		host := a.host(d.Host)
		sources[i] = Source{
			Provider:      d.Provider,
			Name:          named[i],
			Repos:         a.repos(i, d.Repos, host),
			Labels:        labels(d),
			Host:          host,
			Issues:        d.Monitor.Issues,
			PullRequests:  d.Monitor.PullRequests,
			GHBinary:      a.binary(i, d.GHBinary),
			Timeout:       duration(float64(d.TimeoutSeconds)),
			Limit:         d.Limit,
			ReprobeCycles: d.ReprobeCycles,
			Concurrency:   d.Concurrency,
			MaxSessions:   d.MaxSessions,
			OnUnlabel:     d.OnUnlabel,
		}
	}
	return sources
}

// names gives every source a unique name. Sources without one are numbered by
// provider, skipping names in use.
func names(documents []sourceDocument) []string {
	names, taken := make([]string, len(documents)), map[string]bool{}
	for i, d := range documents {
		names[i], taken[d.Name] = d.Name, true
	}
	for i, d := range documents {
		for n := 1; names[i] == ""; n++ {
			name := d.Provider
			if n > 1 {
				name += "-" + strconv.Itoa(n)
			}
			if !taken[name] {
				names[i], taken[name] = name, true
			}
		}
	}
	return names
}

// host is the host for entries that name none.
func (a *assembler) host(configured string) string {
	if configured != "" {
		return strings.ToLower(configured)
	}
	host := a.places.getenv("GH_HOST")
	if host == "" {
		return ref.GitHubHost
	}
	if err := checkHost(host); err != nil {
		a.faults = append(a.faults, Fault{Path: "$GH_HOST", Message: err.Error()})
		return ref.GitHubHost
	}
	return strings.ToLower(host)
}

// repos drops duplicates, whatever the case of their letters.
func (a *assembler) repos(source int, entries []string, host string) []ref.Repo {
	var repos []ref.Repo
	seen := map[string]bool{}
	for i, entry := range entries {
		repo, err := ref.ParseRepo(entry, host)
		if err != nil {
			location := []string{"polling", "sources", strconv.Itoa(source), "repos", strconv.Itoa(i)}
			a.faults = append(a.faults, a.faultAt(err.Error(), location...))
			continue
		}
		if !seen[repo.Scope()] {
			seen[repo.Scope()] = true
			repos = append(repos, repo)
		}
	}
	return repos
}

// labels returns no labels for "every open item".
func labels(d sourceDocument) []string {
	given := d.Labels
	if len(given) == 0 {
		given = []string{d.Label}
	}
	if given[0] == "*" {
		return nil
	}
	return given
}

// binary makes a path absolute. A bare name stays: each cycle looks it up on PATH.
func (a *assembler) binary(source int, name string) string {
	if !strings.ContainsRune(name, '/') && !strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	return a.path(name, a.base, "polling", "sources", strconv.Itoa(source), "ghBinary")
}

// duration converts seconds with fractions. The result is never zero, because no
// configured duration is.
func duration(s float64) time.Duration {
	return max(1, time.Duration(math.Round(s*float64(time.Second))))
}

// durationOrNone is duration for a setting in which 0 means none.
func durationOrNone(s float64) time.Duration {
	if s == 0 {
		return 0
	}
	return duration(s)
}
