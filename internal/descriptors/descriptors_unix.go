//go:build unix

package descriptors

import (
	"os"
	"strconv"
	"syscall"
)

// withoutList is the number of descriptors to mark if they cannot be listed.
const withoutList = 1024

// Keep marks every open descriptor except 0, 1 and 2 to be closed in children. Call it
// before starting any process.
func Keep() {
	if markRange() {
		return
	}
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		for fd := 3; fd < withoutList; fd++ {
			syscall.CloseOnExec(fd)
		}
		return
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd) // of a closed one it does nothing
		}
	}
}
