//go:build unix

package doctor

import (
	"errors"
	"io/fs"
	"syscall"
)

// notFolder reports whether a file stands where a folder should be.
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// open reports whether others than the owner have any right to it.
func open(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
