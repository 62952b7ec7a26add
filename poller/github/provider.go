package github

import (
	"context"
	"errors"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// client is the part of gh that the provider uses; *gh.Client implements it.
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

// Options configure one source.
type Options struct {
	Client client
	// GH is the name or path of the client's gh. Sources with the same gh share its
	// login on each host.
	GH string
	// Hosts is shared by the sources of one daemon, because they share a login's quota.
	Hosts *Hosts
	Repos []ref.Repo
	// Labels must all be present on an item. None means every open item.
	Labels       []string
	Issues       bool // ask for issues
	PullRequests bool // ask for pull requests
	// Limit is the maximum number of items in one listing.
	Limit int
	// ReprobeCycles is the number of Listing calls from one probe of a permanent
	// condition to the next.
	ReprobeCycles int
	// Concurrency is the number of repositories asked at once. The Listing does not
	// depend on it.
	Concurrency int
}

// Provider implements [poller.Provider] for GitHub. Methods that ask gh may be called
// from one goroutine at a time, the others from any.
type Provider struct {
	Options
	gate  *gate
	links linkPatterns
	repos []*repository // in the order of the configuration
	owned map[string]*repository
	cycle int // Listing calls so far: the clock of permanent conditions

	surveyor *Surveyor // nil for no surveys
	turns    turns
	hearing
}

// repository is the memory of one repository. During a walk only the goroutine that
// asks this repository uses it.
type repository struct {
	ref.Repo
	scope     string
	issuesOff standing // gh says that Issues are disabled
	renamed   standing // GitHub knows the repository by another name
	crowded   standing // it has too many pull requests to list them without a label
	checked   int      // cycle of the last identity check, 0 for never
	// unnamed is the failure of the last identity check, if it concerns the repository:
	// it does not exist or may not be seen.
	unnamed problem

	kept     *kept  // the last listing, nil if it cannot stand for another one
	spelling string // the label as the repository spells it, "" if unknown
}

// standing is a condition that lasts until a person acts. The zero value is its
// absence.
type standing struct {
	since int // cycle of the first sighting or of the last renewal
	text  string
}

func (s standing) problem() problem { return problem{text: s.text} }

func (s standing) present() bool { return s.since != 0 }

// withheld reports whether the condition is too recent to be probed.
func (s standing) withheld(cycle, reprobe int) bool {
	return s.present() && cycle-s.since < reprobe
}

// New returns a provider for one source.
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

// ScopeOf returns the scope of a GitHub ref, "" for any other text.
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

// Scopes returns the number of repositories in the source.
func (p *Provider) Scopes() int { return len(p.repos) }

// Listing asks every repository, issues before pull requests, each failing alone. It
// returns an error if there is no repository or no gh; call it again in the next cycle.
func (p *Provider) Listing(ctx context.Context, step poller.Step) (poller.Listing, error) {
	if len(p.repos) == 0 {
		return poller.Listing{}, errors.New("no repositories are configured for this source")
	}
	p.cycle++ // even without a gh: it is a cycle of the source
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
