package eventlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"the-loop/internal/ownfile"
)

// backupLayout is the UTC time that rotation puts into a file name. The names sort by
// it.
const backupLayout = "2006-01-02T15-04-05.000"

// backupsOf returns the rotated files of the log at path, oldest first.
func backupsOf(path string) ([]string, error) {
	folder, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the event log: %w", err)
	}
	extension := filepath.Ext(base)
	prefix := strings.TrimSuffix(base, extension) + "-"
	var names []string
	for _, e := range entries {
		stamp, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || !strings.HasSuffix(stamp, extension) {
			continue
		}
		if _, err := time.Parse(backupLayout, strings.TrimSuffix(stamp, extension)); err == nil {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(names)
	return names, nil
}

// readBackup passes each line of a rotated file to call. A file that rotation has
// removed has no lines, and one last written before since is skipped.
func readBackup(name string, since time.Time, call func(line []byte) error) error {
	f, info, err := openRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	defer func() { _ = f.Close() }()
	if info.ModTime().Before(since) {
		return nil
	}
	var lines splitter
	if _, err := lines.readFrom(f, call); err != nil {
		return err
	}
	return lines.flush(call)
}

// openRegular opens a file of the log for reading. It refuses links, and named pipes,
// which would block.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := ownfile.Check(path, info); err != nil {
		return nil, nil, err
	}
	f, err := openShared(path)
	if err != nil {
		return nil, nil, err
	}
	if err := ownfile.Verify(f, path, info); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
