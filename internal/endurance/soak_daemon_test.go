//go:build unix

package endurance_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/heartbeat"
	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
	"the-loop/poller"
	"the-loop/poller/github"
)

// soakDaemon holds the parts of a running poller.
type soakDaemon struct {
	t        *testing.T
	root     string
	town     *town
	client   source
	handler  argvtemplate.Template
	events   *eventlog.Log
	beat     *heartbeat.Recorder
	store    *session.Store
	poller   *poller.Poller
	dispatch *dispatch.Dispatcher
	hosts    *github.Hosts
	cycles   int
	// surveys counts the survey calls, unchanged the repository listings that they
	// saved.
	surveys, unchanged int
}

// source is a gh, real or not.
type source interface {
	Resolve() error
	Issues(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error)
	PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error)
	PullRequestPoints() int
	Repository(ctx context.Context, r ref.Repo) (gh.Repository, error)
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
	Survey(ctx context.Context, s gh.Survey) (gh.SurveyAnswer, error)
	IssueComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error)
	PullRequestComments(ctx context.Context, r ref.Repo, n int) ([]gh.Comment, error)
	Reviews(ctx context.Context, r ref.Repo, n int) ([]gh.Review, error)
	ReviewComments(ctx context.Context, r ref.Repo, n int) ([]gh.ReviewComment, error)
	PullRequest(ctx context.Context, r ref.Repo, n int) (gh.PullRequestState, error)
	IssueState(ctx context.Context, r ref.Repo, n int) (gh.IssueState, error)
	Login(ctx context.Context, host string) (string, error)
}

// startSoak assembles a daemon. With an empty handler deliveries succeed at once.
func startSoak(t *testing.T, town *town, c source, handler argvtemplate.Template) *soakDaemon {
	t.Helper()
	d := &soakDaemon{t: t, root: t.TempDir(), town: town, client: c, handler: handler, hosts: github.NewHosts()}
	d.events = eventlog.Open(eventlog.Options{Path: filepath.Join(d.root, "events.jsonl"), MaxSizeMB: 1, MaxBackups: 2})
	d.beat = heartbeat.New(heartbeat.Options{Path: filepath.Join(d.root, heartbeat.FileName), Interval: time.Minute})
	d.check(d.beat.Start())
	var err error
	d.store, err = session.Open(d.root, session.Options{})
	d.check(err)
	d.poller = poller.New(poller.Options{
		Log: slog.New(slog.DiscardHandler), Events: d.events, Store: d.store, Program: "soak",
	})
	d.dispatch = dispatch.New(dispatch.Options{
		StateRoot: d.root, Done: d.poller.Settle, Queued: d.poller.Queued,
	})
	d.poller.SetDispatcher(d.dispatch)
	d.reload()
	return d
}

func (d *soakDaemon) check(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// reload acts as a changed configuration: new sources and routing.
func (d *soakDaemon) reload() {
	var repos []ref.Repo
	for _, name := range d.town.world.Repos {
		r, err := ref.ParseRepo(name, "")
		d.check(err)
		repos = append(repos, r)
	}
	const reprobe = 20
	p := github.New(github.Options{
		Client: d.client, Hosts: d.hosts, Repos: repos, Labels: []string{"the-loop"},
		Issues: true, PullRequests: true, Limit: 1000, ReprobeCycles: reprobe, Concurrency: 4,
	})
	github.NewSurveyor(d.hosts, github.SurveyOptions{Mode: github.SurveyAlways, Interval: time.Minute}, []*github.Provider{p})
	d.poller.SetSources([]poller.Source{{Name: "github", Provider: p, ReprobeCycles: reprobe}})
	d.poller.SetRouting(poller.Routing{
		AuthorizedUsers: []string{"@me"}, MaxRetries: 3,
		Spawn: d.handler, Comment: d.handler, Close: d.handler,
	})
}

// cycle runs one cycle of the daemon and of the town.
func (d *soakDaemon) cycle() {
	d.cycles++
	d.check(d.town.live(d.cycles))
	if d.cycles%100 == 0 {
		d.reload()
	}
	d.beat.CycleStarted(d.poller.Scopes())
	sum := d.poller.Cycle(d.t.Context(), d.beat.Step)
	d.hosts.CycleDone()
	d.beat.CycleDone(sum)
	d.surveys += sum.SurveyCalls
	d.unchanged += sum.ScopesUnchanged
}

// settle waits until no delivery is in flight.
func (d *soakDaemon) settle() { d.check(d.dispatch.Wait(d.t.Context())) }

func (d *soakDaemon) close() {
	d.dispatch.Stop(context.Background())
	d.check(d.store.Flush())
	d.check(d.events.Close())
}
