package eventlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Reader reads a log, its rotated files too, and goes on where it stopped when
// the log has grown. It only reads: the log may be another process's, and may
// be rotated, truncated, removed or made for the first time meanwhile.
//
// Lines come without their newline, empty ones not at all. A line that has no
// newline yet is kept until it has one. A line is good until the next one
// comes only.
type Reader struct {
	path string
	// backups are the names of the rotated files that are done with.
	backups map[string]bool

	current *os.File    // nil while there is no file at path
	info    fs.FileInfo // of current
	read    int64       // bytes of it
	lines   splitter
}

// NewReader makes a reader of the log at path. It opens nothing yet.
func NewReader(path string) *Reader {
	return &Reader{path: path, backups: map[string]bool{}}
}

// Close ends the reader.
func (r *Reader) Close() error {
	if r.current == nil {
		return nil
	}
	return r.current.Close()
}

// Exists reports whether anything of the log was there when it was read last.
func (r *Reader) Exists() bool { return r.current != nil || len(r.backups) > 0 }

// All calls with each line that the log holds, the oldest first. Rotated files
// in which nothing is as young as since are left out; the zero time leaves
// none out. An error of call ends the reading and is returned as it is.
func (r *Reader) All(since time.Time, call func(line []byte) error) error {
	return r.advance(since, call)
}

// Last calls with the last n of the lines that keep takes, the oldest first.
func (r *Reader) Last(n int, keep func(line []byte) bool, call func(line []byte) error) error {
	current, err := r.open()
	if err != nil {
		return err
	}
	backups, err := r.newBackups(current)
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

// Next calls with each line that has come since All, Last or Next.
func (r *Reader) Next(call func(line []byte) error) error {
	if r.current == nil {
		return r.advance(time.Time{}, call)
	}
	if err := r.drain(call); err != nil {
		return err
	}
	info, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && os.SameFile(info, r.info) {
		return nil // a file that is gone may be written to by whoever has it open
	}
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	// What was written between the reading and the rotation, and what will
	// never be a whole line.
	if err := r.drain(call); err != nil {
		return err
	}
	if err := r.lines.flush(call); err != nil {
		return err
	}
	return r.advance(time.Time{}, call)
}

// Rest is what stands behind the log's last newline, nothing most of the time:
// the beginning of an event that is being written, or was when the daemon died.
func (r *Reader) Rest() []byte { return r.lines.part }

// advance goes over to the file that is at path now, through those that were
// rotated in between.
func (r *Reader) advance(since time.Time, call func(line []byte) error) error {
	current, err := r.open()
	if err != nil {
		return err
	}
	backups, err := r.newBackups(current)
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

// open opens the file at path, if there is one, in place of the current one,
// and returns what it and the one before were.
//
// It comes before the rotated files are listed: one that is rotated in between
// is read as the current one all the same.
func (r *Reader) open() (known []fs.FileInfo, err error) {
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

// newBackups lists the rotated files that were not listed before, the oldest
// first, without those that are read, or to be read, as the current file.
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

// drain reads the current file to its end. One that has become shorter was
// truncated and is read from its beginning.
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
