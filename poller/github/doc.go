// Package github is the GitHub provider. It walks the repositories of one source over
// a gh client and reports for each repository whether it answered, failed or was not
// asked.
//
// It guarantees that one repository's failure costs only that repository. A permanent
// condition (Issues disabled, a renamed repository) is reported once and probed again
// after a fixed number of cycles. A host whose rate limit is used up, or on which gh
// has no login, is left alone. Where GitHub is known to answer with an empty list for
// another reason, an empty answer is not taken for an empty repository.
//
// It may import gh, poller, internal/prose, internal/ref and internal/timetext. All its
// state is in memory: a restart or a reload starts fresh, which is when people expect
// the facts to be checked again.
package github
