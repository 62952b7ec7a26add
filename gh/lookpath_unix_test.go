//go:build unix

package gh

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cli/safeexec"
)

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, folder := range []string{"good", "bad", "empty", "folder/gh"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"good/gh": 0o755, "bad/gh": 0o644} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\necho '[]'\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	abs := func(elem ...string) string { return filepath.Join(append([]string{dir}, elem...)...) }
	list := func(dirs ...string) string {
		for i, d := range dirs {
			if i > 0 {
				dirs[0] += string(filepath.ListSeparator) + d
			}
		}
		return dirs[0]
	}
	tests := []struct {
		name, binary, path string
		want               string // "" when it is found
	}{
		{"on PATH", "", list(abs("empty"), abs("good")), ""},
		{"an absolute path", abs("good", "gh"), abs("empty"), ""},
		{"one that cannot run is passed over", "gh", list(abs("bad"), abs("folder"), abs("good")), ""},
		{"not on PATH", "gh", abs("empty"), "could not run gh: gh was not found on PATH"},
		{"no PATH", "gh", "", "could not run gh: gh was not found on PATH"},
		{"another name", "gh-2", abs("good"), "could not run gh: gh-2 was not found on PATH"},
		{"not executable on PATH", "gh", list(abs("empty"), abs("bad")),
			"could not run gh: gh was not found on PATH (" + abs("bad", "gh") + " is not executable)"},
		{"a folder on PATH", "gh", abs("folder"),
			"could not run gh: gh was not found on PATH (" + abs("folder", "gh") + " is a directory)"},
		{"no such file", abs("nowhere", "gh"), abs("good"), "could not run gh: " + abs("nowhere", "gh") + " does not exist"},
		{"a folder", abs("folder", "gh"), abs("good"), "could not run gh: " + abs("folder", "gh") + " is a directory"},
		{"not executable", abs("bad", "gh"), abs("good"), "could not run gh: " + abs("bad", "gh") + " is not executable"},
		{"a file for a folder", abs("good", "gh", "gh"), "", "could not run gh: " + abs("good", "gh", "gh") + ": not a directory"},
		{"a relative path", "./good/gh", abs("good"), "could not run gh: ./good/gh is a relative path, write an absolute one"},
		{"a relative path without a dot", "good/gh", abs("good"), "could not run gh: good/gh is a relative path, write an absolute one"},
		{"a relative entry of PATH", "gh", "good", "could not run gh: PATH finds it at good/gh, which is not an absolute path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			c := New(Options{Binary: tt.binary})
			err := c.Resolve()
			_, _, callErr := c.Issues(t.Context(), repo, Filter{})
			if tt.want == "" {
				if err != nil || callErr != nil {
					t.Errorf("Resolve() = %v, Issues() = %v, want success", err, callErr)
				}
				return
			}
			wantText(t, err, tt.want)
			wantText(t, callErr, tt.want)
			if got := ClassOf(err); got != Transient {
				t.Errorf("class = %v, want %v", got, Transient)
			}
		})
	}
}

// The library that is meant to refuse a program of the current folder does not
// on Unix. Should it begin to, the check in lookPath is needed no more.
func TestSafeexecSwallowsErrDot(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("gh", []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", ".")
	if path, err := safeexec.LookPath("gh"); path != "gh" || err != nil {
		t.Errorf(`safeexec.LookPath("gh") = %q, %v, want "gh", nil`, path, err)
	}
	if err := New(Options{}).Resolve(); !errors.Is(err, exec.ErrDot) {
		t.Errorf("Resolve() = %v, want exec.ErrDot", err)
	}
}

func TestCannotBeStarted(t *testing.T) {
	tests := []struct {
		name, content, want string
	}{
		{"not a program", "\x7fELF nonsense", ": exec format error"},
		{"no interpreter", "#!/nowhere/sh\n", ": no such file or directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "")
			f.write("gh", tt.content)
			_, err := f.issues()
			wantText(t, err, "could not run gh: "+f.dir+"/gh"+tt.want)
		})
	}
}

// A gh that is installed, taken away and put back is noticed at each Resolve,
// without a restart.
func TestResolveHeals(t *testing.T) {
	f := answering(t, "[]", "", 0)
	binary := filepath.Join(f.dir, "gh")
	away := filepath.Join(f.dir, "away")
	missing := "could not run gh: " + binary + " does not exist"
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}

	rename(binary, away)
	_, err := f.issues()
	wantText(t, err, missing)
	rename(away, binary)
	if _, err := f.issues(); err != nil {
		t.Errorf("Issues() once gh is installed = %v", err)
	}
	rename(binary, away)
	_, err = f.issues() // found before, gone now
	wantText(t, err, "could not run gh: "+binary+": no such file or directory")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v is not fs.ErrNotExist", err)
	}
	wantText(t, f.Resolve(), missing)
	rename(away, binary)
	if err := f.Resolve(); err != nil {
		t.Errorf("Resolve() once gh is back = %v", err)
	}
	if _, err := f.issues(); err != nil {
		t.Errorf("Issues() once gh is back = %v", err)
	}
}
