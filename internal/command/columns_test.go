package command

import (
	"testing"
	"unicode/utf8"
)

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"":                 0,
		"poller":           6,
		"octo/b — failed…": 16,
		"✓ ✗ !":            5,
		"e\u0301té":        3,
		"日本語":              6,
		"ｶﾀｶﾅ":             4,
		"한국":               4,
		"😀!":               3,
		"❤\ufe0f":          3, // takes two: better one too many than one too few
		"\ufffd[31m":       5,
		"ελληνικά кирил":   14,
	} {
		if got := columns(text); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"degraded", 8, "degraded"},
		{"degraded", 7, "degrad…"},
		{"degraded", 1, "…"},
		{"degraded", 0, ""},
		{"日本語日本語", 12, "日本語日本語"},
		{"日本語日本語", 11, "日本語日本…"},
		{"日本語日本語", 10, "日本語日…"},
		{"", 0, ""},
	} {
		if got := cut(c.text, c.limit); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("degraded: 日本語 😀", 10)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(0, min(limit, 1000))
		got := cut(text, limit)
		if columns(got) > limit {
			t.Errorf("cut(%q, %d) = %q, which takes %d columns", text, limit, got, columns(got))
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("cut(%q, %d) = %q is no UTF-8", text, limit, got)
		}
	})
}
