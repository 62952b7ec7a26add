//go:build !windows

package heartbeat

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// writeAtomically replaces the file at path by way of a temporary file beside it. The
// file is synced before the rename, so a power cut leaves the old content or the new.
// The folder is not synced, so it may be the old.
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
