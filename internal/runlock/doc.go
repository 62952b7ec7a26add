// Package runlock is the lock that lets one poller at a time own a state
// root, and the only proof that one is alive.
//
// It guarantees that at most one holder exists for a path, that the kernel
// frees the lock at any death, kill -9 included, and that the file is never
// renamed or removed, since a second file under the same name would be a
// second lock. The file holds the holder's pid for people and for the stop
// command: the number says whom to signal, but only the lock says that
// somebody lives.
//
// The lock is flock(2), LockFileEx on Windows. It does not reach across
// machines on a network file system that keeps flock local.
//
// It imports nothing of this project.
package runlock
