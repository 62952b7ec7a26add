// Package runlock is the lock that lets one poller at a time own a state
// root, and the only proof that one is alive.
//
// It guarantees that at most one holder exists for a path, that the kernel
// frees the lock at any death, kill -9 included, and that the file is never
// renamed or removed, since a second file under the same name would be a
// second lock. The file holds the holder's pid, start time and pid namespace:
// only the lock says that a poller lives, and a pid may be signalled only when
// the kernel's table of locks, or else all three, prove that it is the holder's.
//
// The lock is flock(2), LockFileEx on Windows. It does not reach across
// machines on a network file system that keeps flock local.
//
// It imports internal/ownfile and nothing else of this project.
package runlock
