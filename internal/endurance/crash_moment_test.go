//go:build unix

package endurance_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// moment says when and how a life of the daemon ends.
type moment struct {
	what  string
	count int
	how   string
}

// The countable events since the daemon's start.
const (
	atStart     = "line of its log"
	atCall      = "call of gh"
	atEvent     = "event"
	atBegin     = "handler's begin"
	atEnd       = "handler's end"
	atTemporary = "temporary file"
	atRotation  = "rotation"
)

// The ways to end.
const (
	killed    = "SIGKILL"                     // only the daemon dies; its children go on
	killedAll = "SIGKILL to all"              // its children die too
	stopped   = "SIGTERM"                     // a clean stop
	hurried   = "SIGKILL on its way out"      // a kill during a stop
	late      = "not reached"                 // killed, but before the moment came
	rivalled  = "a second daemon was refused" // during the life
)

func (m moment) String() string { return fmt.Sprintf("%s at %s %d", m.how, m.what, m.count) }

// moment draws the next moment.
func (c *crash) moment() moment {
	m := moment{
		what: pick(c.rng,
			choice[string]{2, atStart}, choice[string]{20, atCall}, choice[string]{20, atEvent},
			choice[string]{15, atBegin}, choice[string]{15, atEnd}, choice[string]{25, atTemporary},
			choice[string]{5, atRotation}),
		how: pick(c.rng,
			choice[string]{70, killed}, choice[string]{17, killedAll},
			choice[string]{8, stopped}, choice[string]{5, hurried}),
	}
	if !watchable && (m.what == atTemporary || m.what == atRotation) {
		m.what = atEvent
	}
	most := map[string]int{
		atStart: 1, atCall: 60, atEvent: 50, atBegin: 10, atEnd: 10, atTemporary: 40, atRotation: 1,
	}[m.what]
	m.count = 1 + c.rng.IntN(most)
	return m
}

// tail counts the new lines of a file.
type tail struct {
	name   string
	offset int64
}

// skip ignores the lines already there.
func (t *tail) skip() {
	t.offset = 0
	if info, err := os.Stat(t.name); err == nil {
		t.offset = info.Size()
	}
}

// read returns the number of new lines. A file that has become shorter counts from its
// start.
func (t *tail) read() int {
	f, err := os.Open(t.name)
	if err != nil {
		return 0
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() < t.offset {
		t.offset = 0
	}
	text, err := io.ReadAll(io.NewSectionReader(f, t.offset, 1<<30))
	if err != nil {
		return 0
	}
	t.offset += int64(len(text))
	return bytes.Count(text, []byte("\n"))
}
