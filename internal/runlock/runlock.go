package runlock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"the-loop/internal/ownfile"
)

// FileName is the lock's name in the state root.
const FileName = "poll.pid"

const (
	// holderPatience is the time for which Acquire tries before it reports another
	// holder, which may be about to let go.
	holderPatience = 250 * time.Millisecond
	// readerPatience is the time for which Acquire tries while only probes use the
	// lock, each for microseconds.
	readerPatience = 10 * time.Second
	// pidPatience is the time for which a reader waits for a pid: a new holder takes
	// the lock first and then writes its pid.
	pidPatience = 50 * time.Millisecond
	// contentLimit is the part of the file that is read, in bytes.
	contentLimit = 256
)

// HeldError says that another process holds the lock.
type HeldError struct {
	// PID is the holder's, 0 if the file does not hold it.
	PID  int
	Path string
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "another poller is running and holds " + e.Path
	}
	return fmt.Sprintf("another poller is running (pid %d) and holds %s", e.PID, e.Path)
}

// Lock is a held lock. Its methods are safe for concurrent use.
type Lock struct {
	mu      sync.Mutex
	flock   *flock.Flock
	content *os.File // nil once released
	end     int64    // where the next line of content goes
}

// Acquire locks the file at path and writes the identity of this process into it. It
// creates the file (0600) and its folder (0700) if they are missing. If another
// process holds the lock, it returns a *HeldError within about a third of a second.
// Any other error means that the file cannot serve as a lock. Acquire refuses a link
// or a file with a second name and leaves it as it is.
func Acquire(path string) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create the lock's folder: %w", err)
	}
	held, err := contend(path)
	if err != nil {
		return nil, err
	}
	l := &Lock{flock: held}
	if err := l.sign(path); err != nil {
		_ = l.Release() // report the first error
		return nil, fmt.Errorf("write the pid: %w", err)
	}
	return l, nil
}

// contend tries to get the exclusive lock until it is clear that another process
// holds it.
func contend(path string) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readerPatience)
	defer cancel()
	start := time.Now()
	for {
		held, err := try(path)
		if held != nil || err != nil {
			return held, err
		}
		if time.Since(start) >= holderPatience {
			taken, err := exclusivelyHeld(path)
			if err != nil {
				return nil, err
			}
			if taken {
				return nil, &HeldError{PID: awaitContent(ctx, path).pid, Path: path}
			}
		}
		if !pause(ctx) {
			return nil, fmt.Errorf("lock %s: other processes kept it busy for %s", path, readerPatience)
		}
	}
}

// try makes one attempt. Neither a lock nor an error means that the lock is taken.
func try(path string) (*flock.Flock, error) {
	if err := create(path); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	f := flock.New(path, flock.SetFlag(os.O_RDWR))
	ok, err := uninterrupted(f.TryLock)
	if errors.Is(err, fs.ErrNotExist) { // removed since
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if ok && sameFile(f, path) {
		return f, nil
	}
	if err := f.Unlock(); err != nil {
		return nil, fmt.Errorf("unlock: %w", err)
	}
	return nil, nil
}

// create makes the file if it is missing. It refuses a file that is not the program's
// own, because the lock's holder empties it.
func create(path string) error {
	f, err := ownfile.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// sameFile reports whether the locked file is still the one at path. If it was removed
// or replaced by a link, the lock is worthless.
func sameFile(f *flock.Flock, path string) bool {
	locked, err := f.Stat()
	if err != nil {
		return false
	}
	present, err := os.Lstat(path)
	return err == nil && os.SameFile(locked, present)
}

// sign replaces the text of an earlier holder with the pid, the start time and the pid
// namespace of this process, a line each. The lock itself is on another handle;
// closing this one does not free it.
func (l *Lock) sign(path string) error {
	content, err := ownfile.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	l.content = content
	// Best effort: a file with another mode still serves as a lock.
	_ = content.Chmod(0o600)
	if err := clearContent(content); err != nil {
		return err
	}
	text := signature(os.Getpid())
	l.end = contentAt + int64(len(text))
	_, err = content.WriteAt([]byte(text), contentAt)
	return err
}

// MarkStopping writes into the file that the holder is shutting down, so that no
// process sends it a second signal. A second call changes nothing.
func (l *Lock) MarkStopping() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.content == nil {
		return nil
	}
	if _, err := l.content.WriteAt([]byte(stoppingLine+"\n"), l.end); err != nil {
		return fmt.Errorf("mark the lock as stopping: %w", err)
	}
	return nil
}

// Release frees the lock. It empties the file, because the pid of a dead process would
// mislead, and leaves it in place. A second call changes nothing.
func (l *Lock) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.content != nil {
		// Neither matters to the lock; emptying the file is a courtesy.
		_ = clearContent(l.content)
		_ = l.content.Close()
		l.content = nil
	}
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("release the lock: %w", err)
	}
	return nil
}

// uninterrupted repeats an attempt that a signal interrupted: some file systems
// answer EINTR even to an attempt that does not wait.
func uninterrupted(attempt func() (bool, error)) (bool, error) {
	for {
		ok, err := attempt()
		if !errors.Is(err, syscall.EINTR) {
			return ok, err
		}
	}
}

// pause waits for a short random time, so that two contenders do not collide for
// ever. It returns false if the context has ended.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(time.Millisecond + rand.N(4*time.Millisecond))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
