// Package daemon runs for months: it reads the configuration again, keeps the
// lock and the heartbeat, paces the cycles, answers the service manager, and
// wires the poller to its sources and to the handlers.
//
// It may import everything but the command line.
package daemon
