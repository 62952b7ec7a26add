package session

import (
	"path/filepath"
	"strings"
	"testing"

	"the-loop/internal/ref"
)

func TestRecordPath(t *testing.T) {
	for in, want := range map[string]string{
		"github:octo/repo#1":                  "github.com/octo/repo/1.json",
		"GitHub:GitHub.com/Octo/Re.Po_x#42":   "github.com/octo/re.po_x/42.json",
		"github:ghe.corp.example/o/.github#7": "ghe.corp.example/o/.github/7.json",
		"github:localhost/o/-#7":              "localhost/o/-/7.json",
		"github:Localhost:8443/o/r#7":         "localhost:8443/o/r/7.json",
	} {
		item := mustRef(t, in)
		if got := unported(item); got != want {
			t.Errorf("the record of %s lies at %s, want %s", item, got, want)
		}
		if repo, ok := repoOfFolder(repoFolder(item.Repo)); !ok || repo != item.Repo {
			t.Errorf("the folder of %s is that of %v, %t", item, repo, ok)
		}
		for path, inside := range map[string]bool{
			"": true, recordPath(item): true, repoFolder(item.Repo): true, hostFolder(item.Host): true,
			recordPath(item) + "x": false, repoFolder(item.Repo) + "x": false, "g": false,
		} {
			if liesIn(item, path) != inside {
				t.Errorf("%s lies in %q: %t, want %t", item, path, !inside, inside)
			}
		}
	}
}

// unported is the path as it is where a colon may stand in one.
func unported(item ref.Item) string {
	return filepath.ToSlash(strings.Replace(recordPath(item), hostFolder(item.Host), item.Host, 1))
}

func TestRepoOfFolderRefuses(t *testing.T) {
	for _, folder := range []string{
		"", "github.com", "github.com/octo", "github.com/octo/a/b", "github.com/Octo/a", "GitHub.com/octo/a",
		"hub/octo/a", "github.com/-octo/a", "github.com/octo/..",
	} {
		if repo, ok := repoOfFolder(filepath.FromSlash(folder)); ok {
			t.Errorf("%q is the folder of %v", folder, repo)
		}
	}
}

func FuzzRecordPath(f *testing.F) {
	for _, seed := range []string{"github:octo/repo#1", "github:a.b:1/octo/repo#12", "GITHUB:O/.github#3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		item, err := ref.Parse(s)
		if err != nil {
			return
		}
		if path := recordPath(item); !filepath.IsLocal(path) || strings.Count(filepath.ToSlash(path), "/") != repositoryDepth {
			t.Fatalf("the path of %q is %q", s, path)
		}
		if repo, ok := repoOfFolder(repoFolder(item.Repo)); !ok || repo != item.Repo {
			t.Fatalf("the folder of %v is that of %v, %t", item, repo, ok)
		}
		if kind, n := classify(recordFile(item.Number)); kind != fileRecord || n != item.Number {
			t.Fatalf("classify(%q) = %v, %d", recordFile(item.Number), kind, n)
		}
		if name := Name(item); !ValidName(name) {
			t.Fatalf("Name(%v) = %q, want a DNS-1123 label", item, name)
		}
	})
}

func TestClassify(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kind   fileKind
		number int
	}{
		{"5.json", fileRecord, 5},
		{"5.json.retry", fileNote, 5},
		{"5.json.corrupt-20261130T100000Z", fileCorrupt, 5},
		{"5.json.corrupt-20261130T100000Z-2", fileCorrupt, 5},
		{".5.json8674665223082153551", fileLeftover, 0},
		{".5.json", fileOther, 0},
		{".x.json12", fileOther, 0},
		{"05.json", fileOther, 0},
		{"0.json", fileOther, 0},
		{"-5.json", fileOther, 0},
		{"5.json~", fileOther, 0},
		{"5.json.bak", fileOther, 0},
		{"README", fileOther, 0},
		{"", fileOther, 0},
	} {
		if kind, number := classify(tt.name); kind != tt.kind || number != tt.number {
			t.Errorf("classify(%q) = %v, %d, want %v, %d", tt.name, kind, number, tt.kind, tt.number)
		}
	}
}
