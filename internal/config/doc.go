// Package config reads the configuration file, applies the overrides of the command
// line, and gives the rest of the program one checked [Config].
//
// It guarantees that every Config is complete and sound: defaults are filled in,
// paths are absolute, repositories, hosts and handlers are well formed. A file with
// faults yields all of them in one [Faults], each with its line and column and with
// what is accepted there. No file makes it panic or work for long: size, entries and
// depth are bounded.
//
// schema.json is the only source of the file's keys, types, bounds, defaults and
// descriptions; a test compares the documentation with it. Only commands that load a
// file read the schema.
//
// The package reads files and the given environment, and starts no process. It
// may import internal/argvtemplate, internal/nearest and internal/ref.
package config
