//go:build unix

package command

import (
	"os"
	"syscall"
)

// requestStop asks the process to end in its own time.
func requestStop(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
