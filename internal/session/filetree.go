package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"the-loop/internal/atomicfile"
	"the-loop/internal/ownfile"
	"the-loop/internal/ref"
)

const (
	itemsFolder = "items"
	folderMode  = 0o700
	fileMode    = 0o600

	recordSuffix  = ".json"
	corruptInfix  = recordSuffix + ".corrupt-"
	corruptLayout = "20060102T150405Z"

	// maxRecord is the size in bytes above which a file is left alone. A hundred thousand
	// seen comments take a twentieth of it.
	maxRecord = 64 << 20
)

// tree is the folder of all records on disk. Everything below it is reached through
// [os.Root] and only after a check for links: a link inside the tree would show one
// item's record as another's.
type tree struct{ stateRoot string }

// items opens the folder of all records.
func (t tree) items() (*os.Root, error) {
	root, err := os.OpenRoot(t.stateRoot)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := ownfile.WantFolder(root, itemsFolder); err != nil {
		return nil, err
	}
	return root.OpenRoot(itemsFolder)
}

// create makes the folder of all records if it is missing.
func (t tree) create() error {
	if err := os.MkdirAll(t.stateRoot, folderMode); err != nil {
		return err
	}
	root, err := os.OpenRoot(t.stateRoot)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir(itemsFolder, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return ownfile.WantFolder(root, itemsFolder)
}

// itemsPath is the path of the folder of all records, for messages and for checks that
// open nothing.
func (t tree) itemsPath() string { return filepath.Join(t.stateRoot, itemsFolder) }

// folder opens the folder with the records of r. If it is missing, the error wraps
// [fs.ErrNotExist].
func (t tree) folder(r ref.Repo) (*os.Root, error) {
	items, err := t.items()
	if err != nil {
		return nil, err
	}
	defer items.Close()
	if err := wantFolders(items, r); err != nil {
		return nil, err
	}
	return items.OpenRoot(repoFolder(r))
}

// madeFolder is folder, but creates missing folders.
func (t tree) madeFolder(r ref.Repo) (*os.Root, error) {
	folder, err := t.folder(r)
	if !errors.Is(err, fs.ErrNotExist) {
		return folder, err
	}
	if err := t.create(); err != nil {
		return nil, err
	}
	items, err := t.items()
	if err != nil {
		return nil, err
	}
	defer items.Close()
	if err := items.MkdirAll(repoFolder(r), folderMode); err != nil {
		return nil, err
	}
	return items.OpenRoot(repoFolder(r))
}

func wantFolders(items *os.Root, r ref.Repo) error {
	for _, path := range []string{hostFolder(r.Host), filepath.Join(hostFolder(r.Host), r.Owner), repoFolder(r)} {
		if err := ownfile.WantFolder(items, path); err != nil {
			return err
		}
	}
	return nil
}

// path is the path of the record of item, for messages.
func (t tree) path(item ref.Item) string {
	return filepath.Join(t.itemsPath(), recordPath(item))
}

// RecordPath returns the path of the record of item below root, the state root.
func RecordPath(root string, item ref.Item) string { return tree{root}.path(item) }

// read returns the content of the record of item. If it is missing, the error wraps
// [fs.ErrNotExist]; any other error means that it cannot be reached.
func (t tree) read(item ref.Item) ([]byte, error) {
	folder, err := t.folder(item.Repo)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	data, _, err := readFile(folder, recordFile(item.Number), nil)
	return data, err
}

// readFile reads a file into buf, or into a larger slice if it does not fit.
func readFile(folder *os.Root, name string, buf []byte) ([]byte, fs.FileInfo, error) {
	f, err := ownfile.OpenIn(folder, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, make([]byte, max(4096, cap(buf)))...)[:len(buf)]
		}
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, info, nil
		case err != nil:
			return nil, nil, err
		case len(buf) > maxRecord:
			return nil, nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("too large for a record")}
		}
	}
}

func (t tree) write(item ref.Item, data []byte) error {
	folder, err := t.madeFolder(item.Repo)
	if err != nil {
		return err
	}
	defer folder.Close()
	return atomicfile.WriteIn(folder, recordFile(item.Number), data)
}

// setAside renames the record of item to N.json.corrupt-<time>, with a number appended
// if that name is taken, and returns the new path.
func (t tree) setAside(item ref.Item, now time.Time) (string, error) {
	folder, err := t.folder(item.Repo)
	if err != nil {
		return "", err
	}
	defer folder.Close()
	base := strings.TrimSuffix(recordFile(item.Number), recordSuffix) + corruptInfix + now.UTC().Format(corruptLayout)
	name := base
	for i := 2; ; i++ {
		_, err := folder.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
	if err := folder.Rename(recordFile(item.Number), name); err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(t.path(item)), name), nil
}

// fileKind is the kind of a file in a record's folder, according to its name.
type fileKind int

const (
	fileOther    fileKind = iota
	fileRecord            // N.json
	fileCorrupt           // N.json.corrupt-…, set aside
	fileNote              // N.json.retry and the like, see [Note]
	fileLeftover          // .N.json…, a temporary file that a crash left behind
)

// classify returns a file's kind and the number of its item.
func classify(name string) (fileKind, int) {
	if rest, hidden := strings.CutPrefix(name, "."); hidden {
		if digits, tail, ok := strings.Cut(rest, recordSuffix); ok && allDigits(digits) && allDigits(tail) {
			return fileLeftover, 0
		}
		return fileOther, 0
	}
	digits, tail, ok := strings.Cut(name, recordSuffix)
	number, valid := ref.ParseNumber(digits)
	if !ok || !valid {
		return fileOther, 0
	}
	switch {
	case tail == "":
		return fileRecord, number
	case Note(strings.TrimPrefix(tail, ".")).known():
		return fileNote, number
	case strings.HasPrefix(recordSuffix+tail, corruptInfix):
		return fileCorrupt, number
	}
	return fileOther, 0
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
