// Package soaktest runs thousands of cycles in one process, over repositories in
// which something is always going on, and looks whether anything grows that
// should not: memory, goroutines, open files, child processes, the state root. It
// holds tests alone; docs/reliability.md says what they show.
//
// TestSoak is everything of the daemon but the processes that it starts: poller,
// provider, records, dispatcher, event log and heartbeat, over a simulated GitHub
// in memory. TestSoakProcesses has gh and the handlers, too, and so fewer cycles.
//
//	go test ./internal/soaktest -soak.cycles 10000 -v
//
// What is compared is what was measured around the first tenth of the cycles with
// what was measured around their end, each after everything that was handed over
// has been delivered and the garbage collector has run.
package soaktest
