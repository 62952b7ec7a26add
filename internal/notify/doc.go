// Package notify tells a command of the operator's what a person should know:
// a repository that stays degraded and its recovery, a lost login, a delivery that
// was given up, a configuration that could not be reloaded, a stretched pace.
//
// A [Watcher] turns what is seen into notices, each change once. A [Notifier] runs
// the command for one notice at a time, with the notice as JSON on standard input.
// A run that fails is tried once more and then dropped: a notice must never hold
// up the daemon.
//
// It may import internal/argvtemplate, internal/counted, internal/procgroup and internal/safetext.
package notify
