package poller

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Kind tells issues and pull requests apart.
type Kind string

// The kinds of work item, spelled as handlers and records spell them.
const (
	KindIssue       Kind = "issue"
	KindPullRequest Kind = "pull-request"
)

// WorkItem is one open issue or pull request, as its provider listed it.
type WorkItem struct {
	// Ref names the item for ever: "github:[host/]owner/repo#N" in lower case.
	Ref string
	// Scope is what the item's listing failed or answered with: "[host/]owner/repo".
	Scope  string
	Kind   Kind
	Host   string // always written, "github.com" too
	Owner  string
	Repo   string
	Number int

	Title  string
	URL    string
	Author string // "" for a deleted account, which is nobody
	Labels []string
	// UpdatedAt changes whenever the item or its conversation does; zero when
	// the provider was not told.
	UpdatedAt time.Time

	// HeadRef, Body and Draft are a pull request's own; an issue's are zero.
	HeadRef string
	Body    string
	Draft   bool
	// Linked holds the refs of the items this one works on, the most telling
	// first and the item itself last.
	Linked []string
	// Unlabelled marks a pull request that lacks the source's labels and is listed
	// for the live session that it links to. It starts nothing.
	Unlabelled bool
}

// ScopeFailure says what could not be seen of one scope, and why.
type ScopeFailure struct {
	Scope string
	// Error is one line, fit to be shown.
	Error string
	// Permanent marks a standing condition that lasts until somebody acts.
	Permanent bool
	// Cause is why, where the provider knows it.
	Cause Cause
}

// Cause is a known reason for a failure, spelled as the heartbeat has it: hints
// follow it, and never the text. "" is none.
type Cause string

// The causes. What a provider asks with is its own program, gh for GitHub.
const (
	CauseNoLogin   Cause = "no-login"
	CauseRateLimit Cause = "rate-limit"
	CauseNoGH      Cause = "no-gh"
	CauseOldGH     Cause = "old-gh"
	CauseSSO       Cause = "sso"
	CauseNoNetwork Cause = "no-network"
)

// CausedError is a whole source's failure with its cause.
type CausedError struct {
	Err   error
	Cause Cause
}

// Error is the text of what it wraps.
func (e *CausedError) Error() string { return e.Err.Error() }

// Unwrap returns what it wraps.
func (e *CausedError) Unwrap() error { return e.Err }

func causeOf(err error) Cause {
	if e, ok := errors.AsType[*CausedError](err); ok {
		return e.Cause
	}
	return ""
}

// HostLimit is a host that must not be asked before a time.
type HostLimit struct {
	Host  string
	Until time.Time
}

// SurveyFailure is a host whose survey failed. It fails no scope: what a survey
// cannot tell is listed.
type SurveyFailure struct {
	Host         string
	Error        string
	Repositories int // that are listed instead
}

// SurveyFailing is a host that is listed in full because its surveys fail.
type SurveyFailing struct {
	Host  string
	Since time.Time
	Error string // of the last one
}

// Listing is what one ask of a source returned. A scope can be both polled
// and failed, when one of its two listings answered.
type Listing struct {
	Items []WorkItem
	// Failures are what was asked for in this cycle in vain.
	Failures []ScopeFailure
	// Skipped are what was not asked for in this cycle, and why.
	Skipped []ScopeFailure
	// Recovered are the scopes that a re-probe brought back.
	Recovered []string
	// Polled are the scopes that answered, fully or partly.
	Polled []string
	// Unchanged are the polled scopes that were not listed again because a survey
	// proved that their last listing still holds.
	Unchanged []string
	// SurveyCalls is how many calls the surveys took.
	SurveyCalls int
	// SurveyFailures are the hosts whose surveys began to fail.
	SurveyFailures []SurveyFailure
	// SurveyRecovered are the hosts whose surveys answer again.
	SurveyRecovered []string
	// SurveyFailing are the hosts whose surveys fail, told in each listing.
	SurveyFailing []SurveyFailing
	// Heard are the scopes whose pull requests were listed in full, with and without
	// the source's labels; Unheard those that have too many for that.
	Heard, Unheard []string
	// Limited are the hosts whose rate limit this listing met first.
	Limited []HostLimit
	// Interrupted is set when the context ended before the walk did.
	Interrupted bool
}

// Degraded is the set of scopes that failed or were skipped: nothing may be
// concluded from what is absent from them.
func (l Listing) Degraded() map[string]bool {
	set := make(map[string]bool, len(l.Failures)+len(l.Skipped))
	for _, list := range [][]ScopeFailure{l.Failures, l.Skipped} {
		for _, f := range list {
			set[f.Scope] = true
		}
	}
	return set
}

// Step reports how far a listing has come: done of total scopes, and the
// scope that is being asked now. It is called from the goroutine that called
// Listing or from one that Listing waits for, one call at a time.
type Step func(done, total int, scope string)

// Provider is a source that knows scopes.
type Provider interface {
	// Scopes is how many scopes a Listing asks.
	Scopes() int
	// Hear names the items that have a live session, by ref, for the Listings to
	// come: pull requests that link to one are listed without the source's labels,
	// too. The provider keeps the map.
	Hear(live map[string]Kind)
	// Listing asks every scope. An error means that the source could not be
	// asked at all; a scope's failure is in the Listing. step may be nil.
	Listing(ctx context.Context, step Step) (Listing, error)
	// ScopeOf is the scope of a ref, "" for a ref of another provider.
	ScopeOf(ref string) string
	// Owns reports whether the ref's scope is one that this source asks.
	Owns(ref string) bool
	Talker
}

// Unscoped is a source that answers all or nothing.
type Unscoped interface {
	ListWorkItems(ctx context.Context) ([]WorkItem, error)
	Owns(ref string) bool
	Talker
}

// FromUnscoped makes a Provider of a source that knows no scopes: its error
// is the whole source's failure and it has no scope to name.
func FromUnscoped(u Unscoped) Provider { return unscoped{u} }

type unscoped struct{ Unscoped }

func (u unscoped) Listing(ctx context.Context, _ Step) (Listing, error) {
	items, err := u.ListWorkItems(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return Listing{Interrupted: true}, nil
		}
		return Listing{}, err
	}
	return Listing{Items: items, Interrupted: ctx.Err() != nil}, nil
}

func (unscoped) Hear(map[string]Kind) {}

func (unscoped) ScopeOf(string) string { return "" }

func (unscoped) Scopes() int { return 1 }

// Strict turns a listing into the all-or-nothing form: its items, or the
// first failure or skip as an error that begins with the scope.
func Strict(l Listing) ([]WorkItem, error) {
	for _, list := range [][]ScopeFailure{l.Failures, l.Skipped} {
		if len(list) > 0 {
			return nil, fmt.Errorf("%s: %s", list[0].Scope, list[0].Error)
		}
	}
	if l.Interrupted {
		return nil, errors.New("the listing was interrupted")
	}
	return l.Items, nil
}
