package heartbeat

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"the-loop/internal/atomicfile"
)

// Write replaces the heartbeat at path (mode 0600) and creates a missing folder (mode
// 0700).
func Write(path string, f File) error {
	data, err := f.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := atomicfile.Write(path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// sweep removes temporary files of processes that were killed between the write and
// the rename. Only the holder of the state root's lock may call it.
func sweep(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, entry := range entries {
		digits, found := strings.CutPrefix(entry.Name(), "."+filepath.Base(path))
		if found && digits != "" && strings.Trim(digits, "0123456789") == "" && entry.Type().IsRegular() {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
}
