//go:build unix

package dispatch

import (
	"os"
	"syscall"
)

// groupLives reports whether a process of the group that p led is still alive.
func groupLives(p *os.Process) bool {
	return p != nil && p.Pid > 1 && syscall.Kill(-p.Pid, 0) == nil
}
