// Package daemon runs the poller for months. It connects the poller to its sources and
// its handlers, and maintains their surroundings: the lock of the state root, the
// heartbeat, the pace of the cycles, a changed configuration, the service manager and
// the log.
//
// It guarantees:
//   - One daemon per state root. A daemon that finds another one in its place
//     gives way and leaves the records alone.
//   - The first SIGINT or SIGTERM ends the run in good order, the second kills
//     the handlers, the third ends the wait for them. No full pipe, stuck
//     service manager or hanging call of gh delays the answer to a signal.
//   - A configuration with faults never replaces a valid one.
//   - When [Run] returns nil, no goroutine and no handler of the daemon is left.
//
// It may import every package but internal/command and the library of the
// command line: it knows neither flags nor exit codes.
package daemon
