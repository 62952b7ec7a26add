package heartbeat

import (
	"os"
	"path/filepath"
)

// writeAtomically replaces the file at path by way of a temporary file beside it.
// Windows refuses the rename while a reader has the file open; the next write will
// catch up.
func writeAtomically(path string, data []byte) error {
	pending, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(pending.Name()) }() // gone once renamed
	defer func() { _ = pending.Close() }()
	if _, err := pending.Write(data); err != nil {
		return err
	}
	if err := pending.Sync(); err != nil {
		return err
	}
	if err := pending.Close(); err != nil {
		return err
	}
	return os.Rename(pending.Name(), path)
}
