//go:build unix

package doctor

import (
	"errors"
	"io/fs"
	"syscall"
)

// notFolder reports whether a file stands in place of a folder.
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// open reports whether anyone but the owner has rights to it.
func open(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
