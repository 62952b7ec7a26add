// Command gh is the scripted gh of the scenarios.
package main

import (
	"os"

	"the-loop/internal/fakegh"
)

func main() { os.Exit(fakegh.Main(os.Args[1:], os.Stdout, os.Stderr)) }
