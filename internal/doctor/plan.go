package doctor

import (
	"slices"
	"strings"
	"time"

	"the-loop/internal/config"
	"the-loop/internal/ref"
)

// plan is everything that one cycle asks, by gh and host.
type plan struct {
	programs []*program
	workload []workload
	asked    int           // repositories to check
	interval time.Duration // 0 without a configuration
	pace     bool
	// severalLabels is the number of sources with several labels.
	severalLabels int
	asksMe        bool // whether @me is among the authorized users
	sources       []planned
}

// program is one gh and the hosts that it asks.
type program struct {
	binary string
	client GitHub
	path   string // "" until it was found and is new enough
	// references is set if it asks which issues a pull request closes.
	references bool
	hosts      []*host
}

// host is everything that one gh asks one host.
type host struct {
	name   string
	repos  []*repository
	scopes map[string]*repository // the same by scope
	sample []*repository          // the repositories to check
	calls  int                    // of one cycle
	pulls  int                    // listings of pull requests among them
	// surveyCalls and surveyPulls are the parts of both that a survey can spare.
	surveyCalls, surveyPulls int
	login                    string // "" for an app's
	// loggedIn is set if the host accepted a login, loggedOut if gh has none there or
	// the host refused it. Neither is set if the host did not answer.
	loggedIn, loggedOut bool
	// points is the hourly quota of the login, 0 if unknown.
	points int
	// missed says why the repositories of the host cannot be checked, "" if they can.
	missed string
}

// repository is everything that all sources together want of one repository.
type repository struct {
	ref.Repo
	issues, pulls bool
	labels        []string
	state         state
	issuesOff     bool
}

// state is the result of a question about a repository.
type state int

const (
	notAskedFor state = iota
	present           // it is there, under this name
	absent
)

// workload is the number of calls a source makes in a cycle.
type workload struct {
	calls       int
	repos       int
	concurrency int
}

// planned is a source and the gh that it asks.
type planned struct {
	config.Source
	by *program
}

// newPlan follows the configuration. Without one it plans to check the gh on PATH and
// its login.
func newPlan(o Options) plan {
	if o.Config == nil {
		source := config.Source{GHBinary: "gh", Host: defaultHost(o.Getenv)}
		var p plan
		p.host(o, source, source.Host)
		return p
	}
	p := plan{
		interval: o.Config.Polling.Interval,
		pace:     o.Config.Polling.Pace,
		asksMe:   slices.Contains(o.Config.Routing.AuthorizedUsers, "@me"),
	}
	for _, s := range o.Config.Polling.Sources {
		if len(s.Labels) > 1 {
			p.severalLabels++
		}
		p.add(o, s)
	}
	p.draw(o.All)
	return p
}

func defaultHost(getenv func(string) string) string {
	if host := getenv("GH_HOST"); ref.ValidHost(host) {
		return strings.ToLower(host)
	}
	return ref.GitHubHost
}

func (p *plan) add(o Options, s config.Source) {
	kinds := 0
	for _, watched := range []bool{s.Issues, s.PullRequests} {
		if watched {
			kinds++
		}
	}
	for _, repo := range s.Repos {
		h := p.host(o, s, repo.Host)
		h.calls += kinds
		if s.PullRequests {
			h.pulls++
		}
		if len(s.Labels) <= 1 {
			h.surveyCalls += kinds
			if s.PullRequests {
				h.surveyPulls++
			}
		}
		r := h.repository(repo)
		r.issues = r.issues || s.Issues
		r.pulls = r.pulls || s.PullRequests
		for _, label := range s.Labels {
			if !slices.ContainsFunc(r.labels, func(l string) bool { return strings.EqualFold(l, label) }) {
				r.labels = append(r.labels, label)
			}
		}
	}
	p.sources = append(p.sources, planned{s, p.programOf(s.GHBinary)})
	p.workload = append(p.workload, workload{
		calls: kinds * len(s.Repos), repos: len(s.Repos), concurrency: s.Concurrency,
	})
}

// host finds or adds the entry of a host under the source's gh.
func (p *plan) host(o Options, s config.Source, name string) *host {
	i := slices.IndexFunc(p.programs, func(p *program) bool { return p.binary == s.GHBinary })
	if i < 0 {
		i = len(p.programs)
		p.programs = append(p.programs, &program{binary: s.GHBinary, client: o.Client(s)})
	}
	owner := p.programs[i]
	j := slices.IndexFunc(owner.hosts, func(h *host) bool { return h.name == name })
	if j < 0 {
		j = len(owner.hosts)
		owner.hosts = append(owner.hosts, &host{name: name, scopes: map[string]*repository{}})
	}
	return owner.hosts[j]
}

func (p *plan) programOf(binary string) *program {
	for _, one := range p.programs {
		if one.binary == binary {
			return one
		}
	}
	return nil
}

// repository finds or adds the entry of a repository.
func (h *host) repository(repo ref.Repo) *repository {
	scope := repo.Scope()
	r := h.scopes[scope]
	if r == nil {
		r = &repository{Repo: repo}
		h.repos, h.scopes[scope] = append(h.repos, r), r
	}
	return r
}

// watchesPulls reports whether any pull requests are polled.
func (p *program) watchesPulls() bool {
	for _, h := range p.hosts {
		if slices.ContainsFunc(h.repos, func(r *repository) bool { return r.pulls }) {
			return true
		}
	}
	return false
}

func (p *program) repos() int {
	n := 0
	for _, h := range p.hosts {
		n += len(h.repos)
	}
	return n
}
