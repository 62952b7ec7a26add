package poller

import (
	"context"
	"errors"
	"time"

	"the-loop/internal/ref"
)

// Surface is the place of a comment on GitHub.
type Surface string

// The surfaces. An issue has only the first.
const (
	SurfaceConversation Surface = "conversation"
	SurfaceReview       Surface = "review"
	SurfaceInline       Surface = "inline"
)

// Comment is one comment on a work item, or one review of a pull request.
type Comment struct {
	// ID is the provider's unique id, never empty.
	ID          string
	Surface     Surface
	Author      string // "" for a deleted account; never authorized
	Body        string
	URL         string
	CreatedAt   time.Time
	Path        string // of an inline comment
	Line        int    // of an inline comment, 0 if unknown
	ReviewState string // of a review
	Minimized   bool   // hidden on GitHub, as off-topic, spam or resolved
}

// Ending is the state of a work item according to the item itself, not an index.
type Ending string

// The answers to the closure question. Gone is neither open nor closed: a deleted or
// moved item starts nothing and closes nothing.
const (
	StillOpen   Ending = "open"
	EndedClosed Ending = "closed"
	EndedMerged Ending = "merged"
	Gone        Ending = "gone"
)

// Answer is an item's answer to the closure question.
type Answer struct {
	Ending Ending
	// MovedTo is the new OWNER/REPO#N of a gone item, "" for a deleted one.
	MovedTo string
	// Unlabelled is set if the item lacks a label that the source requires.
	Unlabelled bool
	// Kind, Title, URL and Author describe an item that is not gone.
	Kind               ref.Kind
	Title, URL, Author string
}

// note describes a gone item for people, "" for any other answer.
func (a Answer) note() string {
	switch {
	case a.Ending != Gone:
		return ""
	case a.MovedTo == "":
		return "deleted"
	}
	return "moved to " + a.MovedTo
}

// ErrPutOff marks a question that was not asked or answered because its host must
// rest. It is no error of the item; the next cycle asks again.
var ErrPutOff = errors.New("put off")

// PutOffError is an ErrPutOff with its reason.
type PutOffError struct {
	Reason string
	// Limit is set if this very call hit the host's rate limit.
	Limit *HostLimit
}

// Error returns the reason, one line that is safe to print.
func (e *PutOffError) Error() string { return e.Reason }

// Is makes every PutOffError an ErrPutOff.
func (e *PutOffError) Is(target error) bool { return target == ErrPutOff }

// Talker is the part of a provider that asks about single items. Its errors are one
// line each. An ErrPutOff means that the host was not asked.
type Talker interface {
	// Comments returns all comments of the item, from every surface and page, oldest
	// first. It fails rather than return a part of them.
	Comments(ctx context.Context, item WorkItem) ([]Comment, error)
	// Ended asks the closure question: whether the item of ref has ended. An unclear
	// answer is an error.
	Ended(ctx context.Context, ref string) (Answer, error)
	// PullRequest asks for a pull request's checks, conflicts and reviews. An unclear
	// answer is an error.
	PullRequest(ctx context.Context, item WorkItem) (PullRequest, error)
	// Login returns the account that the provider uses on a host: the meaning of "@me".
	Login(ctx context.Context, host string) (string, error)
	// SameLogin reports whether two logins name one account.
	SameLogin(a, b string) bool
}
