// Package crashtest kills the daemon, again and again, at moments that nobody
// would choose, and then looks whether it kept its promises. It holds tests
// alone; docs/reliability.md says what they show.
//
// The test binary is the daemon too: re-executed under the name the-loop it is
// the whole program. The gh and the handlers come from internal/simgithub. One
// test goes through rounds:
//
//	start the daemon → people write, close, reopen … → SIGKILL at a moment that a
//	seeded generator chose → look at what is on disk
//
// and after every fifteen of them the world comes to rest, the daemon runs until
// nothing is left to do, and the handlers' own journal is held against what
// people did. The moments are counted in what can be seen (the k-th call of gh,
// the k-th temporary file), never in time.
//
//	go test ./internal/crashtest -run TestCrash -crash.rounds 1000 -v
//
// The seed is in the output; THE_LOOP_CRASH_SEED sets it, THE_LOOP_CRASH_ROUNDS
// is another way to say how many rounds, and THE_LOOP_CRASH_DIR names an empty
// folder in which everything is kept. The same seed chooses the same moments and the
// same deeds; which of them meet is up to the machine.
package crashtest
