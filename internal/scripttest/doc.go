// Package scripttest runs the scenarios of testdata/script: it builds the
// programs they start, gives each scenario folders of its own, and adds the
// commands they use beyond testscript's.
//
// Each wait in a scenario is for something observable, a file or a process, and
// ends with an error after [Deadline]. Every process and mount that a command
// starts ends with its scenario.
//
// The package is for tests only. It may import internal/fakegh, and nothing of
// the program under test: scenarios see the program as its users do.
package scripttest
