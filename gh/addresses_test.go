package gh

import (
	"strings"
	"testing"

	"the-loop/internal/ref"
)

func TestSameLogin(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"mona", "mona", true},
		{"Mona", "mONA", true},
		{"mona", "lisa", false},
		{"app/dependabot", "dependabot[bot]", true},
		{"app/Dependabot", "dependabot[BOT]", true},
		{"app/x", "app/x", true},
		{"app/x", "x", false},
		{"x[bot]", "x", false},
		{"", "", false},
		{"", "mona", false},
		{"app/", "app/", false},
		{"app/", "[bot]", false},
		{"\u212Aim", "kim", false}, // the Kelvin sign
		{" mona", "mona", false},
	}
	for _, tt := range tests {
		if got := SameLogin(tt.a, tt.b); got != tt.want {
			t.Errorf("SameLogin(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if got := SameLogin(tt.b, tt.a); got != tt.want {
			t.Errorf("SameLogin(%q, %q) = %v, want %v", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for in, want := range map[string]string{
		"https://GitHub.com/o/r/issues/1":  "github.com",
		"https://ghe.example.com:443/x":    "ghe.example.com",
		"http://ghe.example.com:80":        "ghe.example.com",
		"http://ghe.example.com:443/":      "ghe.example.com:443",
		"https://localhost:8443/x":         "localhost:8443",
		"https://me:pw@ghe.example.com./x": "ghe.example.com.",
		"https://h:/x":                     "h",
		"github.com/o/r":                   "",
		"":                                 "",
		"%zz":                              "",
	} {
		if got := hostOf(in); got != want {
			t.Errorf("hostOf(%q) = %q, want %q", in, got, want)
		}
	}
}

// The length that an address may have, at its ends.
func TestLengthOfAddress(t *testing.T) {
	web := "https://github.com/" + strings.Repeat("a", 981) // 1,000 bytes
	if got := hostOf(web); got != ref.GitHubHost {
		t.Errorf("hostOf(%q) = %q, want its host", web, got)
	}
	if got := hostOf(web + "a"); got != "" {
		t.Errorf("hostOf of 1,001 bytes = %q, want nothing", got)
	}
}
