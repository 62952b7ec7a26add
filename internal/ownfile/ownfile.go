// Package ownfile opens files that belong to the program and refuses the
// files of others. A link in a state root must not make the program empty,
// append to or believe a file that lies somewhere else.
//
// It guarantees that every file it opens is regular, was reached without following a
// link in the last part of its name, and has no second name (hard link). It creates,
// empties and waits for nothing before that is certain. The caller must trust the
// folders on the way: see [CheckFolder].
//
// It imports nothing of this project.
package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// place is a folder in which names are looked up: an [os.Root], or the
// process's working folder.
type place interface {
	Lstat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

type workingFolder struct{}

func (workingFolder) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

func (workingFolder) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// Open opens the file at path for reading.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is [os.OpenFile] for a file of the program's own. It supports [os.O_CREATE]
// and [os.O_TRUNC] like the original.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(workingFolder{}, path, flag, perm)
}

// OpenIn is OpenFile for a name below folder.
func OpenIn(folder *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(folder, name, flag, perm)
}

// attempts limits how often open starts again because the file appeared, vanished or
// was replaced between the check and the opening.
const attempts = 5

var (
	errUnsteady = errors.New("it is created and removed again and again")
	errReplaced = errors.New("it was replaced while it was opened")
)

func open(in place, name string, flag int, perm fs.FileMode) (f *os.File, err error) {
	for range attempts {
		f, err = try(in, name, flag, perm)
		if !errors.Is(err, errUnsteady) && !errors.Is(err, errReplaced) {
			return f, err
		}
	}
	return nil, err
}

func try(in place, name string, flag int, perm fs.FileMode) (*os.File, error) {
	before, err := in.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		return create(in, name, flag, perm)
	}
	if err != nil {
		return nil, err
	}
	if err := Check(name, before); err != nil { // before opening: a pipe would block
		return nil, err
	}
	if flag&os.O_EXCL != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	f, err := in.OpenFile(name, flag&^(os.O_CREATE|os.O_TRUNC)|nonblock, 0)
	if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		return nil, unsteady(name)
	}
	if err != nil {
		return nil, err
	}
	err = Verify(f, name, before)
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// create makes the file. O_EXCL follows no link and opens no existing file.
func create(in place, name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := in.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrExist) && flag&os.O_EXCL == 0 {
		return nil, unsteady(name)
	}
	return f, err
}

func unsteady(name string) error { return &fs.PathError{Op: "open", Path: name, Err: errUnsteady} }

// Verify returns an error if f, opened by name, is not the program's own file: not the
// file that [os.Lstat] showed before, or one that [Check] refuses. It is for files
// that the caller must open itself.
func Verify(f *os.File, name string, before fs.FileInfo) error {
	after, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(before, after) {
		return &fs.PathError{Op: "open", Path: name, Err: errReplaced}
	}
	if err := Check(name, after); err != nil {
		return err
	}
	links, err := openLinks(f, after)
	if err != nil {
		return err
	}
	return checkLinks(name, links)
}

// Check refuses files that must not be opened. info comes from Lstat or from the open
// file.
func Check(name string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		return refused(name, "it is a link, and links are not followed here")
	}
	if !info.Mode().IsRegular() {
		return refused(name, "it is not a regular file")
	}
	return checkLinks(name, links(info))
}

func checkLinks(name string, n uint64) error {
	if n > 1 {
		return refused(name, fmt.Sprintf("the file has %d names (hard links), so it may belong to another user", n))
	}
	return nil
}

func refused(name, why string) error {
	return &fs.PathError{Op: "open", Path: name, Err: errors.New(why)}
}
