package ghdouble

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// world is the JSON description that [Server.LoadJSON] reads.
type world struct {
	Hosts  []hostSpec  `json:"hosts"`
	Repos  []repoSpec  `json:"repos"`
	Faults []faultSpec `json:"faults"`
}

type hostSpec struct {
	Name    string              `json:"name"`
	Version string              `json:"version"`
	Login   string              `json:"login"`
	Rates   map[string]rateSpec `json:"rates"`
}

type rateSpec struct {
	Limit          int  `json:"limit"`
	Remaining      int  `json:"remaining"`
	ResetInSeconds int  `json:"resetInSeconds"`
	Counted        bool `json:"counted"`
}

type repoSpec struct {
	Name string `json:"name"`
	// FormerNames lists the repository's earlier names, each OWNER/NAME.
	FormerNames    []string `json:"formerNames"`
	Missing        bool     `json:"missing"`
	IssuesDisabled bool     `json:"issuesDisabled"`
	Archived       bool     `json:"archived"`
	Labels         []string `json:"labels"`
	Issues         []Item   `json:"issues"`
	PullRequests   []Item   `json:"pullRequests"`
}

type faultSpec struct {
	Kind  Kind   `json:"kind"`
	Repo  string `json:"repo"`
	Host  string `json:"host"`
	Fault string `json:"fault"`
	Times int    `json:"times"`
}

// LoadJSON loads a description of the world or of a part that changed. A repository in
// the file replaces the one of its name; the others stay. If the file has "faults", they
// replace all faults in force. An invalid description is an error and changes nothing.
func (s *Server) LoadJSON(data []byte) error {
	var w world
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return fmt.Errorf("github double: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("github double: text after the description")
	}
	faults, err := w.check()
	if err != nil {
		return fmt.Errorf("github double: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range w.Hosts {
		s.loadHost(h)
	}
	for _, r := range w.Repos {
		s.loadRepo(r)
	}
	if w.Faults != nil {
		s.faults = faults
	}
	return nil
}

// check validates the description before any change and builds the faults.
func (w world) check() ([]*standing, error) {
	for _, r := range w.Repos {
		if _, full := splitRepo(r.Name); strings.Count(full, "/") != 1 {
			return nil, fmt.Errorf("repository %q is not [HOST/]OWNER/NAME", r.Name)
		}
		for _, it := range slices.Concat(r.Issues, r.PullRequests) {
			if it.Number < 1 {
				return nil, fmt.Errorf("%s: an item without a number", r.Name)
			}
		}
	}
	var faults []*standing
	for _, spec := range w.Faults {
		f, err := newFault(spec.Fault, Match{Kind: spec.Kind, Repo: spec.Repo, Host: spec.Host}, spec.Times)
		if err != nil {
			return nil, err
		}
		faults = append(faults, f)
	}
	return faults, nil
}

// newFault builds the fault of that name. A name whose failure only gh's environment
// can cause is an error.
func newFault(name string, match Match, times int) (*standing, error) {
	fact, err := FactNamed(name)
	if err != nil {
		return nil, err
	}
	if len(fact.Env) > 0 {
		return nil, fmt.Errorf("%s is no fault of GitHub's: set %q", name, fact.Env)
	}
	fact.Fault.Times = times
	return newStanding(match, fact.Fault), match.check()
}

func (s *Server) loadHost(spec hostSpec) {
	h := s.host(spec.Name)
	h.login = cmp.Or(spec.Login, h.login)
	h.version = cmp.Or(spec.Version, h.version)
	for resource, r := range spec.Rates {
		reset := time.Now().Add(time.Duration(r.ResetInSeconds) * time.Second)
		h.rates[resource] = Rate{Limit: r.Limit, Remaining: r.Remaining, Reset: reset, Counted: r.Counted}
	}
}

func (s *Server) loadRepo(spec repoSpec) {
	if spec.Missing {
		s.remove(spec.Name)
		return
	}
	r := s.renamedTo(spec)
	r.issuesOff = spec.IssuesDisabled
	r.archived = spec.Archived
	r.labels = spec.Labels
	clear(r.items)
	clear(r.left)
	for _, it := range spec.Issues {
		r.add(it, false)
	}
	for _, it := range spec.PullRequests {
		r.add(it, true)
	}
}

// renamedTo finds or makes the repository under its present name. When it finds a
// repository under a former name, it renames that one.
func (s *Server) renamedTo(spec repoSpec) *Repo {
	hostName, full := splitRepo(spec.Name)
	h := s.host(hostName)
	for _, former := range spec.FormerNames {
		if old := h.repos[strings.ToLower(former)]; old != nil && h.repos[strings.ToLower(full)] == nil {
			old.rename(full)
		}
	}
	r := s.repo(spec.Name)
	for _, former := range spec.FormerNames {
		h.former[strings.ToLower(former)] = r
	}
	return r
}
