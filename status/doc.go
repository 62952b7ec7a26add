// Package status reports, from the files of a state root, whether a poller runs and
// what its last cycle did and saw. It prints lines for people, JSON and OpenMetrics.
//
// The lock alone decides whether a poller runs, and under which pid; everything else
// comes from the heartbeat. The package only reads: it starts nothing, writes nothing,
// takes no lock that could keep a poller out, uses no network and takes milliseconds.
// Text from outside is printed in one line, without characters that a terminal would
// obey.
//
// It imports heartbeat, poller, internal/counted, internal/ref,
// internal/runlock, internal/safetext and internal/timetext.
package status
