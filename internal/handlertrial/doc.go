// Package handlertrial runs a person's handlers through everything that a daemon
// may do to them, and reports what to change in them.
//
// It guarantees that each delivery is made by the code that makes it in the
// daemon, that no delivery is about an item of a real repository unless the
// caller names one, and that each session that it starts gets its close.
//
// It may import internal/argvtemplate, internal/dispatch, internal/ref and
// internal/session. It knows no command line.
package handlertrial
