package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"the-loop/internal/ownfile"
)

// Handlers of a session print to LogsFolder/NAME+LogSuffix. When that file is full, its
// content moves to the same name with OldLogSuffix. Package dispatch writes these
// files; this package reads them and removes them with their session.
const (
	LogsFolder   = "logs"
	LogSuffix    = ".log"
	OldLogSuffix = ".1"
)

// logWindow is the part of a log in which LogTail looks for lines, in bytes from the end.
const logWindow = 256 << 10

// LogPath returns the path of a session's log below root, the state root.
func LogPath(root, session string) string {
	return filepath.Join(root, LogsFolder, session+LogSuffix)
}

// LogTail returns at most the last n lines of a session's log: the unfiltered output of
// handlers and their children. A log that does not exist yet has none. Very long lines
// reduce their number.
func LogTail(root, session string, n int) (lines []string, err error) {
	data, whole, err := logEnd(root, session, LogSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && whole && bytes.Count(data, []byte("\n")) < n { // perhaps just started anew
		before, _, oldErr := logEnd(root, session, LogSuffix+OldLogSuffix)
		if oldErr != nil && !errors.Is(oldErr, fs.ErrNotExist) {
			err = oldErr
		}
		data = append(before, data...)
	}
	if err != nil {
		return nil, fmt.Errorf("log of session %s: %w", session, err)
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	if len(data) == 0 {
		return nil, nil
	}
	all := bytes.Split(data, []byte("\n"))
	for _, line := range all[max(0, len(all)-n):] {
		lines = append(lines, string(line))
	}
	return lines, nil
}

// logEnd returns the end of one of the session's logs, from the start of a line, and
// whether that is the whole log.
func logEnd(root, session, suffix string) (data []byte, whole bool, err error) {
	if !ValidName(session) { // used as a file name
		return nil, false, fmt.Errorf("%q is not a session's name", session)
	}
	stateRoot, err := os.OpenRoot(root)
	if err != nil {
		return nil, false, err
	}
	defer stateRoot.Close()
	name := filepath.Join(LogsFolder, session+suffix)
	if err := ownfile.WantFolder(stateRoot, LogsFolder); err != nil {
		return nil, false, err
	}
	f, err := ownfile.OpenIn(stateRoot, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	from := max(0, info.Size()-logWindow)
	data, err = io.ReadAll(io.NewSectionReader(f, from, logWindow))
	if err != nil {
		return nil, false, err
	}
	if from > 0 {
		if _, rest, found := bytes.Cut(data, []byte("\n")); found && len(rest) > 0 {
			data = rest
		}
	}
	return data, from == 0, nil
}

// removeLogs removes the logs of an ended session.
func removeLogs(stateRoot, session string) error {
	root, err := os.OpenRoot(stateRoot)
	if err != nil {
		return err
	}
	defer root.Close()
	err = ownfile.WantFolder(root, LogsFolder)
	for _, name := range []string{session + LogSuffix, session + LogSuffix + OldLogSuffix} {
		if err == nil {
			err = root.Remove(filepath.Join(LogsFolder, name))
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}
