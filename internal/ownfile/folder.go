package ownfile

import (
	"fmt"
	"io/fs"
	"os"
)

// FolderError is a folder that is not the program's alone. The files in it
// decide what is run.
type FolderError struct {
	Path string
	Why  string
	Fix  string // what to type
}

func (e *FolderError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Why) }

// Hint says what to do about it.
func (e *FolderError) Hint() string { return e.Fix }

// CheckFolder returns a *FolderError when the folder at path belongs to
// another user or when another user can write into it, directly or through a
// folder of the given names inside. What is missing is no fault. A link to a
// folder is followed: whoever may place one owns the folder it lies in.
func CheckFolder(path string, inside ...string) error {
	info, err := os.Stat(path)
	if err != nil {
		return ignoreMissing(err)
	}
	if err := checkOwner(path, info); err != nil {
		return err
	}
	if !othersEnter(info) {
		return nil
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range inside {
		info, err := root.Lstat(name)
		if err == nil && info.IsDir() {
			err = checkOwner(root.Name()+string(os.PathSeparator)+name, info)
		}
		if err := ignoreMissing(err); err != nil {
			return err
		}
	}
	return nil
}

func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

const (
	othersWrite   fs.FileMode = 0o022
	othersExecute fs.FileMode = 0o011
)
