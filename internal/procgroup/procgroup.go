// Package procgroup starts a child in a process group of its own and ends the
// whole group, so that what the child started does not outlive it.
//
// On Unix the group holds everything that the child started, but for a process
// that left it with setsid or setpgid. On Windows there is no such group to
// end: [Kill] ends the child alone.
//
// The group of a child that was waited for can still be ended, which is what
// gets rid of the processes that it left behind. Its id stays taken for as
// long as one of them lives; only when none does could the number be another
// group's, so end the group right after the wait and never later.
//
// It imports only the standard library and golang.org/x/sys.
package procgroup
