package runlock

import (
	"fmt"
	"os"
	"path/filepath"
)

// Keep sees to it that the lock is on the file that is at its path now. It is
// not when somebody has removed or replaced the file, or a folder above it:
// whoever comes then finds a file that nobody holds. Keep takes the lock of
// that file, which it creates where it is missing, and reports that it did.
//
// A *HeldError says that another process was faster: the place is that one's
// now. Any other error means that there can be no lock, for nobody, until the
// next call may find one.
func (l *Lock) Keep() (renewed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	path := l.flock.Path()
	if l.content == nil || sameFile(l.flock, path) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, fmt.Errorf("create the lock's folder: %w", err)
	}
	held, err := contend(path)
	if err != nil {
		return false, err
	}
	next := &Lock{flock: held}
	if err := next.sign(path); err != nil {
		_ = next.Release() // the first error is the one to tell
		return false, fmt.Errorf("write the pid: %w", err)
	}
	lost := &Lock{flock: l.flock, content: l.content}
	l.flock, l.content, l.end = next.flock, next.content, next.end
	_ = lost.Release() // of a file that is at no place any more, or not at ours
	return true, nil
}
