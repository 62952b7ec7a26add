package session

// UpdateKind is the subject of an update.
type UpdateKind string

// The kinds of update.
const (
	UpdateChecks   UpdateKind = "checks"   // every check has a result
	UpdateConflict UpdateKind = "conflict" // the head cannot be merged
	UpdateReview   UpdateKind = "review"   // the reviewers' decision has changed
	UpdateEnded    UpdateKind = "ended"    // the pull request was merged or closed
)

// InputUpdate is news of a pull request that has or feeds a session. Its kind decides
// which keys it has.
type InputUpdate struct {
	Kind UpdateKind `json:"kind"`
	// State is "failure" or "success" of checks, "merged" or "closed" of an end.
	State string `json:"state,omitempty"`
	// HeadSHA is the commit of the checks, the conflict or the review.
	HeadSHA string `json:"headSha,omitempty"`
	// Failing holds the failed checks, for a failure.
	Failing []FailingCheck `json:"failing,omitempty"`
	// Mergeable is "CONFLICTING", for a conflict.
	Mergeable string `json:"mergeable,omitempty"`
	// Decision is "APPROVED" or "CHANGES_REQUESTED", for a review.
	Decision string `json:"decision,omitempty"`
}

// FailingCheck is one failed check.
type FailingCheck struct {
	Name string `json:"name"`
	URL  string `json:"url"` // "" if GitHub knows none
}

// Followed holds the news of a pull request that its session has had, so that it gets
// each only once.
type Followed struct {
	// SessionRef is the ref of the item whose session it feeds, "" for its own.
	SessionRef string `json:"sessionRef,omitempty"`
	HeadSHA    string `json:"headSha,omitempty"`
	// Checks holds digests of the results sent for that head.
	Checks []string `json:"checks,omitempty"`
	// Conflict is set once the head's conflict was sent.
	Conflict bool   `json:"conflict,omitempty"`
	Decision string `json:"decision,omitempty"` // the last one, sent or not
	// Count distinguishes the updates of a pull request.
	Count int `json:"count,omitempty"`
	// Ended is set once the session has had news of the end.
	Ended bool `json:"ended,omitempty"`
}

// Digest returns a short name for a list of texts.
func Digest(parts ...string) string { return hashed(16, parts...) }
