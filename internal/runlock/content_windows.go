package runlock

import (
	"bytes"
	"os"
)

// contentAt is the offset of the file's text. The lock covers the first byte, which
// Windows lets no other handle read or write.
const contentAt = 1

// clearContent blanks the text instead of truncating the file, which can fail while a
// range of it is locked.
func clearContent(f *os.File) error {
	_, err := f.WriteAt(bytes.Repeat([]byte("\n"), contentLimit), contentAt)
	return err
}
