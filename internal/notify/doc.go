// Package notify runs a command of the operator's for changes that a person should
// know: a repository that stays degraded and its recovery, a lost login, a given-up
// delivery, a lost session, a failed reload, a stretched pace.
//
// A [Watcher] compares states and returns one notice for each change. A [Notifier]
// runs the command for one notice at a time, with the notice as JSON on standard
// input. It retries a failed run once and then drops the notice: notices must never
// hold up the daemon.
//
// It may import internal/argvtemplate, internal/counted, internal/procgroup and internal/safetext.
package notify
