package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/filetest"
)

func TestReadAll(t *testing.T) {
	root := t.TempDir()
	if records, errs := ReadAll(filepath.Join(root, "nowhere")); records != nil || errs != nil {
		t.Errorf("ReadAll() without a state root = %v, %v", records, errs)
	}
	s := open(t, root, nil)
	for _, ref := range []string{"github:octo/repo#10", "github:octo/repo#9", "github:ghe.example/octo/repo#3"} {
		activate(t, s, ref, "IC_1")
	}
	broken := s.tree.path(mustRef(t, testRef))
	filetest.Write(t, broken, "")
	filetest.Write(t, broken+".corrupt-20261130T100000Z", "")
	filetest.Write(t, filepath.Join(filepath.Dir(broken), "6.json"), `{"version": 4}`)
	before := filetest.List(t, root)

	records, errs := ReadAll(root)
	var refs, texts []string
	for _, r := range records {
		refs = append(refs, r.Ref)
	}
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	want := []string{"github:ghe.example/octo/repo#3", "github:octo/repo#9", "github:octo/repo#10"}
	if diff := cmp.Diff(want, refs); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	want = []string{
		"record of github:octo/repo#5: not readable: unexpected end of JSON input",
		"record of github:octo/repo#6: written by a newer version of the program (format 4, this one knows 3)",
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, filetest.List(t, root)); diff != "" {
		t.Errorf("files changed (-want +got):\n%s", diff)
	}
}

func TestReadOne(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, nil)
	activate(t, s, testRef, "IC_1")
	got, err := ReadOne(root, "github:github.com/Octo/Repo#5")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(get(t, s, testRef), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, ref := range []string{"github:octo/repo#6", "github:nobody/repo#6"} {
		if _, err := ReadOne(root, ref); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadOne(%s) = %v, want fs.ErrNotExist", ref, err)
		}
	}
	if _, err := ReadOne(root, "repo#6"); err == nil {
		t.Error("ReadOne() of no ref = nil")
	}
	if err := os.WriteFile(s.tree.path(mustRef(t, testRef)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadOne(root, testRef); err == nil {
		t.Error("ReadOne() of an empty file = nil")
	}
}
