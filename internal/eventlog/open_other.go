//go:build !windows

package eventlog

import (
	"os"
	"syscall"
)

// openShared opens a file for reading. The file can be renamed meanwhile, and a pipe
// in its place does not block.
func openShared(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
