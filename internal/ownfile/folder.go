package ownfile

import (
	"fmt"
	"io/fs"
	"os"
)

// FolderError is a folder that other users could change. Its files decide which
// programs run.
type FolderError struct {
	Path string
	Why  string
	Fix  string // what to type
}

func (e *FolderError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Why) }

// Hint returns the command that mends it.
func (e *FolderError) Hint() string { return e.Fix }

// CheckFolder returns a *FolderError if the folder at path belongs to another user, or
// if another user can write into it or into one of the given folders inside. A
// missing folder is no error. It follows a link to a folder, because only the owner
// of the enclosing folder can place one.
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
