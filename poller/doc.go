// Package poller is the core of the daemon. It asks every source for its listing,
// keeps what answered apart from what could not be seen, and turns both into a
// [Summary] for the heartbeat.
//
// It guarantees that one scope's failure costs only that scope, that every failure
// reaches the log, the event log and the summary, and that every cycle ends with a
// summary: a panic in a source or an item is its failure, never the daemon's end.
//
// It knows no GitHub and starts no process. It may import internal/argvtemplate,
// internal/counted, internal/dispatch, internal/eventlog, internal/ownfile,
// internal/ref, internal/session and internal/timetext; the providers below it (poller/github) import
// it.
package poller
