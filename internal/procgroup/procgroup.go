// Package procgroup starts a child in a process group of its own and ends the whole
// group, so that the child's own children do not outlive it.
//
// On Unix the group holds all descendants of the child, except those that left it
// with setsid or setpgid. Windows has no such group: [Kill] ends only the child.
//
// A group can still be ended after the wait for its leader; that removes processes
// that the leader left behind. The group's id stays in use while one of them lives.
// Afterwards the number could belong to another group, so end the group right after
// the wait and never later.
//
// It imports only the standard library and golang.org/x/sys.
package procgroup
