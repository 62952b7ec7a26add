// Command the-loop watches many GitHub repositories through the operator's own
// gh, starts one session per labelled issue or pull request, and names every
// repository that it could not see.
package main

import (
	"os"

	"the-loop/internal/command"
)

func main() {
	os.Exit(command.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
