// Package github is the GitHub provider: it walks the repositories of one
// source over a gh client and tells, repository by repository, what answered,
// what failed and what was not asked.
//
// It guarantees that one repository's failure costs that repository only;
// that a standing condition (Issues disabled, a renamed repository) is
// reported once and asked about again after a fixed number of cycles; that a
// host whose rate limit is used up, or to which gh is not logged in, is left
// alone; and that no empty answer is taken for an empty repository where
// GitHub is known to give one for something else.
//
// It may import gh, poller, internal/prose, internal/ref and internal/timetext. All its state is in
// memory: a restart or a reload starts fresh, just when people expect the facts to be
// looked at again.
package github
