//go:build unix

package ghdouble

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Binary makes a program that is the gh at that path talking to this double,
// whoever starts it, and returns its path. So a test need not change its own
// environment and can run beside others. Variables of the test's own come last.
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
	// A process that another test forks while the file is open for writing
	// would hold it open too, and then it cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script.String()), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// quote is the text as one word of the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
