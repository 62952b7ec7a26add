package eventlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Reader reads a log with its rotated files, and later the added lines. It never writes.
// Meanwhile another process may write the log, rotate, truncate or remove it, or create
// it.
//
// Lines come without their newline; empty lines are skipped. A line without a newline
// is kept until it has one. A line is valid until the next call.
type Reader struct {
	path string
	// backups are the names of the rotated files that have been read or skipped.
	backups map[string]bool

	current *os.File    // nil while there is no file at path
	info    fs.FileInfo // of current
	read    int64       // bytes of current that were read
	lines   splitter
}

// NewReader returns a reader of the log at path. It opens nothing yet.
func NewReader(path string) *Reader {
	return &Reader{path: path, backups: map[string]bool{}}
}

// Close closes the reader.
func (r *Reader) Close() error {
	if r.current == nil {
		return nil
	}
	return r.current.Close()
}

// Exists reports whether the last read found any file of the log.
func (r *Reader) Exists() bool { return r.current != nil || len(r.backups) > 0 }

// All passes each line of the log to call, oldest first. It skips rotated files with
// nothing as new as since; the zero time skips none. It stops at an error of call and
// returns it unchanged.
func (r *Reader) All(since time.Time, call func(line []byte) error) error {
	return r.advance(since, call)
}

// Last passes the last n lines that keep accepts to call, oldest first.
func (r *Reader) Last(n int, keep func(line []byte) bool, call func(line []byte) error) error {
	backups, err := r.open()
	if err != nil {
		return err
	}
	last := tail{size: n, keep: keep}
	if err := r.drain(last.add); err != nil {
		return err
	}
	found := last.lines
	for i := len(backups) - 1; i >= 0 && len(found) < n; i-- {
		older := tail{size: n - len(found), keep: keep}
		if err := readBackup(backups[i], time.Time{}, older.add); err != nil {
			return err
		}
		found = append(older.lines, found...)
	}
	for _, line := range found {
		if err := call(line); err != nil {
			return err
		}
	}
	return nil
}

// Next passes each line that was added since All, Last or Next to call.
func (r *Reader) Next(call func(line []byte) error) error {
	if r.current == nil {
		return r.advance(time.Time{}, call)
	}
	if err := r.drain(call); err != nil {
		return err
	}
	info, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && os.SameFile(info, r.info) {
		return nil // another process may still write to a removed file
	}
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	// Read lines written between the last read and the rotation. A last incomplete line
	// will never be complete.
	if err := r.drain(call); err != nil {
		return err
	}
	if err := r.lines.flush(call); err != nil {
		return err
	}
	return r.advance(time.Time{}, call)
}

// Rest returns the text after the last newline of the log, usually none: the start of an
// event that the daemon is writing, or did not finish before it died.
func (r *Reader) Rest() []byte { return r.lines.part }

// advance reads the newly rotated files, then the file that is at path now.
func (r *Reader) advance(since time.Time, call func(line []byte) error) error {
	backups, err := r.open()
	if err != nil {
		return err
	}
	for _, name := range backups {
		if err := readBackup(name, since, call); err != nil {
			return err
		}
	}
	return r.drain(call)
}

// open opens the file at path in place of the current one and returns the rotated
// files that have not been read, oldest first. It lists them last, so that a file that
// is rotated in between is read as the current one.
func (r *Reader) open() (backups []string, err error) {
	known, err := r.openCurrent()
	if err != nil {
		return nil, err
	}
	return r.newBackups(known)
}

// openCurrent opens the file at path. It returns the identities of that file and of the
// previous one.
func (r *Reader) openCurrent() (known []fs.FileInfo, err error) {
	if r.current != nil {
		known = append(known, r.info)
		if err := r.current.Close(); err != nil {
			return nil, fmt.Errorf("read the event log: %w", err)
		}
	}
	r.current, r.info, r.read, r.lines = nil, nil, 0, splitter{}
	f, info, err := openRegular(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the event log: %w", err)
	}
	r.current, r.info = f, info
	return append(known, info), nil
}

// newBackups returns the new rotated files, oldest first, except those already read as
// the current file.
func (r *Reader) newBackups(known []fs.FileInfo) ([]string, error) {
	names, err := backupsOf(r.path)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range names {
		if !r.backups[name] {
			r.backups[name] = true
			if !isOneOf(name, known) {
				list = append(list, name)
			}
		}
	}
	return list, nil
}

func isOneOf(name string, known []fs.FileInfo) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	for _, k := range known {
		if os.SameFile(info, k) {
			return true
		}
	}
	return false
}

// drain reads the current file to its end. A shorter file was truncated; drain then reads
// it from its beginning.
func (r *Reader) drain(call func(line []byte) error) error {
	if r.current == nil {
		return nil
	}
	info, err := r.current.Stat()
	if err == nil && info.Size() < r.read {
		_, err = r.current.Seek(0, io.SeekStart)
		r.read, r.lines = 0, splitter{}
	}
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	n, err := r.lines.readFrom(r.current, call)
	r.read += n
	return err
}
