// Package dispatch runs the operator's handlers.
//
// The caller decides which delivery is made, when, and to whom. The
// [Dispatcher] queues deliveries by session, runs the first of each queue, and
// reports every result through Options.Done.
//
// # Guarantees
//
//   - Deliveries of one session run one after the other in the order of their
//     Submit, and a delivery that has to be tried again stays the first.
//   - At most MaxConcurrent handlers run at once. Repositories take turns, and a
//     repository whose handlers hang never holds the last slot.
//   - Submit never blocks. Done gets one result for each accepted delivery,
//     except for one that Done itself has asked to hold.
//   - Each handler has a deadline and a process group. The group is killed at
//     the deadline and after a stop; after Stop no goroutine is left.
//   - Only a failure of the handler itself spends an attempt: a shortage of the
//     system and a shutdown do not.
//   - A handler writes straight to its log, which stays near its limit.
//
// # Imports
//
// It may import internal/session, for the names and texts that a handler gets,
// internal/argvtemplate, internal/ownfile, internal/procgroup and
// internal/safetext. Package session never imports dispatch: records know
// nothing of processes.
package dispatch
