package safetext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"the-loop/internal/safetext"
)

func TestLineAndStrip(t *testing.T) {
	tests := []struct {
		name, in, line, strip string
	}{
		{"plain", "HTTP 502: Bad Gateway", "HTTP 502: Bad Gateway", "HTTP 502: Bad Gateway"},
		{"empty", "", "", ""},
		{"only white space", " \r\n\t\u2028 ", "", ""},
		{"line breaks fold", "a\nb\r\nc\vd\fe", "a b c d e", "a b c d e"},
		{"unicode line breaks fold", "a\u2028b\u2029c\u0085d\u00a0e\u3000f", "a b c d e f", "a b c d e f"},
		{"runs fold and ends go", "  a \t\n  b  ", "a b", "a b"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m", "[31mred[0m"},
		{"C0, DEL and C1", "a\x00b\x07c\x7fd\u0080e\u009bf", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf", "abcdef"},
		{"bidi embedding", "a\u202ab\u202ec", "a\ufffdb\ufffdc", "abc"},
		{"bidi isolates and marks", "\u2066x\u2069\u200e\u200f\u061c", "\ufffdx\ufffd\ufffd\ufffd\ufffd", "x"},
		{"zero width and BOM", "to\u200bken\u200c\u200d\u2060\ufeff", "to\ufffdken\ufffd\ufffd\ufffd\ufffd", "token"},
		{"soft hyphen and tag", "a\u00ad\U000E0041b", "a\ufffd\ufffdb", "ab"},
		{"letters drawn as nothing", "a\u3164b\u115f\u2800\u034f", "a\ufffdb\ufffd\ufffd\ufffd", "ab"},
		{"variation selectors", "\u26a0\ufe0f \ufe00\U000E0101", "\u26a0\ufe0f \ufffd\ufffd", "\u26a0\ufe0f"},
		{"private and unassigned", "a\ue000b\U0010fffe", "a\ufffdb\ufffd", "ab"},
		{"invalid UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd", "ab"},
		{"an honest U+FFFD stays", "a\ufffdb", "a\ufffdb", "a\ufffdb"},
		{"other scripts", "Ünïcode 漢字 العربية 😀 e\u0301", "Ünïcode 漢字 العربية 😀 e\u0301", "Ünïcode 漢字 العربية 😀 e\u0301"},
		{"removed between blanks", "a \x00 b", "a \ufffd b", "a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := safetext.Line(tt.in); got != tt.line {
				t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.line)
			}
			if got := safetext.Strip(tt.in, 0); got != tt.strip {
				t.Errorf("Strip(%q, 0) = %q, want %q", tt.in, got, tt.strip)
			}
		})
	}
}

func TestStripCuts(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		limit int
		want  string
	}{
		{"shorter", "abc", 4, "abc"},
		{"exact", "abcd", 4, "abcd"},
		{"longer", "abcde", 4, "abc…"},
		{"characters, not bytes", "ääääää", 4, "äää…"},
		{"only the mark", "abc", 1, "…"},
		{"no limit", strings.Repeat("x", 9000), 0, strings.Repeat("x", 9000)},
		{"negative is no limit", "abc", -1, "abc"},
		{"what is removed does not count", "a\x00b\x00c\x00d", 4, "abcd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := safetext.Strip(tt.in, tt.limit); got != tt.want {
				t.Errorf("Strip(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

// body is as long as a real token without its prefix.
const body = "0123456789abcdefghijABCDEFGHIJ012345"

func TestRedact(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"nothing secret", "gh issue list --repo exited 1: HTTP 502", "gh issue list --repo exited 1: HTTP 502"},
		{"personal token", "bad ghp_" + body + ".", "bad [redacted]."},
		{"OAuth token", "gho_" + body, "[redacted]"},
		{"user, server, refresh", "ghu_a ghs_b ghr_c", "[redacted] [redacted] [redacted]"},
		{"a kind not yet known", "ghx_" + body, "[redacted]"},
		{"short token", "token ghp_abc, sorry", "token [redacted], sorry"},
		{"upper case", "GHP_" + body, "[redacted]"},
		{"stateless server token", "ghs_12345_eyJhbGci.eyJpc3Mi.c2ln-_x end", "[redacted] end"},
		{"fine-grained token", "github_pat_11ABCDE_" + body + " x", "[redacted] x"},
		{"glued to a letter", "x%3Aghp_" + body, "x%3A[redacted]"},
		{"not a token", "highs_and_lows", "highs_and_lows"},
		{"user and password", "Get \"https://me:pa55@host/x\": EOF", "Get \"https://[redacted]@host/x\": EOF"},
		{"token as user", "https://ghp_" + body + "@github.com/o/r", "https://[redacted]@github.com/o/r"},
		{"token as password", "https://x-access-token:ghs_" + body + "@github.com", "https://[redacted]@github.com"},
		{"password with an at and a slash", "http://u:p@ss/w@proxy:3128 refused", "http://[redacted]@proxy:3128 refused"},
		{"empty password", "http://u:@proxy", "http://[redacted]@proxy"},
		{"no scheme", "proxy me:secret@10.0.0.1:3128", "proxy [redacted]@10.0.0.1:3128"},
		{"an address is no password", "git@github.com:o/r.git", "git@github.com:o/r.git"},
		{"a path with an at", "https://github.com/@octo", "https://github.com/@octo"},
		{
			"single sign-on link",
			"Authorize in your web browser: https://github.com/orgs/o/sso?authorization_request=AE5Q#x now",
			"Authorize in your web browser: https://github.com/orgs/o/sso?[redacted] now",
		},
		{"quoted query", `Get "https://h/x?a=b": EOF`, `Get "https://h/x?[redacted]": EOF`},
		{"fragment with a value", "https://h/cb#access_token=abc", "https://h/cb#[redacted]"},
		{"plain fragment", "https://h/i/5#issuecomment-1", "https://h/i/5#issuecomment-1"},
		{"question, no URL", "really? yes", "really? yes"},
		{"authorization header", "> Authorization: token 0123abcd", "> Authorization: token [redacted]"},
		{"basic header", `"authorization": "Basic dXNlcjpwdw=="`, `"authorization": "Basic [redacted]"`},
		{"the header's name alone", `invalid header field value for "Authorization"`, `invalid header field value for "Authorization"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := safetext.Redact(tt.in)
			if got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := safetext.Redact(got); again != got {
				t.Errorf("Redact(%q) = %q, want it unchanged", got, again)
			}
		})
	}
}

func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[2J", "a\xff", "\u202e\u200b", "\ufe0f", "  x  ", "\u3164"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		line, strip := safetext.Line(s), safetext.Strip(s, limit)
		for _, got := range []string{line, strip} {
			if !utf8.ValidString(got) {
				t.Errorf("%q is not valid UTF-8", got)
			}
			if strings.ContainsAny(got, "\n\r\t\v\f\x00\x1b\x7f\u0085\u009b\u200b\u200e\u2028\u2029\u202e\u2066\ufeff") {
				t.Errorf("%q of %q holds what must not be shown", got, s)
			}
			if strings.TrimSpace(got) != got && !strings.HasSuffix(got, "…") || strings.Contains(got, "  ") {
				t.Errorf("%q of %q is not folded", got, s)
			}
		}
		if again := safetext.Line(line); again != line {
			t.Errorf("Line(%q) = %q, want it unchanged", line, again)
		}
		if again := safetext.Strip(strip, limit); again != strip {
			t.Errorf("Strip(%q, %d) = %q, want it unchanged", strip, limit, again)
		}
		if n := utf8.RuneCountInString(strip); limit > 0 && n > limit {
			t.Errorf("Strip(%q, %d) has %d characters", s, limit, n)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", "https://", "x", "?", "user:", "@host", "://a:b@", "#"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, token := range []string{"ghp_" + body, "gho_" + body, "github_pat_" + body} {
			if got := safetext.Redact(before + token + after); strings.Contains(got, token) {
				t.Errorf("Redact(%q) = %q, which still holds the token", before+token+after, got)
			}
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	s := strings.Repeat("HTTP 502: Something went wrong (https://api.github.com/graphql) ", 8)
	for b.Loop() {
		safetext.Redact(s)
	}
}
