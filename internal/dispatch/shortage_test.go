//go:build linux

package dispatch

import (
	"os"
	"path/filepath"
	"testing"

	"the-loop/internal/session"
)

// TestShortageSpendsNoAttempt: a shortage of the system is not the handler's fault. A
// program that is still being written is the only such case that a test can cause.
func TestShortageSpendsNoAttempt(t *testing.T) {
	program := filepath.Join(t.TempDir(), "agent")
	f, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("#!/bin/sh\n"); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	d := testDelivery(nil, "")
	d.Handler = handlerOf(t, program)
	r := expect(t, b.begin(d), Deferred,
		"comment handler could not be run: fork/exec "+program+": text file busy; log: "+session.LogPath(b.root, "repo-5-x"))
	if !r.StartedAt.IsZero() {
		t.Errorf("StartedAt = %v, want none", r.StartedAt)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, b.begin(d), Delivered, "")
}
