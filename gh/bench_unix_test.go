//go:build unix

package gh

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/ref"
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
		if _, _, err := c.Issues(b.Context(), ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "a"}, Filter{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeList reads a listing of 20 issues as gh prints it.
func BenchmarkDecodeList(b *testing.B) {
	var items []string
	for n := range 20 {
		items = append(items, fmt.Sprintf(`{"author":{"id":"MDQ6VXNlcjE=","is_bot":false,"login":"somebody","name":""},`+
			`"labels":[{"id":"LA_kwDOABCDEF","name":"the-loop","description":"","color":"ededed"}],"number":%d,`+
			`"title":"An issue with a title of some length","updatedAt":"2026-01-01T00:00:00Z","url":"https://github.com/octo/a/issues/%[1]d"}`, n+1))
	}
	out := []byte("[" + strings.Join(items, ",") + "]\n")
	c := New(Options{})
	repo := ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "a"}
	b.ReportAllocs()
	for b.Loop() {
		all, err := decodeList(nil, out)
		if err != nil {
			b.Fatal(err)
		}
		if usable, err := c.usable(repo, "issue", nil, all); err != nil || len(usable) != 20 {
			b.Fatal(len(usable), err)
		}
	}
}
