// Package endurance holds the daemon to its promises over thousands of kills and
// cycles. docs/reliability.md says what its tests show.
//
// # The world
//
// [World] is a small GitHub in one file, with a gh and a handler in front of it.
// The test owns it: it alone calls [World.Save], which replaces the file as a
// whole, so that each call of gh sees one moment of it. The folder that
// [DirVariable] names holds
//
//	world.json  the world
//	calls       one line per call of gh, written when it begins
//	journal     two lines per handler run, an [Entry] each, when it begins and
//	            when it ends; synced, so that the order is that of the events
//
// In an unrestful world calls fail with a 502, handlers fail or ask for the next
// cycle, and both take their time. What one call meets depends on the world's
// seed and on the call's place in the file, and on nothing else. The command
// double is the gh and the handler. A gh that follows a script is in
// internal/fakegh; this one follows what people do to issues and pull requests.
//
// # The tests
//
// TestCrash kills the whole program, again and again, at moments counted in what
// can be seen: the k-th call of gh, the k-th temporary file, never in time. After
// every fifteen rounds the world comes to rest, the daemon runs until nothing is
// left to do, and the handlers' journal is compared with what people did.
//
//	go test ./internal/endurance -run TestCrash -crash.rounds 1000 -v
//
// The output has the seed. THE_LOOP_CRASH_SEED sets it, THE_LOOP_CRASH_ROUNDS is
// another way to give the number of rounds, and THE_LOOP_CRASH_DIR names an empty
// folder in which everything is kept. One seed chooses the same moments and the
// same deeds; the machine decides which of them meet.
//
// TestSoak runs thousands of cycles of everything but the processes, and
// TestSoakProcesses fewer with gh and handlers. They look for growth: memory,
// goroutines, open files, child processes, the state root.
//
//	go test ./internal/endurance -run TestSoak -soak.cycles 10000 -v
//
// Measurements around the first tenth of the cycles are compared with those
// around their end, each after every delivery and a garbage collection.
//
// # Imports
//
// The world imports nothing of the project: a fake that shared the program's
// assumptions could not contradict them.
package endurance
