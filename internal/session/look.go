package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"the-loop/internal/ownfile"
	"the-loop/internal/safetext"
)

// logWindow is how much of a log's end is looked through for its last lines,
// in bytes.
const logWindow = 256 << 10

// Encode is the record as its file has it: JSON with a two-space indent and a
// final newline, the keys that this program does not know included.
func (r *Record) Encode() ([]byte, error) { return r.encode() }

// EncodeAll is a list of records as JSON, with a two-space indent and a final
// newline; "[]" when there is none.
func EncodeAll(records []Record) ([]byte, error) {
	if len(records) == 0 {
		return []byte("[]\n"), nil
	}
	type plain Record // without the method that looks after unknown keys and takes twice as long
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	separator := "[\n  "
	for i := range records {
		var r any = plain(records[i])
		if len(records[i].Extra) > 0 {
			r = records[i]
		}
		b.WriteString(separator)
		if err := encoder.Encode(r); err != nil {
			return nil, fmt.Errorf("encode record of %s: %w", records[i].Ref, err)
		}
		b.Truncate(b.Len() - 1) // its newline
		separator = ",\n  "
	}
	b.WriteString("\n]\n")
	return safetext.JSON(b.Bytes()), nil
}

// RecordPath is where the record of ref lies below root, the state root.
func RecordPath(root string, ref Ref) string { return tree{root}.path(ref) }

// LogPath is where the output of a session's handlers goes below root.
func LogPath(root, session string) string {
	return filepath.Join(root, logsFolder, session+logSuffix)
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
	if !validName(session) { // it becomes a file's name
		return nil, fmt.Errorf("%q is no session's name", session)
	}
	stateRoot, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer stateRoot.Close()
	name := filepath.Join(logsFolder, session+logSuffix)
	if err := wantFolder(stateRoot, logsFolder); err != nil {
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
