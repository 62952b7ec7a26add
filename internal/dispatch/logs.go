package dispatch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"the-loop/internal/ownfile"
	"the-loop/internal/session"
)

const (
	folderMode = 0o700
	fileMode   = 0o600

	// logLimit is the size in bytes at which a log is truncated.
	logLimit = 10_000_000
	// logsAtOnce is the number of logs checked in one cycle. Every session leaves one
	// behind, and hardly any of them still grows.
	logsAtOnce = 1000
	// lastLineWindow is the part of a log searched for its last line, in bytes from
	// the end.
	lastLineWindow = 4096
	// ownLine starts the lines that the daemon itself writes to a log.
	ownLine = "--- "
)

// logs are the files that handlers write to, one per session.
//
// A handler gets the file itself, not a pipe. A process that it leaves behind on
// purpose (an agent, a tmux server) may write for days: it must not hold up the end
// of the delivery, and a restart of the daemon must not kill it with a broken pipe.
//
// The daemon therefore enforces the limit from outside. It checks the size while a
// handler runs, when it ends, and in the cycles, so a log can exceed the limit by
// the output between two checks. A full log is copied to the old one and truncated.
// Renaming it would not do: its writers would follow the renamed file and go on
// without a limit. Output between copy and truncation is lost.
type logs struct {
	stateRoot string
	limit     int64
	mu        sync.Mutex // held while a log is truncated
	ahead     []string   // logs that trimNext has yet to check; its caller owns the field
}

// open opens a session's log for its handler: append only, no reading.
func (l *logs) open(name string) (*os.File, error) {
	folder, err := l.folder()
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	name += session.LogSuffix
	if err := l.trimIn(folder, name); err != nil {
		return nil, err
	}
	return ownfile.OpenIn(folder, name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, fileMode)
}

func (l *logs) folder() (*os.Root, error) {
	root, err := os.OpenRoot(l.stateRoot)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = ownfile.WantFolder(root, session.LogsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = root.Mkdir(session.LogsFolder, folderMode); errors.Is(err, fs.ErrExist) {
			err = ownfile.WantFolder(root, session.LogsFolder)
		}
	}
	if err != nil {
		return nil, err
	}
	return root.OpenRoot(session.LogsFolder)
}

// trim truncates a session's log if it is full.
func (l *logs) trim(name string) error {
	folder, err := l.folder()
	if err != nil {
		return err
	}
	defer folder.Close()
	return l.trimIn(folder, name+session.LogSuffix)
}

// trimNext trims all logs, or the next logsAtOnce of them if there are more.
func (l *logs) trimNext() error {
	if _, err := os.Stat(filepath.Join(l.stateRoot, session.LogsFolder)); errors.Is(err, fs.ErrNotExist) {
		return nil // no handler has run yet
	}
	folder, err := l.folder()
	if err != nil {
		return err
	}
	defer folder.Close()
	var errs []error
	if len(l.ahead) == 0 {
		l.ahead, err = logNames(folder)
		errs = append(errs, err)
	}
	turn := l.ahead[:min(len(l.ahead), logsAtOnce)]
	l.ahead = l.ahead[len(turn):]
	for _, name := range turn {
		errs = append(errs, l.trimIn(folder, name))
	}
	return errors.Join(errs...)
}

// logNames lists the current logs of all sessions.
func logNames(folder *os.Root) ([]string, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, session.LogSuffix) })
	return names, errors.Join(err, f.Close())
}

// lastLine returns the last non-blank line of a session's log at or after the offset
// from. It ignores the daemon's own lines.
func (l *logs) lastLine(name string, from int64) (string, error) {
	folder, err := l.folder()
	if err != nil {
		return "", err
	}
	defer folder.Close()
	name += session.LogSuffix
	last, truncated, err := lastLineIn(folder, name, from)
	if err == nil && last == "" && truncated {
		last, _, err = lastLineIn(folder, name+session.OldLogSuffix, 0)
	}
	return last, err
}

// lastLineIn is lastLine for one file. It also reports whether the file was truncated
// since it had the length from.
func lastLineIn(folder *os.Root, name string, from int64) (last string, truncated bool, err error) {
	f, err := ownfile.OpenIn(folder, name, os.O_RDONLY, 0)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	if truncated = from > info.Size(); truncated {
		from = 0
	}
	from = max(from, info.Size()-lastLineWindow)
	text, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ownLine) {
			last = line
		}
	}
	return last, truncated, err
}

func (l *logs) trimIn(folder *os.Root, name string) error {
	info, err := folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // a named pipe would block, a link could lead anywhere
		return ownfile.NotRegular(filepath.Join(session.LogsFolder, name))
	case info.Size() < l.limit:
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.startAnew(folder, name)
}

// startAnew copies the last limit bytes of the log to the old one and truncates it.
func (l *logs) startAnew(folder *os.Root, name string) error {
	f, err := ownfile.OpenIn(folder, name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < l.limit { // another goroutine was first
		return err
	}
	// Remove the old log instead of overwriting it: it could be a link.
	if err := folder.Remove(name + session.OldLogSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	copied := l.copyEnd(folder, name+session.OldLogSuffix, f, info.Size())
	// A full disk costs the old part, never the limit.
	return errors.Join(copied, f.Truncate(0))
}

func (l *logs) copyEnd(folder *os.Root, name string, from *os.File, size int64) (err error) {
	old, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	_, err = io.Copy(old, io.NewSectionReader(from, size-l.limit, l.limit))
	return err
}
