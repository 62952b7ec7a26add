//go:build unix

package gh

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkCall is one call of a gh that does next to nothing: what starting
// it, reading it and waiting for it cost.
func BenchmarkCall(b *testing.B) {
	path := filepath.Join(b.TempDir(), "gh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '[]'\n"), 0o700); err != nil {
		b.Fatal(err)
	}
	c := New(Options{Binary: path})
	if err := c.Resolve(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := c.Issues(b.Context(), Repo{Host: GitHubHost, Owner: "octo", Name: "a"}, Filter{}); err != nil {
			b.Fatal(err)
		}
	}
}
