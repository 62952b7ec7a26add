// Package poller is the core of the daemon: it asks every source for its
// listing, tells apart what answered and what could not be seen, and turns
// both into a [Summary] that the heartbeat records.
//
// It guarantees that one scope's failure costs that scope only, that every
// failure reaches the log, the event log and the summary, and that a cycle
// always ends with a summary, whatever a source or an item did in it: a panic
// is that source's failure, never the daemon's end.
//
// It knows no GitHub and starts no process. It may import internal/eventlog,
// internal/session, internal/dispatch and internal/argvtemplate; the providers below it
// (poller/github) import it.
package poller
