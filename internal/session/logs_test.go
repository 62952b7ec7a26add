package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/session"
)

const aSession = "a-1-v7rj2c5xq3bd6wkf"

func writeLog(t *testing.T, text string) (root string) {
	t.Helper()
	root = t.TempDir()
	path := session.LogPath(root, aSession)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestLogTail(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"one line", "a\n", []string{"a"}},
		{"no newline at the end", "a\nb", []string{"a", "b"}},
		{"more than asked for", "a\nb\nc\nd\n", []string{"b", "c", "d"}},
		{"empty lines", "a\n\n\n", []string{"a", "", ""}},
		{"as it is", "\x1b[31mred\x00\xff\r\n", []string{"\x1b[31mred\x00\xff\r"}},
		{"long lines", "begin\n" + strings.Repeat(long+"\n", 4), []string{long, long}},
		{"one line that is too long", strings.Repeat(long, 4), []string{strings.Repeat("x", 256<<10)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := session.LogTail(writeLog(t, tt.text), aSession, 3)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A log that has just been started anew continues the old one.
func TestLogTailOfAFullLog(t *testing.T) {
	for _, tt := range []struct {
		old, text string
		want      []string
	}{
		{"a\nb\nc\nd\n", "", []string{"b", "c", "d"}},
		{"a\nb\nc\nd\n", "e\n", []string{"c", "d", "e"}},
		{"a\nb", "b\nc", []string{"a", "bb", "c"}},
		{"a\nb\n", "c\nd\ne\n", []string{"c", "d", "e"}},
	} {
		root := writeLog(t, tt.text)
		if err := os.WriteFile(session.LogPath(root, aSession)+session.OldLogSuffix, []byte(tt.old), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := session.LogTail(root, aSession, 3)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q after %q: (-want +got):\n%s", tt.text, tt.old, diff)
		}
	}
}

func TestLogTailWithoutALog(t *testing.T) {
	root := filepath.Join(t.TempDir(), "none")
	if got, err := session.LogTail(root, aSession, 3); len(got) > 0 || err != nil {
		t.Errorf("LogTail = %q, %v", got, err)
	}
	if _, err := session.LogTail(root, "../../etc/passwd", 3); err == nil {
		t.Error("LogTail took a path for a session's name")
	}
	root = writeLog(t, "")
	path := session.LogPath(root, aSession)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := session.LogTail(root, aSession, 3); err == nil {
		t.Error("LogTail read a folder")
	}
}
