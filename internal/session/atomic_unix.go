//go:build unix

package session

import (
	"os"

	"github.com/google/renameio/v2"
)

// writeAtomic gives name in folder the content data, as a whole or not at
// all, mode 0600, and leaves no temporary file behind when it fails. The
// temporary file of a crash is one that [leftover] knows.
func writeAtomic(folder *os.Root, name string, data []byte) error {
	f, err := renameio.NewPendingFile(name, renameio.WithRoot(folder),
		renameio.WithStaticPermissions(fileMode))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
