// Package runlock lets only one poller at a time own a state root. Its lock is also
// the only proof that a poller is alive.
//
// It guarantees that a path has at most one holder, and that the kernel frees the
// lock at any death, kill -9 included. The file is never renamed or removed: a second
// file of the same name would be a second lock. It holds the pid, start time and pid
// namespace of its holder. A pid may be signalled only if the kernel's table of
// locks, or else all three of these, prove that it is the holder's.
//
// The lock is flock(2), LockFileEx on Windows. It does not reach across
// machines on a network file system that keeps flock local.
//
// It imports internal/ownfile and nothing else of this project.
package runlock
