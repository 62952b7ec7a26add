package github

import (
	"context"
	"errors"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// client is what the provider asks of gh; *gh.Client is one.
type client interface {
	Resolve() error
	Issues(ctx context.Context, r ref.Repo, f gh.Filter) (issues []gh.Issue, total int, err error)
	PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) (pulls []gh.PullRequest, total int, err error)
	PullRequestPoints() int
	Survey(ctx context.Context, s gh.Survey) (gh.SurveyAnswer, error)
	Repository(ctx context.Context, r ref.Repo) (gh.Repository, error)
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
	IssueComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error)
	PullRequestComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error)
	Reviews(ctx context.Context, r ref.Repo, n int) ([]gh.Review, error)
	ReviewComments(ctx context.Context, r ref.Repo, n int) ([]gh.ReviewComment, error)
	PullRequest(ctx context.Context, r ref.Repo, n int) (gh.PullRequestState, error)
	IssueState(ctx context.Context, r ref.Repo, n int) (gh.IssueState, error)
	Login(ctx context.Context, host string) (string, error)
}

// Options describe one source.
type Options struct {
	Client client
	// GH is the name or path of the client's gh. Sources with the same one share
	// its login on each host.
	GH string
	// Hosts is shared by the sources of one daemon: a login's quota is.
	Hosts *Hosts
	Repos []ref.Repo
	// Labels must all be present on an item; none is every open item.
	Labels       []string
	Issues       bool // ask for issues
	PullRequests bool // ask for pull requests
	// Limit is how many items one listing call may return.
	Limit int
	// ReprobeCycles is how many Listing calls a standing condition lasts
	// before it is asked about again.
	ReprobeCycles int
	// Concurrency is how many repositories are asked at once; 1 is one after
	// the other. The Listing does not depend on it.
	Concurrency int
}

// Provider implements [poller.Provider] for GitHub. One goroutine at a time may
// call its methods; those that ask gh nothing may be called from any.
type Provider struct {
	Options
	gate  *gate
	links linkPatterns
	repos []*repository // in the order of the configuration
	owned map[string]*repository
	cycle int // Listing calls so far, the clock of standing conditions

	surveyor *Surveyor // nil for no surveys
	turns    turns
	hearing
}

// repository is what the provider remembers of one repository. While a walk
// runs only the goroutine that asks this repository touches it.
type repository struct {
	ref.Repo
	scope     string
	issuesOff standing // gh says that Issues are disabled
	renamed   standing // GitHub calls the repository something else now
	crowded   standing // it has too many pull requests to list them without a label
	checked   int      // cycle of the last identity check, 0 for never
	// unnamed is why the last identity check failed, where that failure is the
	// repository's: there is none of that name, or it may not be seen. Zero else.
	unnamed problem

	kept     *kept  // the last listing, nil when it cannot stand for another one
	spelling string // of the label, "" while it is not known
}

// standing is a condition that lasts until somebody acts; the zero value is
// its absence.
type standing struct {
	since int // cycle of the sighting or of its last renewal
	text  string
}

func (s standing) problem() problem { return problem{text: s.text} }

func (s standing) present() bool { return s.since != 0 }

// withheld reports whether the condition is too fresh to be asked about.
func (s standing) withheld(cycle, reprobe int) bool {
	return s.present() && cycle-s.since < reprobe
}

// New returns a provider that has asked nothing yet.
func New(o Options) *Provider {
	o.Concurrency = max(o.Concurrency, 1)
	p := &Provider{Options: o, owned: map[string]*repository{}, gate: &gate{o.Hosts, o.Client, o.GH}, links: newLinkPatterns(),
		turns: turns{owed: map[string]float64{}}}
	for _, repo := range o.Repos {
		r := &repository{Repo: repo, scope: repo.Scope()}
		p.repos = append(p.repos, r)
		p.owned[r.scope] = r
	}
	return p
}

// ScopeOf is the scope of a GitHub ref, "" for any other text.
func (p *Provider) ScopeOf(text string) string {
	item, err := ref.Parse(text)
	if err != nil {
		return ""
	}
	return item.Scope()
}

// Owns reports whether the ref belongs to a repository of this source.
func (p *Provider) Owns(ref string) bool { return p.owned[p.ScopeOf(ref)] != nil }

// Watches implements [poller.Provider].
func (p *Provider) Watches(item string, kind ref.Kind) (scope string, watched bool) {
	scope = p.ScopeOf(item)
	asks := kind == "" || kind == ref.Issue && p.Issues || kind == ref.PullRequest && p.PullRequests
	return scope, asks && p.owned[scope] != nil
}

// Scopes is how many repositories the source has.
func (p *Provider) Scopes() int { return len(p.repos) }

// Listing asks every repository, issues before pull requests, each failing
// alone. It is an error when there is nothing to ask or no gh to ask with;
// both are worth trying again in the next cycle.
func (p *Provider) Listing(ctx context.Context, step poller.Step) (poller.Listing, error) {
	if len(p.repos) == 0 {
		return poller.Listing{}, errors.New("no repositories are configured for this source")
	}
	p.cycle++ // also when there is no gh: it is a cycle of the source
	if err := p.Client.Resolve(); err != nil {
		return poller.Listing{}, &poller.CausedError{Err: err, Cause: poller.Cause(gh.CauseOf(err))}
	}
	p.gate.reopen()
	w := newWalk(p, step)
	w.survey(ctx)
	w.run(ctx)
	w.checkNames(ctx)
	w.keep()
	return w.listing(), nil
}

// ListWorkItems is the strict form of Listing: all items, or the first
// failure or skip as an error.
func (p *Provider) ListWorkItems(ctx context.Context) ([]poller.WorkItem, error) {
	l, err := p.Listing(ctx, nil)
	if err != nil {
		return nil, err
	}
	return poller.Strict(l)
}
