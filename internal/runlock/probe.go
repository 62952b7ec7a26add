package runlock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"the-loop/internal/ownfile"
)

// State is what a lock file tells about its holder.
type State struct {
	// Held is whether a process holds the lock, and so is alive.
	Held bool
	// PID is the holder's as the file has it; 0 when nobody holds the lock or
	// the file does not tell.
	PID int
	// Proven is set when PID is, in this pid namespace, the process that holds
	// the lock. Only such a pid may be signalled: another one belongs to a
	// container or machine that shares the folder, or to an innocent process.
	Proven bool
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
		c := readContent(path)
		// No pid: the holder has just come or is just going. Ask both again.
		if c.pid != 0 || !pause(ctx) {
			return State{Held: true, PID: c.pid, Proven: c.proven(path), Stopping: c.stopping}, nil
		}
	}
}

// exclusivelyHeld asks with a shared lock, which other probes do not refuse.
func exclusivelyHeld(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = ownfile.Check(path, info)
	}
	if err != nil {
		return false, fmt.Errorf("lock: %w", err)
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
