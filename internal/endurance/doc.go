// Package endurance tests the daemon's promises over thousands of kills and cycles.
// docs/reliability.md describes the results.
//
// # The world
//
// [World] is a small GitHub in one file, with a gh and a handler in front of it. Only the
// test calls [World.Save], which replaces the whole file, so that each call of gh sees
// one consistent state. The folder that [DirVariable] names holds
//
//	world.json  the world
//	calls       one line per call of gh, written when it begins
//	journal     two lines per handler run, an [Entry] each, when it begins and
//	            when it ends; synced, so that the order is that of the events
//
// In an unrestful world calls fail with a 502, handlers fail or ask for the next
// cycle, and both take their time. The fate of one call depends only on the world's
// seed and on the call's place in the file. The command double is both the gh and the
// handler. internal/fakegh holds a gh that follows a script; this one follows the deeds
// of people on issues and pull requests.
//
// # The tests
//
// TestCrash kills the whole program again and again. It picks the moments by visible
// events, the k-th call of gh or the k-th temporary file, never by time. After
// every fifteen rounds the world comes to rest, the daemon runs until no work is
// left, and the test compares the handlers' journal with the deeds of the people.
//
//	go test ./internal/endurance -run TestCrash -crash.rounds 1000 -v
//
// The output shows the seed. THE_LOOP_CRASH_SEED sets it, THE_LOOP_CRASH_ROUNDS also
// sets the number of rounds, and THE_LOOP_CRASH_DIR names an empty folder that keeps
// all files. A seed fixes the moments and the deeds; the machine decides which of them
// coincide.
//
// TestSoak runs thousands of cycles of everything except the processes;
// TestSoakProcesses runs fewer, with gh and handlers. Both look for growth of memory,
// goroutines, open files, child processes and the state root.
//
//	go test ./internal/endurance -run TestSoak -soak.cycles 10000 -v
//
// They compare measurements around the first tenth of the cycles with others near
// the end. Each measurement follows the last delivery and a garbage collection.
//
// # Imports
//
// The world imports nothing of the project: a fake that shared the program's
// assumptions could not contradict them.
package endurance
