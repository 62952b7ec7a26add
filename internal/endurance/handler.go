package endurance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// RoundVariable identifies the daemon's life for the test. The handler copies it into
// its entries.
const RoundVariable = "SIMGITHUB_ROUND"

const journalFile = "journal"

// Entry is one line of the journal.
type Entry struct {
	Ended    bool // true at the run's end, false at its start
	Code     int  // the exit code, at the end
	Round    string
	PID      int
	Event    string // spawn, comment, close
	Delivery string // the delivery's id
	Attempt  int
	Session  string // ref of the item that owns the session
	Item     string // ref of the event's item
	Comment  string // the comment's id
}

// exitTempFail asks the daemon for a retry in the next cycle.
const exitTempFail = 75

// Handler is the program that the daemon runs for each event. It records its input and
// returns its exit code: 0, unless the world's unrest makes it fail.
func Handler(stdin io.Reader, stdout, stderr io.Writer) int {
	code, err := handle(stdin, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "endurance:", err)
		return refused
	}
	return code
}

func handle(stdin io.Reader, stdout io.Writer) (int, error) {
	dir := os.Getenv(DirVariable)
	e, err := readInput(stdin)
	if err != nil {
		return 0, err
	}
	n, err := e.write(dir)
	if err != nil {
		return 0, err
	}
	w, err := Load(dir)
	if err != nil {
		return 0, err
	}
	c := w.chance(n)
	c.dawdle()
	e.Ended = true
	switch {
	case c.hit(c.unrest.Fail):
		e.Code = 1
	case c.hit(c.unrest.Defer):
		e.Code = exitTempFail
	}
	fmt.Fprintf(stdout, "%s %s: %d\n", e.Event, e.Delivery, e.Code)
	if _, err := e.write(dir); err != nil {
		return 0, err
	}
	c.dawdle() // the daemon does not know the result yet
	return e.Code, nil
}

// readInput builds an entry from the event and the daemon's environment.
func readInput(stdin io.Reader) (Entry, error) {
	var in struct {
		Event      string
		DeliveryID string
		Attempt    int
		Session    struct{ Ref string }
		Item       struct {
			Owner, Repo string
			Number      int
		}
		Comment struct{ ID string }
	}
	if err := json.NewDecoder(stdin).Decode(&in); err != nil {
		return Entry{}, fmt.Errorf("stdin: %w", err)
	}
	if id := os.Getenv("THE_LOOP_DELIVERY_ID"); id != in.DeliveryID {
		return Entry{}, fmt.Errorf("the environment has delivery %q, stdin %q", id, in.DeliveryID)
	}
	return Entry{
		Round: os.Getenv(RoundVariable), PID: os.Getpid(), Event: in.Event, Delivery: in.DeliveryID, Attempt: in.Attempt,
		Session: in.Session.Ref, Item: fmt.Sprintf("github:%s/%s#%d", in.Item.Owner, in.Item.Repo, in.Item.Number),
		Comment: in.Comment.ID,
	}, nil
}

func (e Entry) write(dir string) (uint64, error) {
	line, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	// The line before may lack its end: a kill can have hit its writer.
	return appendLine(dir, journalFile, "\n"+string(line), true)
}

// Journal reads the handlers' entries in steps.
type Journal struct {
	dir    string
	offset int64
	// Torn counts the incomplete lines of handlers killed while they wrote.
	Torn int
}

// NewJournal returns a reader at the start of the journal in dir.
func NewJournal(dir string) *Journal { return &Journal{dir: dir} }

// Read returns the entries since the last Read. It leaves a line without an end for the
// next call.
func (j *Journal) Read() ([]Entry, error) {
	f, err := os.Open(filepath.Join(j.dir, journalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(j.offset, io.SeekStart); err != nil {
		return nil, err
	}
	var entries []Entry
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadString('\n')
		if !strings.HasSuffix(line, "\n") {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return entries, err
		}
		j.offset += int64(len(line))
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var e Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			j.Torn++
			continue
		}
		entries = append(entries, e)
	}
}
