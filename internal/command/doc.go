// Package command is the command line: one file per command.
//
// It guarantees the conventions that every command shares: results on
// standard output and diagnostics on standard error; an error is one line
// "the-loop: error: …", followed by "the-loop: hint: …" where a next step is
// known; exit code 0 for done, 1 for failed, 2 for a usage or configuration
// error. Nothing in it exits the process but a second signal during a
// shutdown. It may import everything; nothing but main imports it.
package command
