//go:build unix

package ownfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"the-loop/internal/ownfile"
)

func TestCheckFolder(t *testing.T) {
	for name, c := range map[string]struct {
		root, items os.FileMode
		owner       int // 0 for this user
		want        string
	}{
		"private":                    {root: 0o700, items: 0o700},
		"readable":                   {root: 0o755, items: 0o755},
		"group can write":            {root: 0o770, items: 0o700, want: "chmod go-w"},
		"others can write":           {root: 0o707, items: 0o700, want: "chmod go-w"},
		"sticky, others can write":   {root: 0o777 | os.ModeSticky, items: 0o700, want: "chmod go-w"},
		"others can write below":     {root: 0o755, items: 0o777, want: "chmod go-w"},
		"nobody gets below":          {root: 0o700, items: 0o777},
		"another user's":             {root: 0o700, items: 0o700, owner: 12345, want: "chown -R"},
		"another user's, group's, …": {root: 0o777, items: 0o777, owner: 12345, want: "chown -R"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "state root")
			items := filepath.Join(root, "items")
			for folder, mode := range map[string]os.FileMode{items: c.items, root: c.root} {
				if err := errors.Join(os.MkdirAll(folder, 0o700), os.Chmod(folder, mode)); err != nil {
					t.Fatal(err)
				}
			}
			if c.owner != 0 && os.Chown(root, c.owner, c.owner) != nil {
				t.Skip("only root gives folders away")
			}
			err := ownfile.CheckFolder(root, "items", "logs")
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refusal := (*ownfile.FolderError)(nil)
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Hint(), c.want) || !strings.Contains(refusal.Hint(), "'"+root) {
				t.Errorf("got %v, want a refusal that says %q", err, c.want)
			}
		})
	}
	if err := ownfile.CheckFolder(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Errorf("a missing folder: %v", err)
	}
}

// A pipe would hold up whoever opens it.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "file"), 0o600); err != nil {
		t.Skip(err)
	}
	wantRefused(t, dir, os.O_RDONLY)
	wantRefused(t, dir, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
}
