package session

// UpdateKind is what an update of a pull request is about.
type UpdateKind string

// The kinds of update.
const (
	UpdateChecks   UpdateKind = "checks"   // no check is pending any more
	UpdateConflict UpdateKind = "conflict" // the head cannot be merged
	UpdateReview   UpdateKind = "review"   // the reviewers' decision has changed
	UpdateEnded    UpdateKind = "ended"    // the pull request was merged or closed
)

// InputUpdate is news of a pull request that has or feeds a session. Which keys
// it has follows from its kind.
type InputUpdate struct {
	Kind UpdateKind `json:"kind"`
	// State is "failure" or "success" of checks, "merged" or "closed" of an end.
	State string `json:"state,omitempty"`
	// HeadSHA is the commit that checks, a conflict or a review are about.
	HeadSHA string `json:"headSha,omitempty"`
	// Failing are the checks that did not pass, for a failure.
	Failing []FailingCheck `json:"failing,omitempty"`
	// Mergeable is "CONFLICTING", for a conflict.
	Mergeable string `json:"mergeable,omitempty"`
	// Decision is "APPROVED" or "CHANGES_REQUESTED", for a review.
	Decision string `json:"decision,omitempty"`
}

// FailingCheck is one check that did not pass.
type FailingCheck struct {
	Name string `json:"name"`
	URL  string `json:"url"` // "" when GitHub knows none
}

// Followed is what sessions were told of a pull request, so that they are told once.
type Followed struct {
	// SessionRef is the ref of the item whose session it feeds, "" for its own.
	SessionRef string `json:"sessionRef,omitempty"`
	HeadSHA    string `json:"headSha,omitempty"`
	// Checks are the results that were told of that head, as digests.
	Checks []string `json:"checks,omitempty"`
	// Conflict is set once the head's conflict was told.
	Conflict bool   `json:"conflict,omitempty"`
	Decision string `json:"decision,omitempty"` // the last one, told or not
	// Count tells the updates of a pull request apart.
	Count int `json:"count,omitempty"`
	// Ended is set once the session has got word of the end.
	Ended bool `json:"ended,omitempty"`
}

// Digest is a short name for a list of texts.
func Digest(parts ...string) string { return hashed(16, parts...) }
