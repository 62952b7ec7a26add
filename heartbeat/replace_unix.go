//go:build !windows

package heartbeat

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// writeAtomically puts data in the place of the file at path, by way of a
// temporary file beside it. It is synced before it gets its name, so a power
// cut leaves the old file or the new one; the folder is not, so it may be the
// old one.
func writeAtomically(path string, data []byte) error {
	pending, err := renameio.NewPendingFile(path,
		renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = pending.Cleanup() }()
	if _, err := pending.Write(data); err != nil {
		return err
	}
	return pending.CloseAtomicallyReplace()
}
