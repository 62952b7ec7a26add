package runlock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// stoppingLine is the file's second line while its holder is shutting down.
const stoppingLine = "stopping"

// State is what a lock file tells about its holder.
type State struct {
	// Held is whether somebody holds the lock, and so is alive.
	Held bool
	// PID is the holder's; 0 when nobody holds the lock or the file, held all
	// the same, does not tell.
	PID int
	// Stopping is set once the holder has begun to shut down.
	Stopping bool
}

// Probe looks at the lock of the file at path without keeping anybody from
// it, and creates nothing. Whether it is held comes from the lock alone: a
// file that nobody locks is a dead poller's, whatever pid it holds, and a
// missing one nobody's. An error means that the lock could not be asked.
func Probe(path string) (State, error) {
	ctx, cancel := context.WithTimeout(context.Background(), pidPatience)
	defer cancel()
	for {
		held, err := exclusivelyHeld(path)
		if err != nil || !held {
			return State{}, err
		}
		state := readContent(path)
		state.Held = true
		// No pid: the holder has just come or is just going. Ask both again.
		if state.PID != 0 || !pause(ctx) {
			return state, nil
		}
	}
}

// exclusivelyHeld asks with a shared lock, which other probes do not refuse.
func exclusivelyHeld(path string) (bool, error) {
	err := checkRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f := flock.New(path, flock.SetFlag(os.O_RDONLY))
	ok, err := uninterrupted(f.TryRLock)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock: %w", err)
	}
	if !ok {
		return true, nil
	}
	if err := f.Unlock(); err != nil {
		return false, fmt.Errorf("unlock: %w", err)
	}
	return false, nil
}

// awaitContent reads the file until it holds a pid or patience ends.
func awaitContent(ctx context.Context, path string) State {
	ctx, cancel := context.WithTimeout(ctx, pidPatience)
	defer cancel()
	for {
		state := readContent(path)
		if state.PID != 0 || !pause(ctx) {
			return state
		}
	}
}

// readContent takes what the file says; whatever cannot be read says nothing.
func readContent(path string) State {
	f, err := os.Open(path)
	if err != nil {
		return State{}
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, 64)
	n, err := f.ReadAt(text, contentAt)
	if err != nil && !errors.Is(err, io.EOF) {
		return State{}
	}
	return parseContent(string(text[:n]))
}

func parseContent(text string) State {
	first, rest, _ := strings.Cut(text, "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 0 {
		return State{}
	}
	second, _, _ := strings.Cut(rest, "\n")
	return State{PID: pid, Stopping: strings.TrimSpace(second) == stoppingLine}
}
