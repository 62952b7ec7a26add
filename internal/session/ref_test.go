package session

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestParseRef(t *testing.T) {
	for _, tt := range []struct{ in, want, scope, path string }{
		{"github:octo/repo#1", "github:octo/repo#1", "octo/repo", "github.com/octo/repo/1.json"},
		{"github:github.com/octo/repo#1", "github:octo/repo#1", "octo/repo", "github.com/octo/repo/1.json"},
		{"GitHub:GitHub.com/Octo/Re.Po_x#42", "github:octo/re.po_x#42", "octo/re.po_x", "github.com/octo/re.po_x/42.json"},
		{"github:ghe.corp.example/o/.github#7", "github:ghe.corp.example/o/.github#7", "ghe.corp.example/o/.github", "ghe.corp.example/o/.github/7.json"},
		{"github:localhost/o/-#7", "github:localhost/o/-#7", "localhost/o/-", "localhost/o/-/7.json"},
		{"github:Localhost:8443/o/r#7", "github:localhost:8443/o/r#7", "localhost:8443/o/r", "localhost:8443/o/r/7.json"},
		{"github:octo_corp/r#9", "github:octo_corp/r#9", "octo_corp/r", "github.com/octo_corp/r/9.json"},
	} {
		ref, err := ParseRef(tt.in)
		if err != nil {
			t.Errorf("ParseRef(%q) = %v", tt.in, err)
			continue
		}
		if ref.String() != tt.want || ref.Scope() != tt.scope || unported(ref) != tt.path {
			t.Errorf("ParseRef(%q) = %s, scope %s, path %s, want %s, %s, %s",
				tt.in, ref, ref.Scope(), ref.path(), tt.want, tt.scope, tt.path)
		}
	}
}

// unported is the path as it is where a colon may stand in one.
func unported(ref Ref) string {
	return filepath.ToSlash(strings.Replace(ref.path(), hostFolder(ref.Host), ref.Host, 1))
}

func TestParseRefRefuses(t *testing.T) {
	for _, in := range []string{
		"", "github:", "octo/repo#1", "gitlab:octo/repo#1", "github:octo/repo", "github:octo#1",
		"github:octo/repo#", "github:octo/repo#0", "github:octo/repo#-1", "github:octo/repo#+1",
		"github:octo/repo#01", "github:octo/repo#1.5", "github:octo/repo#1#2",
		"github:octo/repo#99999999999999999999", "github:octo/..#1", "github:octo/.#1",
		"github:../repo#1", "github:-evil/x#1", "github:octo/a/b/c#1", "github:/octo/repo#1",
		"github:octo//repo#1", "github:a..b/octo/repo#1", "github:-a.b/octo/repo#1",
		"github:host:/octo/repo#1", "github:host:x/octo/repo#1", "github:host:080/octo/repo#1",
		"github:host:65536/octo/repo#1", "github::80/octo/repo#1", "github:a:1:2/octo/repo#1",
		"github:ho_st/octo/repo#1",
		"github:octo/re po#1", "github:octo/re\x00po#1",
		"github:octo/re\\po#1", "github:octo/\u212aelvin#1", "github:octo/répo#1",
		"github:" + strings.Repeat("a", 101) + "/repo#1", "github:octo/" + strings.Repeat("a", 101) + "#1",
	} {
		if ref, err := ParseRef(in); err == nil {
			t.Errorf("ParseRef(%q) = %v, want an error", in, ref)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseRef(%q): the error has several lines: %v", in, err)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, seed := range []string{
		"github:octo/repo#1", "github:a.b/octo/repo#12", "GITHUB:O/.github#3", "github:../..#1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := ParseRef(s)
		if err != nil {
			return
		}
		again, err := ParseRef(ref.String())
		if err != nil || again != ref {
			t.Fatalf("ParseRef(%q) = %v, %v, want %v", ref, again, err, ref)
		}
		if !filepath.IsLocal(ref.path()) || strings.Count(filepath.ToSlash(ref.path()), "/") != 3 {
			t.Fatalf("the path of %q is %q", s, ref.path())
		}
		if kind, n := classify(ref.file()); kind != fileRecord || n != ref.Number {
			t.Fatalf("classify(%q) = %v, %d", ref.file(), kind, n)
		}
		if name := Name(ref); !ValidName(name) {
			t.Fatalf("Name(%v) = %q, want a DNS-1123 label", ref, name)
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
