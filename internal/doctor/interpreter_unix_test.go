//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInterpreterFault(t *testing.T) {
	tests := map[string]struct{ content, want string }{
		"a script":         {"#!/bin/sh\necho\n", ""},
		"with an argument": {"#! /bin/sh -eu\n", ""},
		"of one line":      {"#!/bin/sh", ""},
		"by env":           {"#!/usr/bin/env sh\n", ""},
		"by env -S":        {"#!/usr/bin/env -S nowhere -e\n", ""},
		"no line":          {"echo hello\n", "it has no #! line"},
		"a mark before it": {"\uFEFF#!/bin/sh\n", "it has no #! line"},
		"no interpreter":   {"#!/no/such/sh\n", "there is no /no/such/sh"},
		"no program":       {"#!\n", "its #! line names no program"},
		"not on PATH":      {"#!/usr/bin/env no-such-sh\n", "no-such-sh is not on PATH"},
		"from Windows":     {"#!/bin/sh\r\necho\r\n", "its lines end the Windows way"},
		"empty":            {"", "it is empty"},
		"a program":        {"\x7fELF\x02\x01\x01\x00\x00", ""},
		"another program":  {"\xcf\xfa\xed\xfe\x07", ""},
		"a long text":      {strings.Repeat("x", 1000), "it has no #! line"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "handler")
			if err := os.WriteFile(path, []byte(tt.content), 0o700); err != nil {
				t.Fatal(err)
			}
			fault, fix := interpreterFault(path)
			if fault != tt.want || (fault == "") != (fix == "") {
				t.Errorf("interpreterFault() = %q, %q, want %q", fault, fix, tt.want)
			}
		})
	}
	if fault, _ := interpreterFault(filepath.Join(t.TempDir(), "gone")); fault != "" {
		t.Errorf("of a file that went away: %q", fault)
	}
}

// The folder in which a trial is made is as it was afterwards.
func TestTrialLeavesNothing(t *testing.T) {
	_, o := well(t)
	o.StateRoot = filepath.Dir(o.StateRoot)
	if err := os.Chmod(o.StateRoot, 0o700); err != nil {
		t.Fatal(err)
	}
	check(t, examine(t, o, "state-root", "locks", "privacy", "poller", "records"), strings.ReplaceAll(
		`ok state root: DIR can be written →
ok locks: they work in the state root →
ok state root: only its owner can look into it →
warning poller: not running → start it with 'the-loop run', or through its service manager
ok records: none yet →`, "DIR", o.StateRoot))
	if left, err := os.ReadDir(o.StateRoot); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
