// Package config reads the configuration file and what the command line puts
// in place of parts of it, and hands the rest of the program one checked
// [Config].
//
// It guarantees that a Config it returns is complete and sound: every default
// is filled in, every path is absolute, every repository, host and handler is
// well formed. A file with faults yields all of them in one [Faults], each
// with the line and column where it stands and with what is accepted there. No
// content of a file makes it panic, and none makes it work for long: size,
// entries, depth and the expansion of aliases are bounded.
//
// schema.json is the one source of the file's keys, types, bounds, defaults
// and descriptions; the documentation's table is compared with it by a test.
// It is compiled when a file is loaded, so that a command which loads none
// does not pay for it.
//
// It reads files and the environment that it is given, and starts nothing. It
// may import internal/argvtemplate, internal/nearest and internal/ref.
package config
