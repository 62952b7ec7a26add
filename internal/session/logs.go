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

// Where the handlers of a session print to: LogsFolder/NAME+LogSuffix, and what
// that held before it was full under the same name with OldLogSuffix. Package
// dispatch writes them; here they are read and, with their session, removed.
const (
	LogsFolder   = "logs"
	LogSuffix    = ".log"
	OldLogSuffix = ".1"
)

// logWindow is how many bytes at a log's end LogTail searches for lines.
const logWindow = 256 << 10

// LogPath is where the output of a session's handlers goes below root.
func LogPath(root, session string) string {
	return filepath.Join(root, LogsFolder, session+LogSuffix)
}

// LogTail is the last lines of a session's log, at most n of them, as they
// are: what handlers and whatever they started printed. A log that no handler
// has written to yet has none. Of very long lines there are fewer.
func LogTail(root, session string, n int) (lines []string, err error) {
	data, err := logEnd(root, session)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
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

// logEnd is the end of the log, from the beginning of a line on.
func logEnd(root, session string) ([]byte, error) {
	if !ValidName(session) { // it becomes a file's name
		return nil, fmt.Errorf("%q is not a session's name", session)
	}
	stateRoot, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer stateRoot.Close()
	name := filepath.Join(LogsFolder, session+LogSuffix)
	if err := ownfile.WantFolder(stateRoot, LogsFolder); err != nil {
		return nil, err
	}
	f, err := ownfile.OpenIn(stateRoot, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-logWindow)
	data, err := io.ReadAll(io.NewSectionReader(f, from, logWindow))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		if _, rest, found := bytes.Cut(data, []byte("\n")); found && len(rest) > 0 {
			data = rest
		}
	}
	return data, nil
}

// removeLogs removes what the handlers of a session that is over have printed.
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
