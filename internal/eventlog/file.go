package eventlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"the-loop/internal/ownfile"
)

// file is the file of a log. lumberjack rotates it. file adds four things: it appends
// at the current end of the file, since a second poller may have added a line (see
// Append); it sets the modes; it begins each line behind a newline; and it never
// follows a link to a file of another user.
type file struct {
	path   string
	max    int64 // bytes
	roller *lumberjack.Logger
	known  fs.FileInfo // the file that roller has open or will open; nil: check again
}

func newFile(path string, maxSizeMB, maxBackups int) *file {
	return &file{
		path:   path,
		max:    int64(maxSizeMB) << 20,
		roller: &lumberjack.Logger{Filename: path, MaxSize: maxSizeMB, MaxBackups: maxBackups},
	}
}

// Write appends one line.
func (f *file) Write(line []byte) (int, error) {
	if err := f.prepare(len(line)); err != nil {
		return 0, err
	}
	n, err := f.roller.Write(line)
	if err != nil {
		f.known = nil // part of the line may be there
		return n, fmt.Errorf("append an event: %w", err)
	}
	return n, nil
}

// prepare makes room for n more bytes: it rotates a full file, and creates or repairs a
// file unless it is the file of the last write.
func (f *file) prepare(n int) error {
	info, err := os.Lstat(f.path)
	own := err == nil && ownfile.Check(f.path, info) == nil
	if own && info.Size()+int64(n) >= f.max && info.Size() > 0 {
		// Rotate leaves a file open that is not in append mode.
		if err := errors.Join(f.roller.Rotate(), f.roller.Close()); err != nil {
			f.known = nil
			return fmt.Errorf("rotate %s: %w", f.path, err)
		}
		f.known = nil
	}
	if own && f.known != nil && os.SameFile(info, f.known) {
		return nil
	}
	if err := f.roller.Close(); err != nil {
		return fmt.Errorf("close %s: %w", f.path, err)
	}
	f.known, err = mend(f.path)
	return err
}

// Close closes the file.
func (f *file) Close() error {
	if err := f.roller.Close(); err != nil {
		return fmt.Errorf("close %s: %w", f.path, err)
	}
	return nil
}

// mend creates the file at path, or gives an existing one mode 0600 and a final
// newline.
func mend(path string) (fs.FileInfo, error) {
	f, err := openLog(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	// Best effort: the daemon can append to the file in any mode.
	_ = f.Chmod(0o600)
	whole, err := endsWithNewline(f)
	if err == nil && !whole {
		_, err = f.Write([]byte("\n"))
	}
	if err != nil {
		return nil, fmt.Errorf("mend the event log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("mend the event log: %w", err)
	}
	return info, nil
}

// openLog opens the file at path for appending. It creates a missing file and folder.
func openLog(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create the event log's folder: %w", err)
	}
	f, err := ownfile.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the event log: %w", err)
	}
	return f, nil
}

// looks bounds how often endsWithNewline looks at a file that other processes append
// to all the time.
const looks = 100

// endsWithNewline reports whether the next line can follow directly.
//
// Another process's write grows the file page by page, so a read can see half of a line
// that crosses a page. endsWithNewline therefore reads an incomplete end again after that
// write: a line that a crash cut has not grown. In between it sets the mode, which the
// file has anyway, because the kernel makes that call wait for the write.
func endsWithNewline(f *os.File) (bool, error) {
	seen := int64(-1)
	for range looks {
		whole, size, err := lastIsNewline(f)
		if whole || err != nil || size == seen {
			return whole, err
		}
		seen = size
		_ = f.Chmod(0o600) // best effort, as in mend
	}
	return true, nil // it grows, so no crash cut the line
}

// lastIsNewline reports whether the file ends with a newline, or is empty, and its
// size.
func lastIsNewline(f *os.File) (bool, int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err == nil, 0, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return false, info.Size(), err
	}
	return last[0] == '\n', info.Size(), nil
}

// Append adds one event to a log that another process owns. It appends with a single
// write, so the event never lands inside a line of the owner, and it does not rotate.
func Append(path string, e Event) (err error) {
	if e.name == "" {
		return nil
	}
	line, err := e.line(time.Now(), os.Getpid())
	if err != nil {
		return err
	}
	f, err := openLog(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if whole, err := endsWithNewline(f); err == nil && !whole {
		line = append([]byte("\n"), line...)
	}
	if _, err := f.Write(line); err != nil {
		return fmt.Errorf("append to the event log: %w", err)
	}
	return nil
}
