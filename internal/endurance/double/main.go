// Command double is the gh and the handler of the crash and soak tests: named
// gh it is the one, under any other name the other.
package main

import (
	"os"
	"path/filepath"

	"the-loop/internal/endurance"
)

func main() {
	if filepath.Base(os.Args[0]) == "gh" {
		os.Exit(endurance.GH(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(endurance.Handler(os.Stdin, os.Stdout, os.Stderr))
}
