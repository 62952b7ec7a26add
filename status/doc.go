// Package status tells, from the files of a state root, whether its poller
// runs and what it last did and saw: as lines for people and as JSON.
//
// Whether it runs, and as which process, comes from the lock alone; all else
// from the heartbeat. It only reads: it starts nothing, writes nothing, takes
// no lock that would keep a poller out, asks no network and takes
// milliseconds. What came from outside is shown in one line each and without
// characters that a terminal would act on.
//
// It imports heartbeat, poller, internal/runlock and internal/safetext.
package status
