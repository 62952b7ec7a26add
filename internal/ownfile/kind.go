package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// WantFolder returns an error unless path, below root, is a folder itself and
// not a link to one.
func WantFolder(root *os.Root, path string) error {
	info, err := root.Lstat(path)
	if err == nil && !info.IsDir() {
		err = NotFolder(path)
	}
	return err
}

// NotFolder is the error for anything else in the place of a folder.
func NotFolder(path string) error {
	return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
}

// NotRegular is the error for anything else in the place of a regular file.
func NotRegular(path string) error {
	return &fs.PathError{Op: "read", Path: path, Err: errors.New("it is not a regular file")}
}
