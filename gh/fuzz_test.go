package gh

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"the-loop/internal/ref"
)

// wantOneLine checks what every error promises.
func wantOneLine(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is not *Error: %v", err, err)
	}
	if n := utf8.RuneCountInString(e.Text); n == 0 || n > maxErrorText || !utf8.ValidString(e.Text) {
		t.Errorf("%q has %d characters", e.Text, n)
	}
	if strings.ContainsAny(e.Text, "\n\r\t\x00\x1b\x7f\u0085\u2028\u202e\u200b") {
		t.Errorf("%q is not one clean line", e.Text)
	}
}

func seed(f *testing.F, answers ...string) {
	for _, s := range append(answers, "", "null", "[]", "{}", "[][]", "[null]", "<html>", "[{", `[{"number":1e400}]`, "\xff") {
		f.Add([]byte(s))
	}
}

func FuzzListing(f *testing.F) {
	seed(f, `[{"number":1,"title":"t","url":"https://github.com/o/r/issues/1","author":{"login":"x"},"labels":[{"name":"l"}],"updatedAt":"2026-11-30T10:00:00Z"}]`,
		`[{"number":2,"url":"https://ghe.example.com/o/r/pull/2","closingIssuesReferences":[{"number":1,"url":"https://github.com/o/r/issues/1","repository":{"name":"r","owner":{"login":"o"}}}]}]`,
		`[{"number":3,"url":"https://github.com:443/","closingIssuesReferences":{"nodes":[{"number":4,"url":"https://github.com/a/b"}]},"updatedAt":7,"author":null}]`)
	c := New(Options{})
	f.Fuzz(func(t *testing.T, out []byte) {
		all, err := decodeList([]string{"pr", "list", "--repo"}, out)
		wantOneLine(t, err)
		items, err := c.usable(repo, "pr", nil, all)
		wantOneLine(t, err)
		for _, pull := range items {
			if pull.Number <= 0 || hostOf(pull.URL) != ref.GitHubHost {
				t.Errorf("an item of number %d at %q is taken", pull.Number, pull.URL)
			}
			for _, item := range pull.Closing {
				if item.Number <= 0 || item.Check() != nil {
					t.Errorf("a reference to %+v is taken", item)
				}
			}
		}
	})
}

func FuzzComments(f *testing.F) {
	seed(f, `{"comments":null}`, `{"comments":[{"id":"IC_1","author":null,"createdAt":"x"},null]}`,
		`[{"node_id":"R_1","line":null,"original_line":4,"user":{"login":"x[bot]"}}][{"node_id":""}]`)
	c := New(Options{})
	f.Fuzz(func(t *testing.T, out []byte) {
		raw, err := decodeConversation([]string{"issue", "view"}, out)
		wantOneLine(t, err)
		for _, comment := range identified(c, repo, 1, raw) {
			if comment.ID == "" {
				t.Error("a comment without id is taken")
			}
		}
		inline, err := decodePages[reviewCommentJSON](out)
		if err != nil {
			wantOneLine(t, invalidJSON([]string{"api"}, err))
		}
		for _, comment := range identified(c, repo, 1, inline) {
			if comment.NodeID == "" {
				t.Error("a review comment without id is taken")
			}
		}
	})
}

func FuzzSmallAnswers(f *testing.F) {
	seed(f, `{"number":5,"state":"closed","html_url":"https://github.com/o/r/pull/5","pull_request":{"merged_at":"2026-11-30T10:00:00Z"}}`,
		`{"resources":{"core":{"limit":5000,"remaining":1,"reset":1796032800}}}`, "gh version 2.60.0 (2024-10-31)")
	f.Fuzz(func(t *testing.T, out []byte) {
		args := []string{"api", "x"}
		var state issueStateAnswer
		if err := decode(out, &state); err != nil {
			wantOneLine(t, invalidJSON(args, err))
		} else if got, err := state.state(repo, args); err == nil && (got.Item.Number <= 0 || got.State == "") {
			t.Errorf("%s is taken for the state %+v", out, got)
		} else {
			wantOneLine(t, err)
		}
		var limits rateLimitAnswer
		if decode(out, &limits) == nil {
			limits.limits()
		}
		if version, ok := parseVersion(string(out)); ok && version == "" {
			t.Errorf("%s is taken for a version", out)
		}
	})
}

func FuzzExitError(f *testing.F) {
	for _, s := range []string{"", "HTTP 401", "API rate limit exceeded", "has disabled issues", "x\x1b[0m\n", "ghp_\u200b0123456789abcdefghijABCDEFGHIJ012345"} {
		f.Add(s, 1)
	}
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	f.Fuzz(func(t *testing.T, stderr string, code int) {
		for _, args := range [][]string{{"issue", "list", "--repo", "o/r"}, {"pr", "list"}, {"--version"}, nil} {
			err := ExitError(args, code, stderr+" "+token)
			wantOneLine(t, err)
			if strings.Contains(err.Text, token) {
				t.Errorf("%q holds a token", err.Text)
			}
			if err.Class == IssuesDisabled && (len(args) != 4 || code <= 0) {
				t.Errorf("%v exited %d is taken for disabled issues", args, code)
			}
		}
	})
}

func FuzzSameLogin(f *testing.F) {
	f.Add("app/x", "x[bot]")
	f.Fuzz(func(t *testing.T, a, b string) {
		if SameLogin(a, b) != SameLogin(b, a) {
			t.Errorf("SameLogin(%q, %q) depends on the order", a, b)
		}
		if SameLogin("", a) || SameLogin(a, "") {
			t.Errorf("%q is nobody", a)
		}
	})
}
