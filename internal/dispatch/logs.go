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

	// logLimit is the size in bytes from which a log is started anew.
	logLimit = 10_000_000
	// logsAtOnce is how many logs are looked at in a cycle: one is left of each
	// session ever, and hardly any of them still grows.
	logsAtOnce = 1000
	// lastLineWindow is where the last line of a log is looked for, in bytes from
	// its end.
	lastLineWindow = 4096
	// ownLine begins the daemon's own lines in a log.
	ownLine = "--- "
)

// logs are the files that handlers write to, one per session.
//
// A handler gets the file itself, not a pipe: what it leaves behind on purpose
// (an agent, a tmux server) may go on writing for days, must not block the
// delivery's end, and must not be killed by a broken pipe when the daemon is
// restarted. So nothing stands between a handler and its log, and the limit is
// kept from outside, by looking at the size while a handler runs, when it
// ended, and once in each cycle, or in one of several when there are very many:
// a log can exceed the limit by what is written between two looks. A log that
// is full is copied to the old one and truncated. It is not renamed, because
// whoever holds it open would write to the renamed file, and later to a deleted
// one, without any limit; what is written in between copy and truncation is
// lost, which a flood can bear.
type logs struct {
	stateRoot string
	limit     int64
	mu        sync.Mutex // one log is started anew at a time
	ahead     []string   // for trimNext, whose caller owns it: what to look at next
}

// open opens the log of a session for appending, and for no reading: it is
// given to the handler.
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

// trim starts the log of a session anew when it is full.
func (l *logs) trim(name string) error {
	folder, err := l.folder()
	if err != nil {
		return err
	}
	defer folder.Close()
	return l.trimIn(folder, name+session.LogSuffix)
}

// trimNext is trim for the logs whose turn it is: all that there are, or the
// next ones of very many.
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

// logNames lists the logs of all sessions, without the old ones.
func logNames(folder *os.Root) ([]string, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, session.LogSuffix) })
	return names, errors.Join(err, f.Close())
}

// lastLine is the last line that is not blank of what was written to the log of
// a session from there on, without the daemon's own.
func (l *logs) lastLine(name string, from int64) (string, error) {
	folder, err := l.folder()
	if err != nil {
		return "", err
	}
	defer folder.Close()
	f, err := folder.Open(name + session.LogSuffix)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if from > info.Size() { // it was started anew meanwhile
		from = 0
	}
	from = max(from, info.Size()-lastLineWindow)
	text, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	last := ""
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ownLine) {
			last = line
		}
	}
	return last, err
}

func (l *logs) trimIn(folder *os.Root, name string) error {
	info, err := folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // a named pipe would block, a link lead elsewhere
		return ownfile.NotRegular(filepath.Join(session.LogsFolder, name))
	case info.Size() < l.limit:
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.startAnew(folder, name)
}

// startAnew keeps the end of the log, limit bytes of it, as the old one.
func (l *logs) startAnew(folder *os.Root, name string) error {
	f, err := ownfile.OpenIn(folder, name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < l.limit { // somebody else was first
		return err
	}
	// The old one is removed and not overwritten: it could be a link.
	if err := folder.Remove(name + session.OldLogSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	copied := l.copyEnd(folder, name+session.OldLogSuffix, f, info.Size())
	// On a full disk the old part is given up and the limit is kept.
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
