package ref

import (
	"strings"
	"testing"

	"the-loop/internal/safetext"
)

func TestParseRepo(t *testing.T) {
	tests := []struct {
		in, host    string
		want        Repo
		text, scope string
	}{
		{"octo/repo-b", "", Repo{"github.com", "octo", "repo-b"}, "octo/repo-b", "octo/repo-b"},
		{"Octo/Repo.B", "github.com", Repo{"github.com", "Octo", "Repo.B"}, "Octo/Repo.B", "octo/repo.b"},
		{"GitHub.com/Octo/Repo_B", "ghe.example.com", Repo{"github.com", "Octo", "Repo_B"}, "Octo/Repo_B", "octo/repo_b"},
		{"octo/repo", "GHE.example.com", Repo{"ghe.example.com", "octo", "repo"}, "ghe.example.com/octo/repo", "ghe.example.com/octo/repo"},
		{"GHE.Example.com/Octo/Repo", "", Repo{"ghe.example.com", "Octo", "Repo"}, "ghe.example.com/Octo/Repo", "ghe.example.com/octo/repo"},
		{"localhost/o/r", "", Repo{"localhost", "o", "r"}, "localhost/o/r", "localhost/o/r"},
		{"localhost:8443/o/r", "", Repo{"localhost:8443", "o", "r"}, "localhost:8443/o/r", "localhost:8443/o/r"},
		{"10.0.0.1:65535/o/r", "", Repo{"10.0.0.1:65535", "o", "r"}, "10.0.0.1:65535/o/r", "10.0.0.1:65535/o/r"},
		{"mona_corp/.github", "", Repo{"github.com", "mona_corp", ".github"}, "mona_corp/.github", "mona_corp/.github"},
		{"a-b-c/-x", "", Repo{"github.com", "a-b-c", "-x"}, "a-b-c/-x", "a-b-c/-x"},
		{"old-/x", "", Repo{"github.com", "old-", "x"}, "old-/x", "old-/x"},
		{"o--ld/x", "", Repo{"github.com", "o--ld", "x"}, "o--ld/x", "o--ld/x"},
		{"a-b-_corp/x", "", Repo{"github.com", "a-b-_corp", "x"}, "a-b-_corp/x", "a-b-_corp/x"},
		{"1/...", "", Repo{"github.com", "1", "..."}, "1/...", "1/..."},
		{strings.Repeat("a", 39) + "/" + strings.Repeat("b", 100), "", Repo{"github.com", strings.Repeat("a", 39), strings.Repeat("b", 100)},
			strings.Repeat("a", 39) + "/" + strings.Repeat("b", 100), strings.Repeat("a", 39) + "/" + strings.Repeat("b", 100)},
	}
	for _, tt := range tests {
		got, err := ParseRepo(tt.in, tt.host)
		if err != nil || got != tt.want {
			t.Errorf("ParseRepo(%q, %q) = %+v, %v, want %+v", tt.in, tt.host, got, err, tt.want)
			continue
		}
		if got.String() != tt.text || got.Scope() != tt.scope {
			t.Errorf("ParseRepo(%q, %q) is %q in %q, want %q in %q", tt.in, tt.host, got, got.Scope(), tt.text, tt.scope)
		}
		if want := got.Host + "/" + got.Owner + "/" + got.Name; got.Full() != want {
			t.Errorf("ParseRepo(%q, %q) is asked for as %q, want %q", tt.in, tt.host, got.Full(), want)
		}
	}
}

func TestParseRepoRefuses(t *testing.T) {
	const (
		owner = ": an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit"
		name  = ": a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or .."
	)
	host := func(s string) string {
		return `: "` + s + `" is not a host such as github.example.com or localhost:8443`
	}
	tests := []struct{ in, defaultHost, why string }{
		{"nope", "", ""},
		{"", "", ""},
		{"a/b/c/d", "", ""},
		{"https://github.com/o/r", "", ""},
		{"a/b/c", "", host("a")},
		{"/a/b", "", host("")},
		{"-ghe.example.com/a/b", "", host("-ghe.example.com")},
		{"ghe..com/a/b", "", host("ghe..com")},
		{"ghe.com:/a/b", "", host("ghe.com:")},
		{"ghe.com:0/a/b", "", host("ghe.com:0")},
		{"ghe.com:65536/a/b", "", host("ghe.com:65536")},
		{"ghe.com:99999999999999999999/a/b", "", host("ghe.com:99999999999999999999")},
		{"ghe.com:1:2/a/b", "", host("ghe.com:1:2")},
		{"ghé.com/a/b", "", host("ghé.com")},
		{"a/b", "-x", host("-x")},
		{"a/b", "nodot", host("nodot")},
		{"ghe.example.com/repo", "", owner},
		{"-evil/x", "", owner},
		{"_a/x", "", owner},
		{"a b/x", "", owner},
		{" a/x", "", owner},
		{"/x", "", owner},
		{strings.Repeat("a", 40) + "/x", "", owner},
		{"a\n/x", "", owner},
		{"a/", "", name},
		{"a/.", "", name},
		{"a/..", "", name},
		{"a/b c", "", name},
		{"a/b\n", "", name},
		{"a/é", "", name},
		{"a/" + strings.Repeat("b", 101), "", name},
	}
	for _, tt := range tests {
		got, err := ParseRepo(tt.in, tt.defaultHost)
		if err == nil {
			t.Errorf("ParseRepo(%q, %q) = %+v, want an error", tt.in, tt.defaultHost, got)
			continue
		}
		want := safetext.Quote(tt.in) + " is not [HOST/]OWNER/REPO" + tt.why
		if err.Error() != want {
			t.Errorf("ParseRepo(%q, %q): %v\nwant %s", tt.in, tt.defaultHost, err, want)
		}
	}
}

// The lengths that names may have, at their ends.
func TestLengths(t *testing.T) {
	label := strings.Repeat("a", 63)
	long := strings.Join([]string{label, label, label, label[:61]}, ".") // 253 bytes
	for host, want := range map[string]bool{
		label + ".com": true, "a" + label + ".com": false, "ghe." + label: true, "ghe.a" + label: false,
		long: true, "a" + long: false, "ghe..com": false, ".com": false, "ghe.com.": false, "-a.com": false, "a-.com": false,
	} {
		if got := ValidHost(host); got != want {
			t.Errorf("ValidHost(%q) = %v, want %v", host, got, want)
		}
	}
	part := strings.Repeat("a", 100)
	for name, want := range map[string]bool{
		part + "/" + part: true, part + "a/b": false, "a/" + part + "b": false, "a/": false, "/b": false, "a": false, "a/b/c": false,
		"-_/.-": true, "a.b/c": false,
	} {
		if got := IsNameWithOwner(name); got != want {
			t.Errorf("IsNameWithOwner(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for repo, want := range map[Repo]string{
		{"github.com", "octo", "a"}:         "",
		{"ghe.example.com", "Octo", "A"}:    "",
		{}:                                  `"//" is not [HOST/]OWNER/REPO: "" is not a host such as github.example.com or localhost:8443`,
		{"github.com", "-x", "a"}:           `"-x/a" is not [HOST/]OWNER/REPO: an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit`,
		{"ghe.example.com", "octo", "../b"}: `"ghe.example.com/octo/../b" is not [HOST/]OWNER/REPO: a repository is 1 to 100 letters, digits, hyphens, underscores and dots, and not . or ..`,
	} {
		got := ""
		if err := repo.Check(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%+v: %s\nwant %s", repo, got, want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for scope, want := range map[string]string{
		"octo/a": "github.com", "ghe.example.com/octo/a": "ghe.example.com", "localhost:8443/octo/a": "localhost:8443", "": "github.com",
	} {
		if got := HostOf(scope); got != want {
			t.Errorf("HostOf(%q) = %q, want %q", scope, got, want)
		}
	}
}

func FuzzParseRepo(f *testing.F) {
	for _, s := range []string{"o/r", "ghe.example.com/o/r", "localhost:1/o/r", "a/b/c", "nope", "-evil/x", "a/..", "/"} {
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, s, host string) {
		r, err := ParseRepo(s, host)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("%q is not one line", err)
			}
			return
		}
		if strings.HasPrefix(r.Full(), "-") || strings.ContainsAny(r.Full(), " \t\n?#%&\\") || r.Check() != nil {
			t.Errorf("ParseRepo(%q, %q) = %+v", s, host, r)
		}
		again, err := ParseRepo(r.Full(), "")
		if err != nil || again != r {
			t.Errorf("ParseRepo(%q) = %+v, %v, want %+v", r.Full(), again, err, r)
		}
		if HostOf(r.Scope()) != r.Host {
			t.Errorf("HostOf(%q) = %q, want %q", r.Scope(), HostOf(r.Scope()), r.Host)
		}
	})
}
