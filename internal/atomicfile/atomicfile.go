// Package atomicfile replaces files as a whole.
//
// A crash at any moment leaves the old content or the new. The content is synced
// before it takes the name; the folder is not, so a power failure can bring back
// the old content. A write that fails leaves no temporary file; a crash leaves
// one, named "." + the file's name + digits, for the caller to sweep. Files have
// mode 0600.
//
// It imports nothing of this project.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const fileMode = 0o600

// Write gives the file at path the content data.
func Write(path string, data []byte) error {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return withoutTempName(err)
	}
	defer folder.Close()
	return WriteIn(folder, filepath.Base(path), data)
}

// WriteIn gives name in folder the content data.
func WriteIn(folder *os.Root, name string, data []byte) error {
	return withoutTempName(replace(folder, name, data))
}

// withoutTempName strips the name of the temporary file from an error: it tells
// the reader nothing.
func withoutTempName(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
