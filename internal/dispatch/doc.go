// Package dispatch runs the operator's handlers.
//
// The caller decides what to deliver, when and to which session. The [Dispatcher]
// queues deliveries by session, runs the first of each queue, and reports every
// result through Options.Done.
//
// # Guarantees
//
//   - Deliveries of one session run one at a time, in the order of their Submit. A
//     delivery that must be retried stays first.
//   - At most MaxConcurrent handlers run at once. Repositories take turns, and a
//     repository whose handlers hang never holds the last slot.
//   - Submit never blocks. Done gets one result for each run of an accepted delivery
//     and one for each that is dropped. After Stop a delivery that Done asked to
//     hold gets no further one.
//   - Each handler has a deadline and a process group. The group is killed at
//     the deadline and after a stop; after Stop no goroutine is left.
//   - Only a failure of the handler itself spends an attempt. A shortage of system
//     resources or a shutdown does not.
//   - A handler writes directly to its log, whose size stays near its limit.
//
// # Imports
//
// It may import internal/session, for the names and texts passed to handlers,
// internal/argvtemplate, internal/ownfile, internal/procgroup,
// internal/safetext and internal/timetext. Package session never imports dispatch: records know
// nothing of processes.
package dispatch
