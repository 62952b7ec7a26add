package runlock

import (
	"bytes"
	"os"
)

// contentAt is where the file's text begins: the lock covers the first byte,
// and Windows keeps every other handle from reading or writing that one.
const contentAt = 1

// clearContent blanks the text instead of cutting it off, since a file with a
// locked range need not let itself be cut.
func clearContent(f *os.File) error {
	_, err := f.WriteAt(bytes.Repeat([]byte("\n"), contentLimit), contentAt)
	return err
}
