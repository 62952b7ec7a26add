package poller

import (
	"context"
	"errors"
	"time"
)

// Surface is where a comment was written.
type Surface string

// The surfaces; an issue has the first alone.
const (
	SurfaceConversation Surface = "conversation"
	SurfaceReview       Surface = "review"
	SurfaceInline       Surface = "inline"
)

// Comment is one thing that somebody said on a work item.
type Comment struct {
	// ID is the provider's own, never empty and never another comment's.
	ID          string
	Surface     Surface
	Author      string // "" for a deleted account, which is nobody
	Body        string
	URL         string
	CreatedAt   time.Time
	Path        string // of an inline comment
	Line        int    // of an inline comment, 0 when not known
	ReviewState string // of a review
	Minimized   bool   // hidden on GitHub, as off-topic, spam or resolved
}

// Ending is how a work item stands, as the item itself says.
type Ending string

// The answers to the closure question. Gone is neither open nor closed: the item
// was deleted or moved, which starts nothing and closes nothing.
const (
	StillOpen   Ending = "open"
	EndedClosed Ending = "closed"
	EndedMerged Ending = "merged"
	Gone        Ending = "gone"
)

// Answer is an item's answer to the closure question.
type Answer struct {
	Ending Ending
	// MovedTo is the OWNER/REPO#N that a gone item has become, "" when it was
	// deleted.
	MovedTo string
	// Unlabelled is set when the item says that it lacks a label of the source.
	Unlabelled bool
	// Kind, Title, URL and Author describe an item that is not gone.
	Kind               Kind
	Title, URL, Author string
}

// note is the word of a gone item that people read, "" for any other answer.
func (a Answer) note() string {
	switch {
	case a.Ending != Gone:
		return ""
	case a.MovedTo == "":
		return "deleted"
	}
	return "moved to " + a.MovedTo
}

// ErrPutOff marks what was not asked, or not answered, because its host must
// not be asked now. It is no error of the item: the next cycle tries again.
var ErrPutOff = errors.New("put off")

// PutOffError is an ErrPutOff with its reason.
type PutOffError struct {
	Reason string
	// Limit is set when this very call met the host's rate limit.
	Limit *HostLimit
}

// Error is the reason, one line fit to be shown.
func (e *PutOffError) Error() string { return e.Reason }

// Is makes every PutOffError an ErrPutOff.
func (e *PutOffError) Is(target error) bool { return target == ErrPutOff }

// Talker is the part of a provider that knows more of an item than a listing
// tells. Its errors are one line each; one that is an ErrPutOff means that the
// host was left alone.
type Talker interface {
	// Comments are all comments of the item on every surface, each to its
	// last page, the oldest first. A part of them is an error.
	Comments(ctx context.Context, item WorkItem) ([]Comment, error)
	// Ended asks the item of ref whether it has ended: the closure question.
	// Anything but a clear answer is an error.
	Ended(ctx context.Context, ref string) (Answer, error)
	// PullRequest asks how a pull request stands: its checks, conflicts and
	// reviews. Anything but a clear answer is an error.
	PullRequest(ctx context.Context, item WorkItem) (PullRequest, error)
	// Login is whom the provider asks as on a host, which is what "@me" means.
	Login(ctx context.Context, host string) (string, error)
	// SameLogin reports whether two logins name one account.
	SameLogin(a, b string) bool
	// Watches reports whether the source asks for items of that kind.
	Watches(kind Kind) bool
}
