// Package doctor checks everything that the daemon depends on. Each check makes one
// [Finding]: it works, it works but not as expected, or it does not work. The last two
// say what to do.
//
// It guarantees that
//
//   - it changes nothing. The only thing it writes is a folder of its own, in the
//     state root or in the folder where that would be created, and it removes it;
//   - a failing check costs only itself. Questions that a failure makes pointless,
//     such as those about a host without a login, are left out, and one finding says
//     so;
//   - it asks one question after another, and stops when the context ends;
//   - the texts of a finding are safe for a terminal and hold no credential: they
//     name the variable of a token, never the token.
//
// It may import gh, internal/config, internal/counted, internal/ownfile,
// internal/ref, internal/runlock, internal/safetext, internal/timetext, poller and
// status.
package doctor

import (
	"context"
	"time"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// Level is how serious a finding is.
type Level string

const (
	OK      Level = "ok"
	Warning Level = "warning" // it works, but maybe not as the operator expects
	Error   Level = "error"   // it does not work until it is fixed
)

// Finding is the result of one check. Its texts are one line each.
type Finding struct {
	// Check is the kind of check. A kind can occur many times: for each repository,
	// host or handler.
	Check string `json:"check"`
	// Subject is the thing that was checked: a repository, a host, "state root".
	Subject string `json:"subject"`
	OK      bool   `json:"ok"` // whether Level is [OK]
	Level   Level  `json:"level"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // what to do; "" for OK
}

// GitHub is the part of [gh.Client] that doctor uses.
type GitHub interface {
	Path() (string, error)
	Version(ctx context.Context) (string, error)
	KnowsClosingReferences(ctx context.Context) (bool, error)
	Login(ctx context.Context, host string) (string, error)
	RateLimit(ctx context.Context, host string) (gh.RateLimits, error)
	Inspect(ctx context.Context, r ref.Repo) (gh.Repository, error)
	HasLabel(ctx context.Context, r ref.Repo, label string) (bool, error)
	Issues(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.Issue, int, error)
	PullRequests(ctx context.Context, r ref.Repo, f gh.Filter) ([]gh.PullRequest, int, error)
	Survey(ctx context.Context, s gh.Survey) (gh.SurveyAnswer, error)
}

// Options are the subjects of an examination. Every function is required.
type Options struct {
	// Config is the configuration, nil if ConfigErr says why there is none. Checks
	// that need no configuration run in either case.
	Config    *config.Config
	ConfigErr error
	// StateRoot is absolute, "" if StateRootErr says why it is unknown.
	StateRoot    string
	StateRootErr error
	// All checks every repository and source instead of a sample.
	All bool

	// Client returns a client for the gh of a source.
	Client func(config.Source) GitHub
	// Records returns the number of readable records of a state root and an error for
	// each other one.
	Records func(root string) (int, []error)
	Getenv  func(string) string

	// Found is called with each finding at once.
	Found func(Finding)
	// Asking is called before repository n of total is checked.
	Asking func(repo string, n, total int)
}

// examination is one run of all checks.
type examination struct {
	Options
	plan  plan
	asked int // repositories of the sample that were checked or left out
	// spent is how long all answers about repositories took together.
	spent   time.Duration
	answers int
}

// Run makes all checks. It returns the error of the context if that ends first; the
// findings are then incomplete.
func Run(ctx context.Context, o Options) error {
	found := o.Found
	o.Found = func(f Finding) {
		if ctx.Err() == nil { // an interrupted call proves nothing
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
