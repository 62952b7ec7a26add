package poller

import (
	"reflect"
	"slices"
	"strconv"

	"the-loop/internal/session"
)

// CheckResult is the result of a pull request's check.
type CheckResult string

// The results.
const (
	CheckPassed  CheckResult = "passed"
	CheckFailed  CheckResult = "failed"
	CheckPending CheckResult = "pending"
)

// Check is one check of a pull request's head.
type Check struct {
	Name, URL string
	Result    CheckResult
}

// PullRequest is the state of a pull request.
type PullRequest struct {
	HeadSHA string
	Ending  Ending // StillOpen, EndedClosed or EndedMerged
	// Conflicting is set if the head is known to conflict with its base.
	Conflicting bool
	// Decision is the reviewers' decision in GitHub's spelling, "" if no review is
	// required.
	Decision string
	Checks   []Check
}

// The reviewers' decisions that sessions hear of.
const (
	decisionApproved         = "APPROVED"
	decisionChangesRequested = "CHANGES_REQUESTED"
	conflicting              = "CONFLICTING"
)

// digest changes whenever the pull request moves.
func (s PullRequest) digest() string {
	parts := []string{s.HeadSHA, string(s.Ending), strconv.FormatBool(s.Conflicting), s.Decision}
	for _, check := range s.Checks {
		parts = append(parts, check.Name, check.URL, string(check.Result))
	}
	return session.Digest(parts...)
}

// verdict sums up the checks. It returns nil while one is pending, and without any.
func (s PullRequest) verdict() *session.InputUpdate {
	if len(s.Checks) == 0 {
		return nil
	}
	update := &session.InputUpdate{Kind: session.UpdateChecks, State: "success", HeadSHA: s.HeadSHA}
	for _, check := range s.Checks {
		switch check.Result {
		case CheckPending:
			return nil
		case CheckFailed:
			update.State = "failure"
			update.Failing = append(update.Failing, session.FailingCheck{Name: check.Name, URL: check.URL})
		}
	}
	return update
}

// setOf is a short name for the set of failing checks. The addresses of their runs
// make no difference: a run that fails again is no news.
func setOf(update *session.InputUpdate) string {
	names := make([]string, len(update.Failing))
	for i, check := range update.Failing {
		names[i] = check.Name
	}
	slices.Sort(names)
	return session.Digest(append([]string{update.State}, slices.Compact(names)...)...)
}

// news returns what a session must hear about a pull request in state s. f holds what
// it was told before; news adds what it returns.
func news(f *session.Followed, s PullRequest) []session.InputUpdate {
	if s.Ending != StillOpen {
		if f.Ended || f.SessionRef == "" {
			return nil // the pull request's own session gets its close
		}
		f.Ended = true
		return []session.InputUpdate{{Kind: session.UpdateEnded, State: string(s.Ending), HeadSHA: s.HeadSHA}}
	}
	f.Ended = false
	if f.HeadSHA != s.HeadSHA {
		f.HeadSHA, f.Checks, f.Conflict = s.HeadSHA, nil, false
	}
	var list []session.InputUpdate
	if v := s.verdict(); v != nil && !slices.Contains(f.Checks, setOf(v)) {
		f.Checks = append(f.Checks, setOf(v))
		list = append(list, *v)
	}
	if s.Conflicting && !f.Conflict {
		f.Conflict = true
		list = append(list, session.InputUpdate{Kind: session.UpdateConflict, HeadSHA: s.HeadSHA, Mergeable: conflicting})
	}
	if f.Decision != s.Decision {
		f.Decision = s.Decision
		if s.Decision == decisionApproved || s.Decision == decisionChangesRequested {
			list = append(list, session.InputUpdate{Kind: session.UpdateReview, HeadSHA: s.HeadSHA, Decision: s.Decision})
		}
	}
	return list
}

// followedFor returns a copy of what the session of sessionRef was told, "" for the
// item's own. For a session that did not hear of it before that is nothing.
func followedFor(r *session.Record, sessionRef string) *session.Followed {
	f := session.Followed{SessionRef: sessionRef}
	switch {
	case r.Followed == nil:
	case r.Followed.SessionRef != sessionRef:
		f.Count = r.Followed.Count
	default:
		f = *r.Followed
		f.Checks = slices.Clone(f.Checks)
	}
	return &f
}

func changed(a, b *session.Followed) bool { return !reflect.DeepEqual(a, b) }

// updateKey distinguishes an update from all others of its session.
func updateKey(ref string, f *session.Followed, u session.InputUpdate) string {
	return session.Digest(ref, strconv.Itoa(f.Count), string(u.Kind), u.State, u.HeadSHA, u.Decision)
}
