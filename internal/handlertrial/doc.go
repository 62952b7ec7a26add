// Package handlertrial runs a user's handlers through everything that a daemon may do to
// them, and reports how to improve them.
//
// It guarantees that the daemon's own code makes each delivery, that no delivery
// concerns an item of a real repository unless the caller names one, and that each
// session that it starts gets its close.
//
// It may import internal/argvtemplate, internal/dispatch, internal/ref and
// internal/session. It knows no command line.
package handlertrial
