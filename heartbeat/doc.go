// Package heartbeat reads and writes poll-status.json, the poller's report of its
// last cycle. The poller writes it before the first cycle, after every cycle and
// every two seconds during a long one; status reads it.
//
// The file holds no pid and does not prove that a poller is alive: only the lock
// does. Each write replaces the whole file, so a reader sees the old content or the
// new, never a part, even after a crash or on a full disk. A failed write leaves no
// temporary file behind. Reading is lenient: a key that is missing, null or of the
// wrong type counts as zero, and unknown keys are kept for callers that pass the
// file on.
//
// It imports poller, internal/atomicfile, internal/ownfile, internal/safetext and
// internal/timetext.
package heartbeat
