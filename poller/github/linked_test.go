package github

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ref"
)

func TestLinked(t *testing.T) {
	r := &repository{Repo: repos(t, "octo/a")[0], scope: "octo/a"}
	own := "github:octo/a#9"
	for name, tt := range map[string]struct {
		pr   gh.PullRequest
		want []string
	}{
		"nothing":                {gh.PullRequest{}, []string{own}},
		"closing reference":      {gh.PullRequest{Closing: []ref.Item{ref.Repo{Host: "github.com", Owner: "Octo", Name: "B"}.Item(3)}}, []string{"github:octo/b#3", own}},
		"branch":                 {gh.PullRequest{HeadRefName: "issue-7"}, []string{"github:octo/a#7", own}},
		"branch with a slash":    {gh.PullRequest{HeadRefName: "issue/7"}, []string{"github:octo/a#7", own}},
		"branch with more":       {gh.PullRequest{HeadRefName: "agent/issue-7-dark-mode"}, []string{"github:octo/a#7", own}},
		"branch of another word": {gh.PullRequest{HeadRefName: "tissue-7"}, []string{own}},
		"branch without number":  {gh.PullRequest{HeadRefName: "issue-seven"}, []string{own}},
		"keyword":                {gh.PullRequest{Body: "This Fixes #4."}, []string{"github:octo/a#4", own}},
		"keyword and colon":      {gh.PullRequest{Body: "Closes: #4"}, []string{"github:octo/a#4", own}},
		"other repository":       {gh.PullRequest{Body: "resolved octo/c#4"}, []string{"github:octo/c#4", own}},
		"address":                {gh.PullRequest{Body: "close https://ghe.corp/octo/c/issues/4"}, []string{"github:ghe.corp/octo/c#4", own}},
		"mentioned only":         {gh.PullRequest{Body: "see #4, prefixes #5, fix it"}, []string{own}},
		"itself":                 {gh.PullRequest{Body: "fixes #9, fixes #4"}, []string{"github:octo/a#4", own}},
		"all, in order": {
			gh.PullRequest{Closing: []ref.Item{ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}.Item(1)}, HeadRefName: "issue-2", Body: "fixes #3 and closes #1"},
			[]string{"github:octo/a#1", "github:octo/a#2", "github:octo/a#3", own},
		},
		"branch of a fork":  {gh.PullRequest{HeadRefName: "issue-7", IsCrossRepository: true}, []string{own}},
		"keyword in a fork": {gh.PullRequest{HeadRefName: "issue-7", IsCrossRepository: true, Body: "Fixes #4"}, []string{"github:octo/a#4", own}},
		"huge number":       {gh.PullRequest{Body: fmt.Sprintf("fixes #%d", uint64(1)<<63)}, []string{own}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.pr.Number = 9
			if diff := cmp.Diff(tt.want, newLinkPatterns().linked(r, tt.pr)); diff != "" {
				t.Errorf("linked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestKeywords: LINK stands for a keyword with octo/a#4, which does or does not
// link where it stands.
func TestKeywords(t *testing.T) {
	r := &repository{Repo: repos(t, "octo/a")[0], scope: "octo/a"}
	for _, body := range []string{
		"LINK", "**LINK**", "- [x] LINK", "# LINK", "Text.\r\nLINK\r\nText.", "(LINK)", "LINK.", "LINK, and more",
		"```\ncode\n```\nLINK", "> quoted\n\nLINK", "<!-- template -->\nLINK", "1. x\n   ```sh\n   y\n   ```\n\nLINK",
		"LINK?", "| LINK |", "LINK\u3002", "Is it LINK? Yes.",
	} {
		got := newLinkPatterns().linked(r, gh.PullRequest{Number: 9, Body: strings.ReplaceAll(body, "LINK", "fixes #4")})
		if want := []string{"github:octo/a#4", "github:octo/a#9"}; !cmp.Equal(got, want) {
			t.Errorf("%q links %v, want %v", body, got, want)
		}
	}
	for _, body := range []string{
		"`fixes #4`", "```\nfixes #4\n```", "~~~\r\nfixes #4\r\n~~~", "    fixes #4", "\tfixes #4", "> fixes #4",
		"> > text\nfixes #4", "- > fixes #4", "<!-- fixes #4 -->", "<!--\n\nfixes #4", "<pre>\n\nfixes #4\n</pre>",
		"<blockquote>\n\nfixes #4\n\n</blockquote>", "text <code>fixes #4</code>", "fixes #<!-- -->4", "fixes `x`#4",
		"prefixes #4", "hot-fixes #4", "pr\u00e9fixes #4", "fixes #4b", "fixes #4\u00e9", "fixes #4-5", "fixes\u200b #4",
		"fi\u200bxes #4", "fixes\u00a0#4", "fixes #\u200b4", "fixe\u017f #4", "fixes #0", "fixes #\u0664", "fixes\n#4", "fixes \\#4",
		"fixes https://github.com/octo/a/issues/4/x", "fixes https://github.com/octo/a/issues/4#issuecomment-1",
		// No repository has such a name.
		"fixes www.example.com/foo#4", "fixes a.b/c#4", "fixes ./..#4", "fixes -a/b#4", "fixes octo/.#4",
		"fixes " + strings.Repeat("a", 120) + "/b#4", "fixes octo/" + strings.Repeat("b", 101) + "#4", "fixes _/_#4",
		"fixes https://localhost./octo/a/issues/4", "fixes https://-x.com/octo/a/issues/4", "fixes https://a.com:99999/octo/a/issues/4",
		"fixes https://octo/a/issues/4", "fixes octo/a/b#4",
	} {
		got := newLinkPatterns().linked(r, gh.PullRequest{Number: 9, Body: body})
		if want := []string{"github:octo/a#9"}; !cmp.Equal(got, want) {
			t.Errorf("%q links %v, want itself alone", body, got)
		}
	}
}
