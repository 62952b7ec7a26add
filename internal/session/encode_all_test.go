package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/ref"
	"the-loop/internal/session"

	"github.com/google/go-cmp/cmp"
)

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
	item, err := ref.Parse("github:octo/a#1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(session.RecordPath(root, item)); err != nil {
		t.Error(err)
	}
}
