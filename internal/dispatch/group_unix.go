//go:build unix

package dispatch

import (
	"os"
	"syscall"
)

// groupLives reports whether anybody is left of the process group that p led.
func groupLives(p *os.Process) bool {
	return p != nil && p.Pid > 1 && syscall.Kill(-p.Pid, 0) == nil
}
