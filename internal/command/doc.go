// Package command is what people type. Every command has a file of its name;
// files whose names begin with that name belong to it. The other files hold what
// commands share: flags, errors, formats, help and the terminal.
//
// It guarantees the conventions of all commands: results go to standard output,
// diagnostics to standard error. An error is one line "the-loop: error: …",
// followed by "the-loop: hint: …" if there is advice. The exit code is 0 for done,
// 1 for failed, 2 for an error of the command line or the configuration. No
// function exits the process; [Main] returns the code.
//
// It may import every package. Only main and tests that act as the program import
// it. The work of run is in internal/daemon, which knows no command line.
package command
