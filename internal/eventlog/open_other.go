//go:build !windows

package eventlog

import (
	"os"
	"syscall"
)

// openShared opens a file for reading so that it can be renamed meanwhile, and
// does not wait for a pipe that took its place.
func openShared(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
