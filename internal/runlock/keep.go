package runlock

import (
	"fmt"
	"os"
	"path/filepath"
)

// Keep makes sure that the lock is on the file that is at its path now. If the file or
// a folder above it was removed or replaced, the next process would find a file
// without a holder. Keep then locks that file, creating it if necessary, and returns
// true.
//
// A *HeldError means that another process was faster and owns the path now. After any
// other error no process can hold the lock; call Keep again later.
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
		_ = next.Release() // report the first error
		return false, fmt.Errorf("write the pid: %w", err)
	}
	lost := &Lock{flock: l.flock, content: l.content}
	l.flock, l.content, l.end = next.flock, next.content, next.end
	_ = lost.Release() // its file is no longer at the path
	return true, nil
}
