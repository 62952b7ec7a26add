//go:build unix

package ghdouble

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Binary writes a script that runs the gh at that path against this double and returns
// the script's path. The script sets the environment itself, so tests need not change
// theirs and can run in parallel. It exports env last.
func (s *Server) Binary(t testing.TB, gh string, env ...string) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("#!/bin/sh\n")
	for _, variable := range append(s.Env(), env...) {
		name, value, _ := strings.Cut(variable, "=")
		script.WriteString("export " + name + "=" + quote(value) + "\n")
	}
	script.WriteString("exec " + quote(gh) + ` "$@"` + "\n")
	path := filepath.Join(t.TempDir(), "gh")
	// A process that another test forks during the write would inherit the open file,
	// and the kernel refuses to run a file that is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script.String()), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// quote returns text as one word of the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
