package poller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"the-loop/internal/ref"
)

// WorkItem is one open issue or pull request of a listing.
type WorkItem struct {
	// Ref is the item's permanent name: "github:[host/]owner/repo#N" in lower case.
	Ref string
	// Scope is the scope of the item's listing: "[host/]owner/repo".
	Scope string
	Kind  ref.Kind
	ref.Item

	Title  string
	URL    string
	Author string // "" for a deleted account; never authorized
	Labels []string
	// UpdatedAt changes with the item and its conversation; zero if unknown.
	UpdatedAt time.Time

	// HeadRef, Body and Draft are set for pull requests only.
	HeadRef string
	Body    string
	Draft   bool
	// Linked holds the refs of the items on which this one works, the strongest link
	// first and the item itself last.
	Linked []string
	// Unlabelled marks a pull request that lacks the source's labels. It is listed
	// because it links to a live session, and starts none itself.
	Unlabelled bool
}

// ScopeFailure is a scope, or a part of it, that could not be seen, and the reason.
type ScopeFailure struct {
	Scope string
	// Error is one line that is safe to print.
	Error string
	// Permanent marks a condition that lasts until a person acts.
	Permanent bool
	// Cause is the reason, if the provider knows it.
	Cause Cause
}

// Cause is a known reason for a failure, spelled as in the heartbeat, "" for none.
// Hints depend on the cause, never on the error's text.
type Cause string

// The causes.
const (
	CauseNoLogin   Cause = "no-login"
	CauseRateLimit Cause = "rate-limit"
	CauseNoGH      Cause = "no-gh"
	CauseOldGH     Cause = "old-gh"
	CauseGHConfig  Cause = "gh-config"
	CauseSSO       Cause = "sso"
	CauseNoNetwork Cause = "no-network"
)

// CausedError is the failure of a whole source with its cause.
type CausedError struct {
	Err   error
	Cause Cause
}

// Error returns the text of the wrapped error.
func (e *CausedError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *CausedError) Unwrap() error { return e.Err }

func causeOf(err error) Cause {
	if e, ok := errors.AsType[*CausedError](err); ok {
		return e.Cause
	}
	return ""
}

// HostLimit is a host that must not be asked until a given time.
type HostLimit struct {
	Host  string
	Until time.Time
}

// SurveyFailure is a host whose survey failed. No scope fails with it: repositories
// that a survey does not prove unchanged are listed.
type SurveyFailure struct {
	Host         string
	Error        string
	Repositories int // number of those listed instead
}

// SurveyFailing is a host that is listed in full because its surveys fail.
type SurveyFailing struct {
	Host  string
	Since time.Time
	Error string // of the last survey
}

// Listing is the result of asking a source once. A scope can be both polled and
// failed, if only one of its two listings answered.
type Listing struct {
	Items []WorkItem
	// Failures holds what was asked for and not answered.
	Failures []ScopeFailure
	// Skipped holds what was not asked for, with the reasons.
	Skipped []ScopeFailure
	// Recovered holds scopes whose permanent condition has ended.
	Recovered []string
	// Polled holds scopes that answered, fully or partly.
	Polled []string
	// Unchanged holds polled scopes that were not listed again, because a survey
	// proved that their last listing still holds.
	Unchanged []string
	// SurveyCalls counts the calls of the surveys.
	SurveyCalls int
	// SurveyFailures holds hosts whose surveys began to fail in this listing.
	SurveyFailures []SurveyFailure
	// SurveyRecovered holds hosts whose surveys answer again.
	SurveyRecovered []string
	// SurveyFailing holds hosts whose surveys fail, in each listing anew.
	SurveyFailing []SurveyFailing
	// Heard holds scopes whose pull requests were all listed, with and without the
	// source's labels; Unheard those that have too many for that.
	Heard, Unheard []string
	// Limited holds hosts whose rate limit this listing was the first to meet.
	Limited []HostLimit
	// Interrupted is set if the context ended before the listing was complete.
	Interrupted bool
}

// Degraded is the set of scopes that failed or were skipped. Absence from them proves
// nothing.
func (l Listing) Degraded() map[string]bool {
	set := make(map[string]bool, len(l.Failures)+len(l.Skipped))
	for _, list := range [][]ScopeFailure{l.Failures, l.Skipped} {
		for _, f := range list {
			set[f.Scope] = true
		}
	}
	return set
}

// Step reports the progress of a listing: done of total scopes, and the scope being
// asked. It is called on the goroutine that called Listing or on one that Listing
// waits for, never concurrently.
type Step func(done, total int, scope string)

// Provider is a source that knows scopes.
type Provider interface {
	// Scopes returns the number of scopes in a Listing.
	Scopes() int
	// Hear names the items with a live session, by ref, for the following Listings:
	// these also hold pull requests without the source's labels that link to one of
	// them. The provider keeps the map.
	Hear(live map[string]ref.Kind)
	// Listing asks every scope. An error means that the source could not be asked at
	// all; failures of scopes are in the Listing. step may be nil.
	Listing(ctx context.Context, step Step) (Listing, error)
	// Watches returns the scope of an item, by ref, and whether this source asks for
	// that scope and for items of that kind. The scope is "" for a ref of another
	// provider and for a source without scopes. The empty kind stands for any: a
	// record that was recovered from damage has none.
	Watches(item string, kind ref.Kind) (scope string, watched bool)
	Talker
}

// Unscoped is a source without scopes: it answers all or nothing.
type Unscoped interface {
	ListWorkItems(ctx context.Context) ([]WorkItem, error)
	// Owns reports whether the source asks for the item of the ref.
	Owns(ref string) bool
	Talker
}

// FromUnscoped adapts a source without scopes to Provider. Its error is the failure
// of the whole source.
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

func (unscoped) Hear(map[string]ref.Kind) {}

func (u unscoped) Watches(item string, _ ref.Kind) (scope string, watched bool) {
	return "", u.Owns(item)
}

func (unscoped) Scopes() int { return 1 }

// Strict turns a listing into all or nothing: its items, or its first failure or skip
// as an error that begins with the scope.
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
