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

// State describes the holder of a lock.
type State struct {
	// Held is set if a process holds the lock, and therefore lives.
	Held bool
	// PID is the holder's pid according to the file, 0 if unknown or not Held.
	PID int
	// Proven is set if PID is, in this pid namespace, the process that holds the lock.
	// Signal no other pid: it can belong to a container or machine that shares the
	// folder, or to an innocent process.
	Proven bool
	// Stopping is set once the holder has begun to shut down.
	Stopping bool
}

// Probe examines the lock of the file at path. It creates nothing and keeps no process
// from the lock. Only the lock decides whether it is held: an unlocked file belongs
// to a dead poller, whatever pid it holds. A missing file is no error.
func Probe(path string) (State, error) {
	ctx, cancel := context.WithTimeout(context.Background(), pidPatience)
	defer cancel()
	for {
		held, err := exclusivelyHeld(path)
		if err != nil || !held {
			return State{}, err
		}
		c := readContent(path)
		// No pid: the holder is just starting or ending. Ask for both again.
		if c.pid != 0 || !pause(ctx) {
			return State{Held: true, PID: c.pid, Proven: c.proven(path), Stopping: c.stopping}, nil
		}
	}
}

// exclusivelyHeld tries a shared lock, which the probes of other processes permit.
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
