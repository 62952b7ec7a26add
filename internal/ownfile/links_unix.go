//go:build unix

package ownfile

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblock keeps an open from waiting for a pipe that took the file's place. It has no
// effect on regular files.
const nonblock = syscall.O_NONBLOCK

// links is the number of names of a file, 0 if unknown.
func links(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // the type differs between systems
	}
	return 0
}

func openLinks(_ *os.File, info fs.FileInfo) (uint64, error) { return links(info), nil }
