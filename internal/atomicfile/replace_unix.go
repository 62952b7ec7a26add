//go:build unix

package atomicfile

import (
	"os"

	"github.com/google/renameio/v2"
)

// replace writes a temporary file beside name and renames it.
func replace(folder *os.Root, name string, data []byte) error {
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
