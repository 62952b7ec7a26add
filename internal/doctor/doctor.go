// Package doctor looks at everything that the daemon depends on and says, one
// [Finding] a check, what is well, what will not work as expected and what will
// not work at all, each of the latter two with what to do about it.
//
// It guarantees that
//
//   - nothing is changed: the only thing it writes is a folder of its own in the
//     state root, or in the folder in which that would be made, and it removes it
//     again;
//   - a check that fails costs that check only. What a failure makes pointless, as
//     asking for the repositories of a host without a login, is left out and said
//     so in one finding;
//   - everything is asked one after another, and the end of the context ends it;
//   - a finding is made of lines that are fit for a terminal, and holds no
//     credential: it says which variable holds a token, never the token.
//
// It may import gh, internal/config, internal/ownfile,
// internal/runlock, internal/safetext and status.
package doctor

import (
	"context"
	"time"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/safetext"
)

// Level is how grave a finding is.
type Level string

const (
	OK      Level = "ok"
	Warning Level = "warning" // it works, but not as the operator may believe
	Error   Level = "error"   // it does not work until it is mended
)

// Finding is what one check found. Its texts are one line each.
type Finding struct {
	// Check is the kind of check, of which there can be several: one a
	// repository, a host, a handler.
	Check string `json:"check"`
	// Subject is what was looked at: a repository, a host, "state root".
	Subject string `json:"subject"`
	OK      bool   `json:"ok"` // whether Level is [OK]
	Level   Level  `json:"level"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // what to do; "" when all is well
}

// GitHub is what is asked of a gh; [gh.Client] has it.
type GitHub interface {
	Path() (string, error)
	Version(ctx context.Context) (string, error)
	KnowsClosingReferences(ctx context.Context) (bool, error)
	Login(ctx context.Context, host string) (string, error)
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
	Inspect(ctx context.Context, r gh.Repo) (gh.Repository, error)
	HasLabel(ctx context.Context, r gh.Repo, label string) (bool, error)
	Issues(ctx context.Context, r gh.Repo, f gh.Filter) ([]gh.Issue, int, error)
	PullRequests(ctx context.Context, r gh.Repo, f gh.Filter) ([]gh.PullRequest, int, error)
	Survey(ctx context.Context, s gh.Survey) (gh.SurveyAnswer, error)
}

// Options say what is examined. Every function in it is required.
type Options struct {
	// Config is the configuration, nil when ConfigErr says why there is none.
	// What needs none is examined all the same.
	Config    *config.Config
	ConfigErr error
	// StateRoot is absolute; "" when StateRootErr says why it is not known.
	StateRoot    string
	StateRootErr error
	// All has every repository asked for and not a sample of them.
	All bool

	// Client makes the client of a source's gh.
	Client func(config.Source) GitHub
	// Records counts the records of a state root and returns an error for each
	// that cannot be read.
	Records func(root string) (int, []error)
	Getenv  func(string) string

	// Found is called with each finding, as soon as there is one.
	Found func(Finding)
	// Asking is called before a repository is asked for, the n-th of total ones.
	Asking func(repo string, n, total int)
}

// examination is one run of all checks.
type examination struct {
	Options
	plan  plan
	asked int // repositories that were asked for, or left out of those that are
	// spent is what the answers of the repositories took, all together.
	spent   time.Duration
	answers int
}

// Run makes all checks. Its error is the context's, when that ended before the
// checks did; the findings are then not all there are.
func Run(ctx context.Context, o Options) error {
	found := o.Found
	o.Found = func(f Finding) {
		if ctx.Err() == nil { // what an interrupted call says is no finding
			found(f)
		}
	}
	e := &examination{Options: o, plan: newPlan(o)}
	e.configuration()
	e.state()
	e.handlers()
	for _, p := range e.plan.programs {
		e.program(ctx, p)
	}
	e.listings(ctx)
	e.quota(ctx)
	e.cycleTime()
	e.environment()
	return ctx.Err()
}

func (e *examination) ok(check, subject, message string) {
	e.report(check, subject, OK, message, "")
}

func (e *examination) warn(check, subject, message, fix string) {
	e.report(check, subject, Warning, message, fix)
}

func (e *examination) fail(check, subject, message, fix string) {
	e.report(check, subject, Error, message, fix)
}

func (e *examination) report(check, subject string, level Level, message, fix string) {
	e.Found(Finding{
		Check: check, OK: level == OK, Level: level,
		Subject: safetext.Line(subject), Message: safetext.Line(message), Fix: safetext.Line(fix),
	})
}
