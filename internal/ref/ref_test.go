package ref

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ in, want, scope string }{
		{"github:octo/repo#1", "github:octo/repo#1", "octo/repo"},
		{"github:github.com/octo/repo#1", "github:octo/repo#1", "octo/repo"},
		{"GitHub:GitHub.com/Octo/Re.Po_x#42", "github:octo/re.po_x#42", "octo/re.po_x"},
		{"github:ghe.corp.example/o/.github#7", "github:ghe.corp.example/o/.github#7", "ghe.corp.example/o/.github"},
		{"github:localhost/o/-#7", "github:localhost/o/-#7", "localhost/o/-"},
		{"github:Localhost:8443/o/r#7", "github:localhost:8443/o/r#7", "localhost:8443/o/r"},
		{"github:octo_corp/r#9", "github:octo_corp/r#9", "octo_corp/r"},
	} {
		item, err := Parse(tt.in)
		if err != nil {
			t.Errorf("Parse(%q) = %v", tt.in, err)
			continue
		}
		if item.String() != tt.want || item.Scope() != tt.scope {
			t.Errorf("Parse(%q) = %s, scope %s, want %s, %s", tt.in, item, item.Scope(), tt.want, tt.scope)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{
		"", "github:", "octo/repo#1", "gitlab:octo/repo#1", "github:octo/repo", "github:octo#1",
		"github:octo/repo#", "github:octo/repo#0", "github:octo/repo#-1", "github:octo/repo#+1",
		"github:octo/repo#01", "github:octo/repo#1.5", "github:octo/repo#1#2",
		"github:octo/repo#99999999999999999999", "github:octo/..#1", "github:octo/.#1",
		"github:../repo#1", "github:-evil/x#1", "github:octo/a/b/c#1", "github:/octo/repo#1",
		"github:octo//repo#1", "github:a..b/octo/repo#1", "github:-a.b/octo/repo#1",
		"github:ghe.com:/octo/repo#1", "github:ghe.com:x/octo/repo#1", "github:ghe.com:080/octo/repo#1",
		"github:ghe.com:65536/octo/repo#1", "github::80/octo/repo#1", "github:a.b:1:2/octo/repo#1",
		"github:ho_st.com/octo/repo#1", "github:host/octo/repo#1",
		"github:octo/re po#1", "github:octo/re\x00po#1",
		"github:octo/re\\po#1", "github:octo/\u212aelvin#1", "github:octo/répo#1",
		"github:" + strings.Repeat("a", 40) + "/repo#1", "github:octo/" + strings.Repeat("a", 101) + "#1",
	} {
		if item, err := Parse(in); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", in, item)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): the error has several lines: %v", in, err)
		}
	}
}

func TestParseSaysWhy(t *testing.T) {
	for in, want := range map[string]string{
		"octo/repo#1":           `ref "octo/repo#1": want github:[host/]owner/repo#N`,
		"github:octo/repo":      `ref "github:octo/repo": want github:[host/]owner/repo#N`,
		"github:/octo/repo#1":   `ref "github:/octo/repo#1": want github:[host/]owner/repo#N`,
		"github:octo/repo#x":    `ref "github:octo/repo#x": "x" is not the number of an issue or pull request`,
		"github:a.b-/octo/r#1":  `ref "github:a.b-/octo/r#1": "a.b-" is not a host such as github.example.com or localhost:8443`,
		"github:-Evil/repo#1":   `ref "github:-Evil/repo#1": an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit`,
		"github:octo/re po#1":   `ref "github:octo/re po#1": a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or ..`,
		"github:ghe.com/o/..#1": `ref "github:ghe.com/o/..#1": a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or ..`,
	} {
		if _, err := Parse(in); err == nil || err.Error() != want {
			t.Errorf("Parse(%q): %v\nwant %s", in, err, want)
		}
	}
	if _, err := New("", "octo", "a", 0); err == nil || err.Error() != "0 is not the number of an issue or pull request" {
		t.Errorf("New with number 0: %v", err)
	}
}

func TestURL(t *testing.T) {
	here, there := Item{Repo{"github.com", "Octo", "A"}, 7}, Item{Repo{"localhost:8443", "octo", "a"}, 12}
	for _, tt := range []struct {
		item Item
		kind Kind
		want string
	}{
		{here, Issue, "https://github.com/Octo/A/issues/7"},
		{here, PullRequest, "https://github.com/Octo/A/pull/7"},
		{there, PullRequest, "https://localhost:8443/octo/a/pull/12"},
		{there, "", "https://localhost:8443/octo/a/issues/12"},
	} {
		if got := tt.item.URL(tt.kind); got != tt.want {
			t.Errorf("the address of %s is %q, want %q", tt.item, got, tt.want)
		}
		if got, ok := ParseURL(tt.want); !ok || got.String() != tt.item.String() {
			t.Errorf("ParseURL(%q) = %v, %t, want %s", tt.want, got, ok, tt.item)
		}
	}
}

func TestParseURLRefuses(t *testing.T) {
	for _, in := range []string{
		"", "octo/a#7", "http://github.com/octo/a/issues/7", "https://github.com/octo/a/issues/7/",
		"https://github.com/octo/a/issues/7#", "https://github.com/octo/a/issues/7#issuecomment-1",
		"https://github.com/octo/a/issues/7?", "https://github.com/octo/a/issues/7?x=1",
		"https://github.com/octo/a/issues/07", "https://github.com/octo/a/issues/0", "https://github.com/octo/a/issues/x",
		"https://github.com/octo/a/pulls/7", "https://github.com/octo/a/pull", "https:///octo/a/issues/7",
		"https://me@github.com/octo/a/issues/7", "https://github.com/octo/%61/issues/7", "https://github.com//octo/a/issues/7",
		"https://github.com/octo/../issues/7", "https://hub/octo/a/issues/7", "javascript:alert(1)", "https://github.com/octo/a/issues/7\n",
	} {
		if got, ok := ParseURL(in); ok {
			t.Errorf("ParseURL(%q) = %v, want a refusal", in, got)
		}
	}
}

func TestParseTyped(t *testing.T) {
	for in, want := range map[string]string{
		"github:octo/a#7":                                          "github:octo/a#7",
		"Octo/A#7":                                                 "github:octo/a#7",
		"ghe.example.com/octo/a#7":                                 "github:ghe.example.com/octo/a#7",
		"https://github.com/octo/a/issues/7":                       "github:octo/a#7",
		"http://ghe.example.com:8443/octo/a/pull/7/":               "github:ghe.example.com:8443/octo/a#7",
		"https://github.com/Octo/A/pull/7/files?w=1#discussion_r1": "github:octo/a#7",
		"https://github.com/octo/a/issues/x":                       `ref "github:github.com/octo/a#x": "x" is not the number of an issue or pull request`,
		"https://github.com/octo/a":                                `ref "https://github.com/octo/a": want github:[host/]owner/repo#N`,
		"octo":                                                     `ref "octo": want github:[host/]owner/repo#N`,
	} {
		item, err := ParseTyped(in)
		got := item.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("ParseTyped(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for in, want := range map[string]string{"github:octo/a#7": "octo/a#7", "octo/a#7": "octo/a#7"} {
		if got := Short(in); got != want {
			t.Errorf("Short(%q) = %q, want %q", in, got, want)
		}
	}
}

// Documents hold the parts of an item flat, beside their own keys.
func TestJSON(t *testing.T) {
	type document struct {
		Kind Kind `json:"kind"`
		Item
		Title string `json:"title"`
	}
	want := document{Issue, Item{Repo{"github.com", "Octo", "A"}, 7}, "t"}
	data, err := json.Marshal(want)
	if text := `{"kind":"issue","host":"github.com","owner":"Octo","repo":"A","number":7,"title":"t"}`; err != nil || string(data) != text {
		t.Errorf("%s, %v, want %s", data, err, text)
	}
	var got document
	if err := json.Unmarshal(data, &got); err != nil || got != want {
		t.Errorf("read back: %+v, %v, want %+v", got, err, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"github:octo/repo#1", "github:a.b/octo/repo#12", "GITHUB:O/.github#3", "github:../..#1", "o/r#1",
		"https://github.com/o/r/pull/1#x", "https://me@ghe.com:1/o/r/issues/1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		item, err := ParseTyped(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("%q is not one line", err)
			}
			return
		}
		again, err := Parse(item.String())
		if err != nil || again != item {
			t.Fatalf("Parse(%q) = %v, %v, want %v", item, again, err, item)
		}
		if repo, err := ParseRepo(item.Scope(), ""); err != nil || repo != item.Repo {
			t.Fatalf("ParseRepo(%q) = %+v, %v, want %+v", item.Scope(), repo, err, item.Repo)
		}
		if page, ok := ParseURL(item.URL(PullRequest)); !ok || page != item {
			t.Fatalf("ParseURL(%q) = %v, %t, want %v", item.URL(PullRequest), page, ok, item)
		}
		for _, part := range []string{item.Owner, item.Name} {
			if !filepath.IsLocal(part) || filepath.Base(part) != part || part != lower(part) {
				t.Fatalf("%q of %q is no name of a file in lower case", part, s)
			}
		}
	})
}
