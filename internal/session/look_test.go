package session_test

import (
	"encoding/json"
	"fmt"
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

func TestEncodeAll(t *testing.T) {
	root := t.TempDir()
	store, err := session.Open(root, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		err := store.Update(fmt.Sprintf("github:octo/a#%d", i+1), func(r *session.Record) error {
			r.Title = "two\nlines, \u202e and <b>"
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	records, errs := session.ReadAll(root)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	text, err := session.EncodeAll(records)
	if err != nil {
		t.Fatal(err)
	}
	var got []session.Record
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(records, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(string(text), "[\n  {\n    \"version\": 1,") || !strings.HasSuffix(string(text), "\n  }\n]\n") {
		t.Errorf("not indented by two:\n%s", text)
	}
	if strings.Contains(string(text), "\u202e") {
		t.Errorf("a direction mark stands in the open:\n%s", text)
	}
	one, err := records[0].Encode()
	if file, readErr := os.ReadFile(filepath.Join(root, "items", "github.com", "octo", "a", "1.json")); err != nil || readErr != nil || string(one) != string(file) {
		t.Errorf("Encode = %s, %v\nbut the file has %s, %v", one, err, file, readErr)
	}
	if text, err := session.EncodeAll(nil); err != nil || string(text) != "[]\n" {
		t.Errorf("EncodeAll of none = %q, %v", text, err)
	}
	ref, err := session.ParseRef("github:octo/a#1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(session.RecordPath(root, ref)); err != nil {
		t.Error(err)
	}
}
