package ownfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/ownfile"
)

const precious = "precious\n"

// Each way to open a file, and each thing that is not one of the program's own.
func TestFilesOfOthers(t *testing.T) {
	for name, place := range map[string]func(target, path string) error{
		"symbolic link":          os.Symlink,
		"link to a missing file": func(target, path string) error { return os.Symlink(target+".none", path) },
		"hard link":              os.Link,
		"folder":                 func(_, path string) error { return os.Mkdir(path, 0o700) },
	} {
		for how, flag := range map[string]int{
			"read":   os.O_RDONLY,
			"append": os.O_WRONLY | os.O_APPEND | os.O_CREATE,
			"empty":  os.O_WRONLY | os.O_TRUNC | os.O_CREATE,
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				dir := t.TempDir()
				target, path := filepath.Join(dir, "target"), filepath.Join(dir, "file")
				write(t, target)
				if err := place(target, path); err != nil {
					t.Skip(err)
				}
				wantRefused(t, dir, flag)
				if got := read(t, target); got != precious {
					t.Errorf("the target holds %q", got)
				}
				if entries, _ := os.ReadDir(dir); len(entries) != 2 {
					t.Errorf("something was created: %v", entries)
				}
			})
		}
	}
}

// wantRefused tries the file by its path and below its folder.
func wantRefused(t *testing.T, dir string, flag int) {
	t.Helper()
	f, err := ownfile.OpenFile(filepath.Join(dir, "file"), flag, 0o600)
	if err == nil {
		f.Close()
	}
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("OpenFile: %v", err)
	}
	root := openRoot(t, dir)
	f, err = ownfile.OpenIn(root, "file", flag, 0o600)
	if err == nil {
		f.Close()
		t.Error("OpenIn opened it")
	}
}

func TestOwnFiles(t *testing.T) {
	dir := t.TempDir()
	root := openRoot(t, dir)
	path := filepath.Join(dir, "file")
	if _, err := ownfile.Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	for _, step := range []struct {
		flag int
		want string
	}{
		{os.O_WRONLY | os.O_CREATE | os.O_APPEND, "x"},
		{os.O_WRONLY | os.O_CREATE | os.O_APPEND, "xx"},
		{os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "x"},
	} {
		f, err := ownfile.OpenIn(root, "file", step.flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x"); err != nil {
			t.Error(err)
		}
		f.Close()
		if got := read(t, path); got != step.want {
			t.Errorf("the file holds %q, want %q", got, step.want)
		}
	}
	if _, err := ownfile.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL: %v", err)
	}
}

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(precious), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
