// Package simgithub is a small GitHub in one file, with a gh and a handler in
// front of it, for tests that let the real daemon run for long over a world that
// changes all the time.
//
// The test owns the world: it alone calls [World.Save], which replaces the file
// as a whole, so that each call of gh sees one moment of it. Fakes that follow a
// script are in internal/fakegh; this one follows what people do to issues and
// pull requests.
//
// The folder that [DirVariable] names holds
//
//	world.json  the world
//	calls       one line per call of gh, written when it begins
//	journal     two lines per handler run, an [Entry] each, when it begins and
//	            when it ends; synced, so that the order is that of the events
//
// In an unrestful world calls fail with a 502, handlers fail or ask for the next
// cycle, and both take their time. What one call meets depends on the world's
// seed and on the call's place in the file, and on nothing else.
//
// It imports nothing of the project: a fake that shared the program's
// assumptions could not contradict them. double is the program.
package simgithub
