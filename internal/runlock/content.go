package runlock

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"the-loop/internal/ownfile"
)

// stoppingLine is the file's last line while its holder is shutting down.
const stoppingLine = "stopping"

// content is the text of a lock file: the holder's pid, and the facts that distinguish
// its process from a later or foreign one with the same pid. Versions before 0.2
// wrote only the pid.
type content struct {
	pid      int
	process  identity
	stopping bool
}

// identity distinguishes a process from every other with the same pid, now or at any
// other time. The zero value belongs to no process.
type identity struct {
	started   string // start time in the system's own form, including the boot
	namespace string // pid namespace
}

func (i identity) known() bool { return i.started != "" && i.namespace != "" }

// signature is the file's text for this process.
func signature(pid int) string {
	text := strconv.Itoa(pid) + "\n"
	if i := identify(pid); i.known() {
		text += i.started + "\n" + i.namespace + "\n"
	}
	return text
}

// proven reports whether the pid belongs to the process that holds the lock of the
// file at path. The kernel's table counts for more than the file.
func (c content) proven(path string) bool {
	if c.pid == 0 {
		return false
	}
	switch lockedBy(path, c.pid) {
	case holderIs:
		return true
	case holderIsNot:
		return false
	default:
		return c.process.known() && c.process == identify(c.pid)
	}
}

// verdict is the kernel's answer about the holder of a lock.
type verdict int

const (
	holderUnknown verdict = iota // no answer, or the holder is elsewhere
	holderIs
	holderIsNot
)

// awaitContent reads the file until it holds a pid or patience ends.
func awaitContent(ctx context.Context, path string) content {
	ctx, cancel := context.WithTimeout(ctx, pidPatience)
	defer cancel()
	for {
		c := readContent(path)
		if c.pid != 0 || !pause(ctx) {
			return c
		}
	}
}

// readContent reads the file. An unreadable one gives the zero content.
func readContent(path string) content {
	f, err := ownfile.Open(path)
	if err != nil {
		return content{}
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, contentLimit)
	n, err := f.ReadAt(text, contentAt)
	if err != nil && !errors.Is(err, io.EOF) {
		return content{}
	}
	return parseContent(string(text[:n]))
}

func parseContent(text string) content {
	var lines [4]string
	for i := range lines {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		lines[i] = strings.TrimSpace(line)
	}
	pid, err := strconv.Atoi(lines[0])
	if err != nil || pid <= 0 {
		return content{}
	}
	if lines[1] == stoppingLine || lines[1] == "" {
		return content{pid: pid, stopping: lines[1] == stoppingLine}
	}
	return content{
		pid:      pid,
		process:  identity{started: lines[1], namespace: lines[2]},
		stopping: lines[3] == stoppingLine,
	}
}
