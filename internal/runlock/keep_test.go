//go:build unix

package runlock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"the-loop/internal/runlock"
)

func TestKeep(t *testing.T) {
	pid := os.Getpid()
	for name, tt := range map[string]struct {
		lose    func(path string) error
		renewed bool
	}{
		"nothing happened": {func(string) error { return nil }, false},
		"content changed":  {func(path string) error { return os.WriteFile(path, []byte("1\n"), 0o600) }, false},
		"file removed":     {os.Remove, true},
		"folder removed":   {func(path string) error { return os.RemoveAll(filepath.Dir(path)) }, true},
		"file replaced": {func(path string) error {
			if err := os.Rename(path, path+".old"); err != nil {
				return err
			}
			return os.WriteFile(path, nil, 0o600)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := lockPath(t)
			lock := acquire(t, path)
			if err := tt.lose(path); err != nil {
				t.Fatal(err)
			}
			if renewed, err := lock.Keep(); renewed != tt.renewed || err != nil {
				t.Fatalf("Keep = %v, %v; want %v", renewed, err, tt.renewed)
			}
			if tt.renewed {
				wantState(t, path, held(pid))
			}
			refusal := (*runlock.HeldError)(nil)
			if _, err := runlock.Acquire(path); !errors.As(err, &refusal) {
				t.Errorf("a second holder: %v, want a HeldError", err)
			}
			if renewed, err := lock.Keep(); renewed || err != nil {
				t.Errorf("Keep again = %v, %v", renewed, err)
			}
		})
	}
}

// TestKeepComesLate: another process has taken the lock of the new file.
func TestKeepComesLate(t *testing.T) {
	path := lockPath(t)
	first := acquire(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	acquire(t, path)
	refusal := (*runlock.HeldError)(nil)
	if renewed, err := first.Keep(); renewed || !errors.As(err, &refusal) || refusal.PID != os.Getpid() {
		t.Errorf("Keep = %v, %v; want a HeldError with a pid", renewed, err)
	}
	wantState(t, path, held(os.Getpid()))
}

// TestKeepCannot: there is no place for a lock, and then there is.
func TestKeepCannot(t *testing.T) {
	path := lockPath(t)
	lock := acquire(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if renewed, err := lock.Keep(); renewed || err == nil {
		t.Errorf("Keep = %v, %v; want an error", renewed, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if renewed, err := lock.Keep(); !renewed || err != nil {
		t.Errorf("Keep = %v, %v; want it renewed", renewed, err)
	}
	wantState(t, path, held(os.Getpid()))
}
