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
	// holderPatience is how long Acquire tries before it believes in another
	// holder. It is there for one that is about to let go.
	holderPatience = 250 * time.Millisecond
	// readerPatience is how long Acquire tries while nobody holds the lock but
	// probes keep looking at it, each for microseconds.
	readerPatience = 10 * time.Second
	// pidPatience is how long a reader waits for a pid: between taking the
	// lock and writing the number a holder has none.
	pidPatience = 50 * time.Millisecond
	// contentLimit is how much of the file is read, in bytes.
	contentLimit = 256
)

// HeldError says that another process holds the lock.
type HeldError struct {
	// PID is the holder's, 0 when the file does not tell.
	PID  int
	Path string
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "another poller is running and holds " + e.Path
	}
	return fmt.Sprintf("another poller is running (pid %d) and holds %s", e.PID, e.Path)
}

// Lock is a held lock. Its methods may be called by several goroutines.
type Lock struct {
	mu      sync.Mutex
	flock   *flock.Flock
	content *os.File // nil once released
	end     int64    // where the next line of content goes
}

// Acquire takes the lock of the file at path and writes into it which process
// this is. It creates the file (0600) and its folder (0700) where they are
// missing. Another process's lock is a *HeldError, found out within about a
// third of a second; any other error means that the file cannot serve as one.
// A link or a file with a second name is refused and left as it is.
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
		_ = l.Release() // the first error is the one to tell
		return nil, fmt.Errorf("write the pid: %w", err)
	}
	return l, nil
}

// contend tries for the exclusive lock until it has it, or until it is clear
// that somebody else does.
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

// try makes one attempt; neither lock nor error means that the lock is taken.
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

// create makes the file where it is missing, and refuses one that is not the
// program's own: the lock's holder empties it.
func create(path string) error {
	f, err := ownfile.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// sameFile reports whether the locked file is still the one at path: clearing
// the folder in between makes the lock worthless, and so does a link.
func sameFile(f *flock.Flock, path string) bool {
	locked, err := f.Stat()
	if err != nil {
		return false
	}
	present, err := os.Lstat(path)
	return err == nil && os.SameFile(locked, present)
}

// sign replaces what an earlier holder left in the file: the pid, the start
// time and the pid namespace of this process, a line each. The lock itself is
// on another handle; closing this one does not free it.
func (l *Lock) sign(path string) error {
	content, err := ownfile.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	l.content = content
	// Best effort: a file with other rights is as good a lock.
	_ = content.Chmod(0o600)
	if err := clearContent(content); err != nil {
		return err
	}
	text := signature(os.Getpid())
	l.end = contentAt + int64(len(text))
	_, err = content.WriteAt([]byte(text), contentAt)
	return err
}

// MarkStopping notes in the file that the holder is on its way out, so that
// nobody sends it a second signal. A second call changes nothing.
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

// Release frees the lock and leaves the file in place, emptied: a pid that
// outlives its process would only mislead. A second call changes nothing.
func (l *Lock) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.content != nil {
		// Neither matters to the lock, and an emptied file is a courtesy.
		_ = clearContent(l.content)
		_ = l.content.Close()
		l.content = nil
	}
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("release the lock: %w", err)
	}
	return nil
}

// uninterrupted repeats an attempt that a signal cut short: some file systems
// answer EINTR even to an attempt that does not wait.
func uninterrupted(attempt func() (bool, error)) (bool, error) {
	for {
		ok, err := attempt()
		if !errors.Is(err, syscall.EINTR) {
			return ok, err
		}
	}
}

// pause waits a moment, of uneven length so that two contenders do not step on
// each other for ever. False means that the context has ended.
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
